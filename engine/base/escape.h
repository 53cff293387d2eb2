// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// Turns a value into one printable line and back. Control characters and backslashes become \xHH.
std::string escaped(std::string_view text);
std::string unescaped(std::string_view text);

// For messages, since names and texts from outside may contain anything: characters that are not
// printable or not UTF-8 become '?'.
std::string printable(std::string_view text);

} // namespace tessera
