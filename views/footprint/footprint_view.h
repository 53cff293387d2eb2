// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/footprint/footprint_layout.h"
#include "views/tables/footprint_model.h"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QLabel;

namespace tessera::views {

class EdgeHandle;

// The boxes of a kernel as cards, with handles on the edges of the output's tile.
class FootprintView : public QWidget {
  Q_OBJECT
public:
  explicit FootprintView(QWidget *parent = nullptr);

  void show(KernelFootprintPtr kernel, const FootprintAxes &axes, int colour); // null: nothing
  void setCurrent(int entry);                                                  // -1: none
  // Keeps the scale of the output's card while an edge is dragged.
  void keepScale(bool kept);
  // The legal and illegal places for an edge of the output's tile, each drawn as a mark.
  struct Stop {
    std::int64_t size = 1;
    bool isLegal = false;
  };
  void showStops(Qt::Orientation along, std::vector<Stop> stops);
  const std::vector<Stop> &stops() const { return m_stops; }
  // Shows why the size at a handle is not legal; empty: it is. `at` is the handle's direction.
  void refuse(Qt::Orientation at, const QString &why);

  EdgeHandle &handle(Qt::Orientation along) { return *m_handles[along == Qt::Horizontal ? 0 : 1]; }
  const FootprintLayout &drawn() const { return m_layout; }
  const FootprintAxes &axes() const { return m_axes; }
  // How long the tile would be if its edge were at this place.
  double sizeAt(Qt::Orientation along, QPointF place) const;
  std::optional<int> entryAt(QPointF place) const;

  QSize sizeHint() const override { return {420, 300}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

signals:
  void clicked(int entry);
  void doubleClicked(int entry);

protected:
  bool event(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
  void relayout();
  void placeHandles();
  void paintStops(QPainter &painter) const;
  double line() const;
  QString toolTipAt(QPointF place) const;

  KernelFootprintPtr m_kernel;
  FootprintAxes m_axes;
  FootprintLayout m_layout;
  std::optional<KeptScale> m_kept;
  std::array<EdgeHandle *, 2> m_handles{};
  Qt::Orientation m_stopsAlong = Qt::Horizontal;
  std::vector<Stop> m_stops;
  QLabel *m_refusal = nullptr;
  int m_colour = 1, m_current = -1;
};

} // namespace tessera::views
