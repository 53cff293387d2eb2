// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::session {

// What a text says of a schedule beside the schedule itself.
struct ExportFacts {
  std::string machine, version;
  std::optional<double> predictedMilliseconds;
  std::vector<std::string> notes; // for people
};

// A schedule as a file for others: "h", "py" or "json", which has no facts.
Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 ExportFacts facts);

} // namespace tessera::session
