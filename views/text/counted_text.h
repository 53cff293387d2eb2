// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace tessera::views {

// How many there are of what, in groups of digits: "1 stage", "1,024 stages". English has its
// singular in the source, so that it needs no translation; other languages go by the number.
QString funcsText(std::int64_t count);
QString stagesText(std::int64_t count);
QString edgesText(std::int64_t count);
QString blocksText(std::int64_t count);

// The number that a plural goes by: Qt takes an int, and languages look at the last digits.
int numerus(std::int64_t count);

} // namespace tessera::views
