// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/chart/roofline_chart.h"

#include <QString>

#include <memory>
#include <string>

namespace tessera::views {

// What is written as a file: the drawing of `tessera-cli explain --roofline`, with the arrows of
// what it is compared with.
struct ExportedRoofline {
  std::shared_ptr<const cost::Roofline> roofline;
  std::shared_ptr<const cost::Roofline> before; // null: none
  std::string beforeTitle;
  chart::ChartText text;
};

// By the suffix of the path: svg, pdf or csv. Blocks; any thread.
Status exportRoofline(const ExportedRoofline &exported, const QString &path);

} // namespace tessera::views
