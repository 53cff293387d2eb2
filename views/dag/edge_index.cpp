// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/edge_index.h"

#include <algorithm>
#include <cmath>

namespace tessera::views {

namespace {
constexpr double kCellsPerSide = 64;
constexpr double kSmallestCell = 120;
} // namespace

EdgeIndex::EdgeIndex(std::span<const QPolygonF> polylines, const QRectF &bounds)
    : m_bounds(bounds.adjusted(-1, -1, 1, 1)),
      m_cell(std::max(
          {kSmallestCell, bounds.width() / kCellsPerSide, bounds.height() / kCellsPerSide})),
      m_columns(int(m_bounds.width() / m_cell) + 1), m_rows(int(m_bounds.height() / m_cell) + 1),
      m_edges(polylines.size()), m_cells(std::size_t(m_columns) * std::size_t(m_rows)) {
  for (std::uint32_t edge = 0; edge < polylines.size(); ++edge) {
    const QPolygonF &line = polylines[edge];
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
      // Long pieces are cut, so that a diagonal is listed only in the cells along it, not in those
      // of its whole bounding box.
      const QPointF from = line[i], to = line[i + 1];
      const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
      const int parts = std::max(1, int(std::ceil(length / m_cell)));
      for (int part = 0; part < parts; ++part) {
        const QPointF a = from + (to - from) * part / parts;
        const QPointF b = from + (to - from) * (part + 1) / parts;
        const Range range = rangeOf(QRectF(a, b).normalized());
        for (int row = range.firstRow; row <= range.lastRow; ++row)
          for (int column = range.firstColumn; column <= range.lastColumn; ++column) {
            auto &cell = m_cells[std::size_t(row) * std::size_t(m_columns) + std::size_t(column)];
            if (cell.empty() || cell.back() != edge) cell.push_back(edge);
          }
      }
    }
  }
}

EdgeIndex::Range EdgeIndex::rangeOf(const QRectF &rect) const {
  const auto cell = [&](double distance, int cells) {
    return std::clamp(int(std::floor(std::clamp(distance / m_cell, -1.0, cells + 1.0))), 0,
                      cells - 1);
  };
  return {cell(rect.left() - m_bounds.left(), m_columns),
          cell(rect.right() - m_bounds.left(), m_columns),
          cell(rect.top() - m_bounds.top(), m_rows), cell(rect.bottom() - m_bounds.top(), m_rows)};
}

std::vector<std::uint32_t> EdgeIndex::crossing(const QRectF &rect) const {
  std::vector<std::uint32_t> found;
  const QRectF grown = rect.adjusted(-1, -1, 1, 1);
  if (m_cells.empty() || !grown.intersects(m_bounds)) return found;
  std::vector<bool> seen(m_edges, false);
  const Range range = rangeOf(grown);
  for (int row = range.firstRow; row <= range.lastRow; ++row)
    for (int column = range.firstColumn; column <= range.lastColumn; ++column)
      for (const std::uint32_t edge :
           m_cells[std::size_t(row) * std::size_t(m_columns) + std::size_t(column)]) {
        if (seen[edge]) continue;
        seen[edge] = true;
        found.push_back(edge);
      }
  std::ranges::sort(found);
  return found;
}

} // namespace tessera::views
