// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_graph.h"
#include "views/flows/shown_schedule.h"

#include <QString>

namespace tessera::views {

// The decisions about a node in one line, shown at high zoom: "at output: x_block · shared · 12 %".
// Empty for an input.
QString factsOf(const DagNode &node, const ShownSchedule &schedule, double part);

} // namespace tessera::views
