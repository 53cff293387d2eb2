// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::app {

// A schedule as a file for others: "h", "py" or "json". Notes are for people; JSON has none.
Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const machine::Machine &machine,
                                 std::optional<double> predictedMilliseconds = {},
                                 std::vector<std::string> notes = {});

// By the end of a file's name; nothing where that says none.
std::optional<std::string> formatOf(const std::string &path);

} // namespace tessera::app
