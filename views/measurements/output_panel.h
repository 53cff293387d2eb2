// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/measure/verified_output.h"
#include "views/flows/measure_flow.h"
#include "views/theme/seen_refresh.h"

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;
class QToolButton;

namespace tessera::views {

class PictureView;

// The outputs of a verification as a picture: found, expected, or their difference. In more than
// two dimensions, it shows one index of each further dimension, or three indices as red, green and
// blue.
class OutputPanel : public QWidget {
  Q_OBJECT
public:
  enum class Shown { Found, Expected, Difference };

  OutputPanel(DocumentFlow &documents, MeasureFlow &measuring, Bridge &bridge,
              QWidget *parent = nullptr);

  // Null: shows nothing.
  void show(const document::KeptVerification *verification);

  PictureView &view() { return *m_view; }

signals:
  void told(const QString &note);

private:
  void addKinds(QHBoxLayout &tools);
  QToolButton *addTool(const QString &text, const QString &name, const QString &toolTip);
  void setEnabledTools(bool enabled);
  void read();
  void startReading();
  void take(std::shared_ptr<const measure::VerifiedOutput> output);
  void buildPlaces();
  QString dimensionName(std::size_t dim) const;
  void draw();
  void lookAtWorst();
  void save();
  void point(std::optional<QPoint> pixel);
  QString textAt(const QPoint &pixel) const;
  const report::OutputComparison &comparison() const;
  std::int64_t beginOf(std::size_t dim) const;
  Shown shown() const;

  DocumentFlow &m_documents;
  MeasureFlow &m_measuring;
  Bridge &m_bridge;
  std::optional<MeasureFlow::Outputs> m_outputs; // keeps the files while they are looked at
  std::shared_ptr<const measure::VerifiedOutput> m_output; // null: not read yet
  array::Cut m_cut;
  QComboBox *m_names = nullptr;
  QButtonGroup *m_kinds = nullptr;
  // A spin box for each dimension that is not an axis of the picture.
  QHBoxLayout *m_places = nullptr;
  QToolButton *m_fit = nullptr, *m_whole = nullptr, *m_worst = nullptr, *m_save = nullptr;
  PictureView *m_view = nullptr;
  QLabel *m_text = nullptr;
  // Outputs may be large, so they are not read before the dock is seen.
  SeenRefresh m_reading{*this, [this] { startReading(); }};
};

} // namespace tessera::views
