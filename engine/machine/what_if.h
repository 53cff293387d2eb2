// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace tessera::machine {

// Makes a copy of a machine whose numbers the user may change, for example to try more shared
// memory or a faster DRAM. Its name ends with "-what-if", so that no result is taken for that of a
// real GPU.
Machine whatIfOf(const Machine &machine);
bool isWhatIf(std::string_view name);
// The name of the machine of which `name` is a copy; empty if `name` does not name a copy.
std::optional<std::string> originalOf(std::string_view name);

// Changes one number of a copy. `field` is the number's name in files. The number's source becomes
// "what if". Fails for an unknown field, and for a value that is not allowed; the hint of that
// error says which values are.
Result<Machine> withValue(Machine machine, std::string_view field, double value);
// Sets a number to its value in another machine, with the source of that value.
Machine withValueOf(Machine machine, std::string_view field, const Machine &other);

} // namespace tessera::machine
