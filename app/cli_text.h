// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/document/schedule_file.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::app {

// The text of an exported schedule, with this program's version in it.
Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const machine::Machine &machine,
                                 std::optional<double> predictedMilliseconds = {},
                                 std::vector<std::string> notes = {});

using document::formatOf;

} // namespace tessera::app
