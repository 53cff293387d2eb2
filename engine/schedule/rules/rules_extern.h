// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

#include <string>

namespace tessera::schedule {

// An extern stage is a call on the host: nothing is decided about it, nothing is computed in its
// loops, and what it reads is computed and stored whole, in the layout that its function expects.
void checkExterns(const RuleContext &context);

// Why no decision of an extern stage can be changed. Empty for other funcs.
std::string whyUndecided(const pipeline::Func &func);

} // namespace tessera::schedule
