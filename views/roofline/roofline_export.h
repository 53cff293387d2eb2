// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/chart/roofline_chart.h"

#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace tessera::views {

// The roofline of one schedule. `title` names it in the key and beside the mark that stands for its
// whole pipeline.
struct DrawnRoofline {
  std::shared_ptr<const cost::Roofline> roofline;
  std::string title;
};

// The content of an exported file: the drawing of `tessera-cli explain --roofline` with the
// compared schedules. Arrows lead from the first compared schedule to the shown one.
struct ExportedRoofline {
  std::vector<DrawnRoofline> drawn; // the shown schedule first
  chart::ChartText text;
};

// The suffix of the path chooses the format: svg, pdf or csv. Blocks; may be called on any thread.
Status exportRoofline(const ExportedRoofline &exported, const QString &path);

} // namespace tessera::views
