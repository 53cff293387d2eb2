// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_schedule.h"
#include "engine/machine/machine.h"

#include <optional>
#include <string>

namespace tessera::app {

// schedule FILE --sizes … --sizes …: one schedule for each set of sizes, and how much faster that
// is than one schedule for all sets. `format` is the format of the written files; nullopt: nothing
// is written.
int searchForSizes(const SearchOptions &options, FileOpener &opener,
                   const machine::Machine &machine, const std::optional<std::string> &format);

} // namespace tessera::app
