// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/counted_text.h"

#include "views/text/stage_summary.h"

#include <QCoreApplication>

namespace tessera::views {

namespace {

struct Counted {
  Q_DECLARE_TR_FUNCTIONS(Counted)
};

} // namespace

QString funcsText(std::int64_t count) {
  return count == 1 ? Counted::tr("1 func")
                    : Counted::tr("%1 funcs", nullptr, numerus(count)).arg(countText(count));
}

QString stagesText(std::int64_t count) {
  return count == 1 ? Counted::tr("1 stage")
                    : Counted::tr("%1 stages", nullptr, numerus(count)).arg(countText(count));
}

QString edgesText(std::int64_t count) {
  return count == 1 ? Counted::tr("1 edge")
                    : Counted::tr("%1 edges", nullptr, numerus(count)).arg(countText(count));
}

QString blocksText(std::int64_t count) {
  return count == 1 ? Counted::tr("1 block")
                    : Counted::tr("%1 blocks", nullptr, numerus(count)).arg(countText(count));
}

QString warpsText(std::int64_t count) {
  return count == 1 ? Counted::tr("1 warp")
                    : Counted::tr("%1 warps", nullptr, numerus(count)).arg(countText(count));
}

int numerus(std::int64_t count) {
  constexpr std::int64_t kRound = 1'000'000;
  return static_cast<int>(count < kRound ? count : kRound + count % kRound);
}

} // namespace tessera::views
