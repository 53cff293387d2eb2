// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/quantity_text.h"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>
#include <utility>
#include <vector>

namespace tessera::views {

namespace {

using Scale = std::vector<std::pair<QString, double>>; // the largest first

const Scale &scaleOf(const QString &unit) {
  static const Scale bytes{{QStringLiteral("GiB"), 1024.0 * 1024 * 1024},
                           {QStringLiteral("MiB"), 1024.0 * 1024},
                           {QStringLiteral("KiB"), 1024.0},
                           {QStringLiteral("B"), 1.0}};
  static const Scale rates{{QStringLiteral("TB/s"), 1e12},
                           {QStringLiteral("GB/s"), 1e9},
                           {QStringLiteral("MB/s"), 1e6},
                           {QStringLiteral("B/s"), 1.0}};
  static const Scale hertz{{QStringLiteral("GHz"), 1e9},
                           {QStringLiteral("MHz"), 1e6},
                           {QStringLiteral("kHz"), 1e3},
                           {QStringLiteral("Hz"), 1.0}};
  static const Scale seconds{{QStringLiteral("s"), 1.0},
                             {QStringLiteral("ms"), 1e-3},
                             {QStringLiteral("µs"), 1e-6},
                             {QStringLiteral("ns"), 1e-9}};
  static const Scale none{{QString(), 1.0}};
  if (unit == QLatin1String("bytes")) return bytes;
  if (unit == QLatin1String("bytes/s")) return rates;
  if (unit == QLatin1String("Hz")) return hertz;
  if (unit == QLatin1String("s")) return seconds;
  return none;
}

// Ten digits: enough for the numbers of a GPU's description, and few enough to hide the rounding
// errors of a division.
QString digits(double value) { return QString::number(value, 'g', 10); }

} // namespace

QString quantityText(double value, const QString &unit) {
  for (const auto &[name, factor] : scaleOf(unit)) {
    if (name.isEmpty() || std::abs(value) < factor) continue;
    return digits(value / factor) + ' ' + name;
  }
  const QString name = scaleOf(unit).back().first;
  return name.isEmpty() ? digits(value) : digits(value / scaleOf(unit).back().second) + ' ' + name;
}

std::optional<double> parseQuantity(const QString &text, const QString &unit) {
  static const QRegularExpression form(
      QStringLiteral("^([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\\s*([^0-9]*)$"));
  const auto match = form.match(text.simplified().remove(' ').remove(','));
  bool isNumber = false;
  const double number = match.captured(1).toDouble(&isNumber);
  if (!match.hasMatch() || !isNumber) return std::nullopt;
  QString name = match.captured(2);
  if (name.isEmpty()) return number;
  if (name == QLatin1String("us")) name = QStringLiteral("µs");
  for (const auto &[known, factor] : scaleOf(unit))
    if (!known.isEmpty() && known.compare(name, Qt::CaseInsensitive) == 0) return number * factor;
  return std::nullopt;
}

} // namespace tessera::views
