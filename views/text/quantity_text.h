// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace tessera::views {

// A number with a scaled unit: "48 KiB", "4.02 TB/s", "1.98 GHz", "4.8 µs". `unit` is the base
// unit: "bytes", "bytes/s", "Hz" or "s". With any other `unit` the number is a plain count.
QString quantityText(double value, const QString &unit);

// The inverse of quantityText(); also accepts a number without a unit. None: not a quantity of that
// unit.
std::optional<double> parseQuantity(const QString &text, const QString &unit);

} // namespace tessera::views
