// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::document {

// The facts about a schedule that its exported C++ or Python file states. JSON files state none of
// them. Notes are for human readers.
struct ScheduleFacts {
  std::string machine, version;
  std::optional<double> predictedMilliseconds;
  std::vector<std::string> notes;
};

// `format` is "h", "py" or "json".
Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const ScheduleFacts &facts);

// The format for a file name, by its extension; nullopt if the extension is unknown.
std::optional<std::string> formatOf(const std::string &path);

} // namespace tessera::document
