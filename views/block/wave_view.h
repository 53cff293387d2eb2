// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/block/block_geometry.h"
#include "engine/block/grid_waves.h"

#include <QWidget>

#include <optional>

class QImage;

namespace tessera::views {

// The blocks of a launch at their places in the grid, each in the colour of its wave. Below them, a
// bar for each wave shows how far it fills the multiprocessors. A last wave that is not full is
// hatched.
class WaveView : public QWidget {
  Q_OBJECT
public:
  explicit WaveView(QWidget *parent = nullptr);

  void setGrid(std::optional<block::GridWaves> grid);
  QString summary() const;
  // The number of the block at a place.
  std::optional<std::int64_t> blockAt(QPointF place) const;
  QString textOf(std::int64_t block) const;

  QSize sizeHint() const override { return {420, 240}; }
  QSize minimumSizeHint() const override { return {200, 120}; }

protected:
  void paintEvent(QPaintEvent *event) override;
  bool event(QEvent *event) override;

private:
  static QString wavesText(const block::GridWaves &grid); // how many, and how full they are
  SliceGrid places() const;
  QRectF barsArea() const;
  QColor colorOf(std::int64_t wave) const;
  QImage imageOf(const SliceGrid &places, std::int64_t slice) const;
  void hatchTail(QPainter &painter, const SliceGrid &places, std::int64_t slice) const;
  void paintBlocks(QPainter &painter) const;
  void paintBars(QPainter &painter) const;

  std::optional<block::GridWaves> m_grid;
};

} // namespace tessera::views
