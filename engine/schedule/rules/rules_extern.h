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
// Why a func that an extern stage reads stays a kernel of its own. Empty for other funcs.
std::string whyWhole(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

} // namespace tessera::schedule
