// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::chart {

// Quantities as texts for the user. Where the examples show no other form, they have three
// significant digits.
std::string withPrefix(double value, const char *unit); // "4.02 TB/s" of 4.02e12 and "B/s"
std::string roundText(double value);                    // "50 T", for round numbers
std::string timeText(double seconds);                   // "22.6 µs"
std::string timesText(double factor);                   // "1.53", "15.3", "153"
std::string wholeText(double value);                    // "22,772"
std::string percentText(double part);                   // "62 %" of 0.62, "< 1 %"
std::string gainText(double before, double now); // "+62 %": the gain from one time to another
std::string plainText(double value);             // "0.02", "0.5", "20", for round numbers
std::string rounded(double value, int digits);   // "0.50" of 0.5 and 2

} // namespace tessera::chart
