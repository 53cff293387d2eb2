// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace tessera::views {

// Numbers with the units that people say: "48 KiB", "4.02 TB/s", "1.98 GHz", "4.8 µs". `unit` is
// the plain one: "bytes", "bytes/s", "Hz", "s"; anything else is a count without one.
QString quantityText(double value, const QString &unit);

// The way back, also from the plain number; none: it is no such quantity.
std::optional<double> parseQuantity(const QString &text, const QString &unit);

} // namespace tessera::views
