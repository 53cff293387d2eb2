// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tessera::views {

// A relative change as text: "−12 %", "+3.4 %", "±0 %".
QString changeText(double change);

// Smaller changes round to zero and count as no change.
inline constexpr double kLeastChange = 0.0005;

} // namespace tessera::views
