// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::schedule {

// Facts that a C++ schedule states in the comment at the end of a line, because no Halide call can
// express them.

// ` named "f$1_in"`: the name of the func that the line makes; empty for any other comment.
std::string nameIn(std::string_view comment);

// ` of update(1)`: the stage that the place in the line belongs to, in this example stage 2.
std::optional<std::uint32_t> stageIn(std::string_view comment);

} // namespace tessera::schedule
