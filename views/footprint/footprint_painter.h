// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/footprint/footprint_layout.h"

#include <QPalette>

class QPainter;

namespace tessera::views {

struct FootprintLook {
  QPalette palette;
  int kernel = 1;   // number of the kernel, for its colour
  int current = -1; // the marked entry; -1: none
};

// Paints the cards: the tile filled in the colour of its kernel, its halo lighter and hatched where
// neighbouring tiles need it, too; what data choose is hatched all over.
void paintFootprint(QPainter &painter, const footprint::KernelFootprint &kernel,
                    const FootprintLayout &layout, const FootprintAxes &axes,
                    const FootprintLook &look);

} // namespace tessera::views
