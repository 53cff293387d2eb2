// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/freeze_text.h"

#include "engine/schedule/text/decision_text.h"

#include <QCoreApplication>

namespace tessera::views {

namespace {
struct FreezeWords {
  Q_DECLARE_TR_FUNCTIONS(Freezing)
};
} // namespace

QString freezeText(const schedule::Schedule &schedule,
                   const std::vector<schedule::DecisionKey> &decisions, const QString &of) {
  const std::size_t frozen = frozenAmong(schedule, decisions);
  if (frozen == 0) return FreezeWords::tr("Freeze %1").arg(of);
  if (frozen == decisions.size()) return FreezeWords::tr("Unfreeze %1").arg(of);
  return FreezeWords::tr("Unfreeze %1 (%2 of %3 Are Frozen)")
      .arg(of)
      .arg(frozen)
      .arg(decisions.size());
}

bool freezes(const schedule::Schedule &schedule,
             const std::vector<schedule::DecisionKey> &decisions) {
  return frozenAmong(schedule, decisions) == 0;
}

} // namespace tessera::views
