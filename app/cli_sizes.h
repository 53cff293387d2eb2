// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_schedule.h"
#include "engine/machine/machine.h"

#include <optional>
#include <string>

namespace tessera::app {

// schedule FILE --sizes … --sizes …: one for each set of sizes, and what that is worth. `format` is
// that of the files to write; none: nothing is written.
int searchForSizes(const SearchOptions &options, FileOpener &opener,
                   const machine::Machine &machine, const std::optional<std::string> &format);

} // namespace tessera::app
