// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::document {

// What a schedule as a file for others says of itself. Notes are for people; JSON has none.
struct ScheduleFacts {
  std::string machine, version;
  std::optional<double> predictedMilliseconds;
  std::vector<std::string> notes;
};

// "h", "py" or "json".
Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const ScheduleFacts &facts);

// By the end of a file's name; nothing where that says none.
std::optional<std::string> formatOf(const std::string &path);

} // namespace tessera::document
