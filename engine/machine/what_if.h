// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace tessera::machine {

// Copies of a machine whose numbers the user may change, for example to have more shared memory or
// a faster DRAM. The name shows it ("h200-what-if"), so that no result is taken for that of a real
// GPU.
Machine whatIfOf(const Machine &machine);
bool isWhatIf(std::string_view name);
// The name of the machine from which the machine `name` was copied. Empty if it is no copy.
std::optional<std::string> originalOf(std::string_view name);

// Changes one number of a copy, by its name in files. Its source then tells the old value. Fails
// for a value that is not allowed, with an error that names the allowed ones.
Result<Machine> withValue(Machine machine, std::string_view field, double value);
// Sets a number to its value in another machine, with the source of that value.
Machine withValueOf(Machine machine, std::string_view field, const Machine &other);

} // namespace tessera::machine
