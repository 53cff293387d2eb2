// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tessera::views {

// From now on every PlotView is a chart to a screen reader, with its name and what it shows, and
// the widget that QCustomPlot draws on is no part of its own.
void announcePlots();

} // namespace tessera::views
