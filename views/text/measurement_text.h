// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document.h"

#include <QString>

namespace tessera::views {

// Texts for the numbers of a measurement, which all panels use: the numbers that `tessera-cli
// bench` prints.

QString timeText(double seconds); // "22.6 µs"
// "22.6 µs measured on NVIDIA H200", or a text that says that its outputs were not checked.
QString measuredText(const measure::KeptMeasurement &measurement);
// Why the time of a measurement does not count.
QString unverifiedText(const bench::Measurement &times);
// "1700 MHz, memory 2600 MHz, throttled: power limit"
QString clocksText(const bench::DeviceState &state);
// ", judged with the tolerance rel=0.001", to be said beside a verdict or a time; empty if the user
// gave no tolerance.
QString givenText(const report::GivenTolerance &given);
QString verdictText(report::Verdict verdict); // "equal", "DIFFERENT", "undecided"
// "equal, by OpenCL", "DIFFERENT, on the CPU".
QString checkedText(const document::KeptVerification &verification);
// The number of compared elements, and how many of them differ.
QString verifiedText(const document::KeptVerification &verification);
// "fresh", "stale: for another pipeline or size"
QString freshnessText(measure::Freshness freshness);

} // namespace tessera::views
