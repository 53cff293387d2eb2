// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"

#include <optional>
#include <string>
#include <string_view>

namespace tessera::machine {

// Copies of a machine to change: what would be if it had more shared memory, a faster DRAM. Named
// as such, "h200-what-if", so that no number of one is taken for a GPU's.
Machine whatIfOf(const Machine &machine);
bool isWhatIf(std::string_view name);
// The name of the machine that it is a copy of; none: it is no copy.
std::optional<std::string> originalOf(std::string_view name);

// One number of a copy changed, by its name in files; its source says what it was. Refused with
// what would be allowed.
Result<Machine> withValue(Machine machine, std::string_view field, double value);
// The same number as another machine has it, with that one's source.
Machine withValueOf(Machine machine, std::string_view field, const Machine &other);

} // namespace tessera::machine
