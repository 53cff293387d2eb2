// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::app {

// Three digits that count, in the unit that suits: "22.6 µs".
std::string timeText(double seconds);

} // namespace tessera::app
