// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tessera::views {

// A change as a part of what it changes, for a person: "−12 %", "+3.4 %", "±0 %".
QString changeText(double change);

// Smaller ones are none: they round to nothing.
inline constexpr double kLeastChange = 0.0005;

} // namespace tessera::views
