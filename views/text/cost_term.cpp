// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/cost_term.h"

#include "views/text/stage_summary.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <cstdint>

namespace tessera::views {

namespace {

struct CostWords {
  Q_DECLARE_TR_FUNCTIONS(CostTerm)
};

// Costs between these are shown as whole numbers, so that their digits stand below one another.
// Others have four digits.
constexpr double kLeastWhole = 1000, kMostWhole = 1e9;

} // namespace

QString costTermText(std::string_view term) {
  if (term == "valid") return CostWords::tr("Valid");
  if (term == "arithmetic") return CostWords::tr("Arithmetic");
  if (term == "memory") return CostWords::tr("Memory");
  if (term == "member_loads") return CostWords::tr("of which loads from shared memory");
  if (term == "other_loads") return CostWords::tr("of which loads from global memory");
  if (term == "stores") return CostWords::tr("of which stores");
  if (term == "tiles") return CostWords::tr("Tiles");
  if (term == "shared_bytes") return CostWords::tr("Shared memory of a block");
  if (term == "threads") return CostWords::tr("Threads of a block");
  if (term == "occupancy") return CostWords::tr("Occupancy");
  if (term == "active_threads") return CostWords::tr("Active threads");
  if (term == "active_multiprocessors") return CostWords::tr("Active multiprocessors");
  if (term == "total") return CostWords::tr("In all");
  return QString::fromUtf8(term.data(), qsizetype(term.size()));
}

QString costValueText(std::string_view term, double value) {
  if (term == "valid") return value != 0 ? CostWords::tr("yes") : CostWords::tr("no");
  if (term == "occupancy")
    return QStringLiteral("%1 %").arg(QLocale().toString(100 * value, 'f', 1));
  if (term == "shared_bytes") return bytesText(std::int64_t(value));
  const bool isWhole = value == std::floor(value) || std::abs(value) >= kLeastWhole;
  if (!isWhole || std::abs(value) >= kMostWhole) return QLocale().toString(value, 'g', 4);
  return countText(std::llround(value));
}

} // namespace tessera::views
