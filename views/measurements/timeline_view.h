// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/measurements/timeline.h"
#include "views/flows/selection.h"
#include "views/theme/theme.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace tessera::views {

// The parts of a measured run as bars, and the memory below them, over the shared selection: a
// click or the arrow keys select what a kernel computes, and the kernel of the active stage is
// marked.
class TimelineView : public QWidget {
  Q_OBJECT
public:
  explicit TimelineView(Selection &selection, QWidget *parent = nullptr);

  // `subjects` of each kernel, its owner first, in the pipeline that is open. Null: nothing.
  void show(std::shared_ptr<const measure::RunProfile> profile,
            std::vector<std::vector<Subject>> subjects);

  Timeline timeline() const; // as it is painted
  QString toolTipOf(const TimelineBar &part) const;
  std::optional<std::size_t> current() const; // kernel of the active stage

  QSize sizeHint() const override { return {480, 170}; }
  QSize minimumSizeHint() const override { return {200, 96}; }

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool event(QEvent *event) override;

private:
  QString nameOf(std::size_t kernel) const;
  void paintLabel(QPainter &painter, const QRectF &beside, const QString &text) const;
  void paintAxis(QPainter &painter, const Timeline &shown, const Colors &colors) const;
  void paintPart(QPainter &painter, const TimelineBar &part, const Colors &colors) const;
  void paintMemory(QPainter &painter, const Timeline &shown, const Colors &colors) const;
  void select(std::size_t kernel);

  Selection &m_selection;
  std::shared_ptr<const measure::RunProfile> m_profile;
  std::vector<std::vector<Subject>> m_subjects;
};

} // namespace tessera::views
