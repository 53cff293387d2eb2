// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/footprint/kernel_footprint.h"

#include <QRectF>
#include <QSizeF>

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::views {

// What the picture shows of the boxes: one level, and the loops of the output that run across and
// down. If the output has only one loop, there is no loop down.
struct FootprintAxes {
  footprint::Level level = footprint::Level::Block;
  std::uint32_t across = 0;
  std::optional<std::uint32_t> down;
};

// One func or input as a card: its box in its own scale.
struct FootprintCard {
  std::size_t entry = 0;
  QRectF frame, title, box; // `box`: all elements that the tile needs
  QRectF core;              // the box without its halo
  QRectF next;              // the box of the diagonally next tile, one step across and one down
  // The dimensions of the entry that are drawn across and down. None: a single column or row.
  std::optional<std::size_t> across, down;
  double pixelsAcross = 1, pixelsDown = 1; // size of an element
};

struct FootprintLayout {
  std::vector<FootprintCard> cards; // by entry; the output first
  QSizeF size{0, 0};                // a default QSizeF is negative
};

// The size in pixels of an element on the output's card, kept while an edge is dragged.
struct KeptScale {
  double across = 1, down = 1;
};

// Places the cards in rows that are `width` pixels wide. `line` is the height of a line of text.
FootprintLayout layoutFootprint(const footprint::KernelFootprint &kernel, const FootprintAxes &axes,
                                double width, double line, std::optional<KeptScale> kept = {});

// The dimension along which an iteration of the output's loop moves the box; none: it stays.
std::optional<std::size_t> dimMovedBy(const footprint::LevelBox &box, std::uint32_t loop);

} // namespace tessera::views
