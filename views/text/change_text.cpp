// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/change_text.h"

#include <QLocale>

#include <cmath>

namespace tessera::views {

QString changeText(double change) {
  if (std::abs(change) < kLeastChange) return QStringLiteral("±0 %");
  return (change > 0 ? QStringLiteral("+") : QStringLiteral("−")) +
         QLocale().toString(std::abs(change) * 100, 'f', std::abs(change) < 0.1 ? 1 : 0) +
         QStringLiteral(" %");
}

} // namespace tessera::views
