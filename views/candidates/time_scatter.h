// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plot/plot_view.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

class QCPGraph;
class QCPItemText;

namespace tessera::views {

// A candidate in the chart of measured over predicted times. Scatter, below, has the places of the
// points as numbers, without drawing. Both axes are logarithmic with the same range, so the
// measured time of a candidate on the diagonal equals its predicted time.
struct ScatterPoint {
  std::uint64_t id = 0;
  QString name;
  double predicted = 0, measured = 0; // seconds
  bool isCurrent = false;
  bool isStale = false;
  bool isElsewhere = false; // measured on another GPU than it was predicted for

  friend bool operator==(const ScatterPoint &, const ScatterPoint &) = default;
};

struct Scatter {
  struct Tick {
    double at = 0;
    QString text; // empty: a minor tick
    double value = 0;
  };
  QRectF field;
  ChartWindow window;          // the visible part
  std::vector<QPointF> places; // in the order of the points
  std::vector<Tick> ticksX, ticksY;

  std::optional<std::size_t> at(QPointF place) const; // the nearest point within reach
};
// Without `window`, all points are shown.
Scatter scatterOf(const std::vector<ScatterPoint> &points, const QRectF &field,
                  const ZoomHistory::View &window = {});

// Measured over predicted times. A click on a point makes its candidate the current one; so does
// Return after choosing a point with the arrow keys.
class TimeScatter : public PlotView {
  Q_OBJECT
public:
  explicit TimeScatter(QWidget *parent = nullptr);

  void setPoints(std::vector<ScatterPoint> points);
  const std::vector<ScatterPoint> &points() const { return m_points; }
  Scatter scatter() const; // as currently drawn
  QString toolTipOf(std::size_t point) const;

  QSize sizeHint() const override { return {300, 220}; }
  QSize minimumSizeHint() const override { return {180, 120}; }

signals:
  void loadWanted(quint64 candidate);

protected:
  bool isEmpty() const override { return m_points.empty(); }
  ChartWindow whole() const override;
  QMargins room() const override;
  void fill() override;
  void pointAt(std::optional<QPointF> place) override;
  void clickAt(QPointF place) override;
  bool hasMarkAt(QPointF place) const override { return scatter().at(place).has_value(); }
  QString textAt(QPointF place) const override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  static constexpr std::size_t kLooks = 8; // combinations of current, stale and elsewhere

  void mark(std::optional<std::size_t> point);
  void describe();
  void styleLook(std::size_t look);
  void fillName(const Scatter &shown);

  std::vector<ScatterPoint> m_points;
  std::optional<std::size_t> m_marked; // under the pointer, or chosen by keys
  QCPGraph *m_diagonal = nullptr, *m_ring = nullptr;
  std::array<QCPGraph *, kLooks> m_looks{};
  QCPItemText *m_name = nullptr;
};

} // namespace tessera::views
