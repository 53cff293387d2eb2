// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/schedule.h"

#include <QString>

#include <vector>

namespace tessera::views {

// What the freeze command does to these decisions: it unfreezes those that are frozen, or freezes
// all if none is frozen. "Freeze blur_x", "Unfreeze blur_x", "Unfreeze blur_x (2 of 9 Are Frozen)".
QString freezeText(const schedule::Schedule &schedule,
                   const std::vector<schedule::DecisionKey> &decisions, const QString &of);
bool freezes(const schedule::Schedule &schedule,
             const std::vector<schedule::DecisionKey> &decisions);

} // namespace tessera::views
