// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::views {

// Finds the edges that cross a rectangle: a grid over the scene, in which each cell lists the edges
// that enter it. The cost of repainting a strip then depends on the strip and not on the whole DAG.
class EdgeIndex {
public:
  EdgeIndex() = default;
  EdgeIndex(std::span<const QPolygonF> polylines, const QRectF &bounds);

  // Ascending and without duplicates. May contain edges that only pass nearby.
  std::vector<std::uint32_t> crossing(const QRectF &rect) const;

private:
  struct Range {
    int firstColumn = 0, lastColumn = -1, firstRow = 0, lastRow = -1;
  };
  Range rangeOf(const QRectF &rect) const;

  QRectF m_bounds;
  double m_cell = 1;
  int m_columns = 0;
  int m_rows = 0;
  std::size_t m_edges = 0;
  std::vector<std::vector<std::uint32_t>> m_cells;
};

} // namespace tessera::views
