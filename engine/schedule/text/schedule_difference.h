// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/decision_text.h"

#include <string>
#include <vector>

namespace tessera::schedule {

// A cell of the table of decisions whose text differs between two schedules of one pipeline.
struct CellDifference {
  std::string stage; // empty: the row for the whole schedule
  DecisionColumn column{};
  std::string first, second; // empty: nothing is decided, or the stage is not there
  bool operator==(const CellDifference &) const = default;
};

// The settings first, then stage by stage in the order of `first`, then the stages that only
// `second` has.
std::vector<CellDifference> differencesBetween(const Schedule &first, const Schedule &second);

} // namespace tessera::schedule
