// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules.h"

#include "engine/schedule/rules/rules_bytes.h"
#include "engine/schedule/rules/rules_extern.h"
#include "engine/schedule/rules/rules_frames.h"
#include "engine/schedule/rules/rules_halves.h"
#include "engine/schedule/rules/rules_kernel.h"
#include "engine/schedule/rules/rules_nest.h"
#include "engine/schedule/rules/rules_opaque.h"
#include "engine/schedule/rules/rules_place.h"
#include "engine/schedule/rules/rules_reduction.h"
#include "engine/schedule/rules/rules_shared.h"
#include "engine/schedule/rules/rules_sizes.h"
#include "engine/schedule/rules/rules_together.h"
#include "engine/schedule/bounds/kept_storage.h"

#include <string>

namespace tessera::schedule {

namespace {

// ptxas takes no cap below 16, and a thread has at most 255 registers.
constexpr int kLeastCap = 16;

} // namespace

void checkSettings(const RuleContext &context) {
  const int cap = context.schedule.settings().registerCap;
  if (cap < kLeastCap || cap > context.limits.registersPerThread)
    context.refuse(Rule::RegisterCap, pipeline::FuncId{}, DecisionKind::RegisterCap,
                   "the register cap is " + std::to_string(cap),
                   std::to_string(kLeastCap) + " to " +
                       std::to_string(context.limits.registersPerThread));
}

void checkMeasured(const RuleContext &context, const Bounds &bounds) {
  checkExterns(context);
  checkOpaque(context);
  checkPlaces(context, bounds);
  checkNests(context, bounds);
  checkHalves(context, bounds);
  checkBytes(context, bounds);
  checkReductions(context, bounds);
  checkTogether(context, bounds);
  const KeptStorage kept(context.schedule, bounds, context.funcs);
  checkSizes(context, bounds, kept);
  checkKernels(context, bounds, kept);
  checkShared(context, bounds, kept);
  checkFrames(context, bounds, kept);
}

} // namespace tessera::schedule
