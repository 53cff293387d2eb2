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

// Paints the cards. Boxes have the colour of the kernel, or grey if the kernel only reads them; the
// halo is lighter. The parts that neighbouring tiles need as well are hatched. A box is hatched all
// over if its place depends on data.
void paintFootprint(QPainter &painter, const footprint::KernelFootprint &kernel,
                    const FootprintLayout &layout, const FootprintAxes &axes,
                    const FootprintLook &look);

} // namespace tessera::views
