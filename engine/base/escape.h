// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// A value as one printable line, and back: control characters and backslashes become \xHH.
std::string escaped(std::string_view text);
std::string unescaped(std::string_view text);

// For a message: names and texts of others may hold anything. What is neither printable nor UTF-8
// becomes '?'.
std::string printable(std::string_view text);

} // namespace tessera
