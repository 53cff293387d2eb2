// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/block/block_geometry.h"

#include <algorithm>
#include <cmath>

namespace tessera::views {

using pipeline::Interval;

namespace {

constexpr std::int64_t kLongRow = 64; // threads; a longer row is wrapped
constexpr double kLayerGap = 0.6;     // between layers of z, in cells

} // namespace

ThreadGrid::ThreadGrid(const block::ThreadPlace &threads, std::int64_t warpSize, const QRectF &room,
                       double largestCell)
    : m_threads(threads), m_columns(threads[0]), m_origin(room.topLeft()) {
  if (threads[0] > kLongRow) m_columns = std::max<std::int64_t>(1, warpSize);
  m_linesPerRow = (threads[0] + m_columns - 1) / m_columns;
  const double lines = double(m_linesPerRow * threads[1] * threads[2]);
  const double gaps = double(threads[2] - 1) * kLayerGap;
  m_cell = std::clamp(std::min(room.width() / double(m_columns), room.height() / (lines + gaps)),
                      0.5, largestCell);
  m_gap = kLayerGap * m_cell;
}

double ThreadGrid::gapBefore(std::int64_t line) const {
  return double(line / (m_linesPerRow * m_threads[1])) * m_gap;
}

QRectF ThreadGrid::area() const {
  const std::int64_t lines = m_linesPerRow * m_threads[1] * m_threads[2];
  return {m_origin,
          QSizeF(double(m_columns) * m_cell, double(lines) * m_cell + gapBefore(lines - 1))};
}

QRectF ThreadGrid::cellOf(std::int64_t number) const {
  const std::int64_t x = number % m_threads[0];
  const std::int64_t line = rowOf(number / m_threads[0]) + x / m_columns;
  return {m_origin +
              QPointF(double(x % m_columns) * m_cell, double(line) * m_cell + gapBefore(line)),
          QSizeF(m_cell, m_cell)};
}

std::optional<std::int64_t> ThreadGrid::at(QPointF place) const {
  if (!area().contains(place)) return std::nullopt;
  const QPointF inside = place - m_origin;
  const std::int64_t linesOfLayer = m_linesPerRow * m_threads[1];
  const double layerHeight = double(linesOfLayer) * m_cell + m_gap;
  const auto layer = std::min(std::int64_t(inside.y() / layerHeight), m_threads[2] - 1);
  const auto line = std::int64_t((inside.y() - double(layer) * layerHeight) / m_cell);
  if (line >= linesOfLayer) return std::nullopt; // between two layers
  const std::int64_t x = std::int64_t(inside.x() / m_cell) + line % m_linesPerRow * m_columns;
  if (x >= m_threads[0]) return std::nullopt;
  return x + m_threads[0] * (line / m_linesPerRow + m_threads[1] * layer);
}

ElementGrid::ElementGrid(const block::OwnerMap &owners, const QRectF &room, double largestCell)
    : m_x(owners.x), m_y(owners.y), m_origin(room.topLeft()) {
  m_cell = std::clamp(std::min(room.width() / double(std::max<std::int64_t>(1, m_x.extent())),
                               room.height() / double(std::max<std::int64_t>(1, m_y.extent()))),
                      0.5, largestCell);
}

QRectF ElementGrid::area() const {
  return {m_origin, QSizeF(double(m_x.extent()) * m_cell, double(m_y.extent()) * m_cell)};
}

QRectF ElementGrid::cellOf(std::int64_t x, std::int64_t y) const {
  return {m_origin + QPointF(double(x - m_x.min) * m_cell, double(y - m_y.min) * m_cell),
          QSizeF(m_cell, m_cell)};
}

QRectF ElementGrid::boxOf(const Interval &x, const Interval &y) const {
  const Interval across = pipeline::intersection(x, m_x), down = pipeline::intersection(y, m_y);
  if (across.empty() || down.empty()) return {};
  return cellOf(across.min, down.min).united(cellOf(across.max, down.max));
}

std::optional<std::pair<std::int64_t, std::int64_t>> ElementGrid::at(QPointF place) const {
  if (!area().contains(place)) return std::nullopt;
  const QPointF inside = (place - m_origin) / m_cell;
  return std::pair(std::min(m_x.max, m_x.min + std::int64_t(inside.x())),
                   std::min(m_y.max, m_y.min + std::int64_t(inside.y())));
}

// ---- The blocks of a grid

namespace {

constexpr double kSliceGap = 10;

} // namespace

SliceGrid::SliceGrid(const std::array<std::int64_t, 3> &blocks, const QRectF &room)
    : m_across(blocks[0]), m_down(blocks[1]), m_slices(blocks[2]), m_origin(room.topLeft()) {
  if (m_slices > kMostSlices) {
    m_down *= m_slices;
    m_slices = 1;
  }
  double largest = 0;
  for (std::int64_t columns = 1; columns <= m_slices; ++columns) {
    const std::int64_t rows = (m_slices + columns - 1) / columns;
    const QSizeF each((room.width() - kSliceGap * double(columns - 1)) / double(columns),
                      (room.height() - kSliceGap * double(rows - 1)) / double(rows));
    const double cell =
        std::min({each.width() / double(m_across), each.height() / double(m_down), kLargestCell});
    if (cell <= largest) continue;
    largest = cell;
    m_columns = columns;
    m_size = {std::min(each.width(), std::max(cell, 1.0) * double(m_across)),
              std::min(each.height(), std::max(cell, 1.0) * double(m_down))};
  }
}

QRectF SliceGrid::slice(std::int64_t number) const {
  return {m_origin + QPointF(double(number % m_columns) * (m_size.width() + kSliceGap),
                             double(number / m_columns) * (m_size.height() + kSliceGap)),
          m_size};
}

std::optional<std::int64_t> SliceGrid::at(QPointF place) const {
  for (std::int64_t number = 0; number < m_slices; ++number) {
    const QRectF area = slice(number);
    if (!area.contains(place)) continue;
    const QPointF in = place - area.topLeft();
    const auto x = std::int64_t(in.x() / area.width() * double(m_across));
    const auto y = std::int64_t(in.y() / area.height() * double(m_down));
    return (number * m_down + std::min(y, m_down - 1)) * m_across + std::min(x, m_across - 1);
  }
  return std::nullopt;
}

} // namespace tessera::views
