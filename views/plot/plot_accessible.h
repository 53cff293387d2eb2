// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tessera::views {

// From now on, screen readers see every PlotView as a chart with its name and description. The
// widget that QCustomPlot draws on is hidden from them.
void announcePlots();

} // namespace tessera::views
