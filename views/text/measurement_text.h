// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document.h"

#include <QString>

namespace tessera::views {

// Numbers of a measurement as all panels say them: those that `tessera-cli bench` prints.

QString timeText(double seconds); // "22.6 µs"
// "22.6 µs measured on NVIDIA H200", or a text that says that its outputs were not checked.
QString measuredText(const measure::KeptMeasurement &measurement);
// "1700 MHz, memory 2600 MHz, held back: power limit"
QString clocksText(const bench::DeviceState &state);
// "equal, by OpenCL", "DIFFERENT, on the CPU".
QString checkedText(const document::KeptVerification &verification);
// The number of compared elements, and how many of them differ.
QString verifiedText(const document::KeptVerification &verification);
// "fresh", "stale: for another pipeline or size"
QString freshnessText(measure::Freshness freshness);

} // namespace tessera::views
