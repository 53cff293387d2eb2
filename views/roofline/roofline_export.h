// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/chart/roofline_chart.h"

#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace tessera::views {

// One schedule's roofline, with the word beside its pipeline's mark.
struct DrawnRoofline {
  std::shared_ptr<const cost::Roofline> roofline;
  std::string title;
};

// What is written as a file: the drawing of `tessera-cli explain --roofline`, with what it is
// compared with, the first of which arrows lead from.
struct ExportedRoofline {
  std::vector<DrawnRoofline> drawn; // the first is what is shown
  chart::ChartText text;
};

// By the suffix of the path: svg, pdf or csv. Blocks; any thread.
Status exportRoofline(const ExportedRoofline &exported, const QString &path);

} // namespace tessera::views
