// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/measurements/timeline.h"
#include "views/flows/selection.h"
#include "views/plot/plot_view.h"

#include <memory>
#include <vector>

namespace tessera::views {

// The parts of a measured run as bars, with the memory below them, connected to the shared
// selection: a click or the arrow keys select the stages of a kernel, and the kernel of the active
// stage is marked.
class TimelineView : public PlotView {
  Q_OBJECT
public:
  explicit TimelineView(Selection &selection, QWidget *parent = nullptr);

  // `subjects` are the stages of each kernel in the open pipeline; the stage that owns the kernel's
  // blocks comes first. Null: nothing is shown.
  void show(std::shared_ptr<const measure::RunProfile> profile,
            std::vector<std::vector<Subject>> subjects);
  void setColours(std::vector<int> colours); // the number of each kernel's colour

  Timeline timeline() const; // as currently drawn
  QString toolTipOf(const TimelineBar &part) const;
  std::optional<std::size_t> current() const; // the kernel of the active stage

  QSize sizeHint() const override { return {480, 170}; }
  QSize minimumSizeHint() const override { return {200, 96}; }

protected:
  bool isEmpty() const override { return !m_profile; }
  ChartWindow whole() const override;
  QMargins room() const override;
  void fill() override;
  void pointAt(std::optional<QPointF> place) override;
  void clickAt(QPointF place) override;
  bool hasMarkAt(QPointF place) const override { return partAt(place).has_value(); }
  QString textAt(QPointF place) const override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  QRectF area() const;                                       // the bars and the memory
  QRectF seen(const QRectF &place, double beyond = 0) const; // the visible part of `place`
  std::optional<TimelineBar> partAt(QPointF place) const;
  QString nameOf(std::size_t kernel) const;
  void paintLabel(QPainter &painter, const QRectF &beside, const QString &text) const;
  void paintLabels(QPainter &painter) const;
  void paintParts(QPainter &painter) const;
  void paintPart(QPainter &painter, const TimelineBar &part) const;
  void paintMemory(QPainter &painter) const;
  void select(std::size_t kernel);

  Selection &m_selection;
  std::shared_ptr<const measure::RunProfile> m_profile;
  std::vector<std::vector<Subject>> m_subjects;
  std::vector<int> m_colours;
  Timeline m_drawn; // what fill() has computed and the painted parts draw
};

} // namespace tessera::views
