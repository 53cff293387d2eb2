// SPDX-License-Identifier: MIT
#include "engine/schedule/rules.h"

#include "engine/schedule/kept_storage.h"
#include "engine/schedule/rules_frames.h"
#include "engine/schedule/rules_kernel.h"
#include "engine/schedule/rules_nest.h"
#include "engine/schedule/rules_place.h"
#include "engine/schedule/rules_reduction.h"
#include "engine/schedule/rules_shared.h"

#include <string>

namespace tessera::schedule {

namespace {

// ptxas takes no cap below 16; above 255 there are no registers to have.
constexpr int kLeastCap = 16;

} // namespace

void checkSettings(const RuleContext &context) {
  const int cap = context.schedule.settings().registerCap;
  if (cap < kLeastCap || cap > context.limits.registersPerThread)
    context.refuse(Rule::RegisterCap, pipeline::FuncId{}, DecisionKind::RegisterCap,
                   "a register cap of " + std::to_string(cap),
                   std::to_string(kLeastCap) + " to " +
                       std::to_string(context.limits.registersPerThread));
}

void checkMeasured(const RuleContext &context, const Shape &shape) {
  checkPlaces(context, shape);
  checkNests(context, shape);
  checkReductions(context, shape);
  const KeptStorage kept(context.schedule, shape, context.funcs);
  checkKernels(context, shape, kept);
  checkShared(context, shape, kept);
  checkFrames(context, shape, kept);
}

} // namespace tessera::schedule
