// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/block/thread_block.h"

#include <QRectF>

#include <array>
#include <cstdint>
#include <optional>

namespace tessera::views {

// Places of the threads of a block in a widget: x to the right, y and then z downwards. A long row
// is wrapped after each warp, so that its threads are large enough to see.
class ThreadGrid {
public:
  static constexpr double kLargestCell = 30;

  ThreadGrid() = default;
  ThreadGrid(const block::ThreadPlace &threads, std::int64_t warpSize, const QRectF &room,
             double largestCell = kLargestCell);

  double cell() const { return m_cell; }
  QRectF area() const; // around all threads
  QRectF cellOf(std::int64_t number) const;
  std::optional<std::int64_t> at(QPointF place) const;
  bool isWrapped() const { return m_columns < m_threads[0]; }

private:
  std::int64_t rowOf(std::int64_t row) const { return row * m_linesPerRow; }
  double gapBefore(std::int64_t line) const; // sum of the gaps between layers of z

  block::ThreadPlace m_threads{1, 1, 1};
  std::int64_t m_columns = 1, m_linesPerRow = 1;
  double m_cell = 1, m_gap = 0;
  QPointF m_origin;
};

// Places of the elements that a block computes, in two dimensions.
class ElementGrid {
public:
  static constexpr double kLargestCell = 26;

  ElementGrid() = default;
  ElementGrid(const block::OwnerMap &owners, const QRectF &room, double largestCell = kLargestCell);

  double cell() const { return m_cell; }
  QRectF area() const;
  QRectF cellOf(std::int64_t x, std::int64_t y) const;
  // The place of a box of elements, as far as it is in the picture.
  QRectF boxOf(const pipeline::Interval &x, const pipeline::Interval &y) const;
  std::optional<std::pair<std::int64_t, std::int64_t>> at(QPointF place) const;

private:
  pipeline::Interval m_x{0, 0}, m_y{0, 0};
  double m_cell = 1;
  QPointF m_origin;
};

// Places of the blocks of a grid: x to the right and y downwards. The slices along z stand beside
// one another and below, so that the blocks are as large as possible. Blocks are squares, unless
// one side of the grid has so many that they would be narrower than a pixel.
class SliceGrid {
public:
  static constexpr double kLargestCell = 24;
  static constexpr std::int64_t kMostSlices = 48; // if there are more, y and z are one long side

  SliceGrid(const std::array<std::int64_t, 3> &blocks, const QRectF &room);

  std::int64_t across() const { return m_across; } // blocks of a slice
  std::int64_t down() const { return m_down; }
  std::int64_t slices() const { return m_slices; }
  QRectF slice(std::int64_t number) const;
  // The number of the block at a place, counted along x, then y, then z.
  std::optional<std::int64_t> at(QPointF place) const;

private:
  std::int64_t m_across, m_down, m_slices, m_columns = 1;
  QSizeF m_size; // of a slice
  QPointF m_origin;
};

} // namespace tessera::views
