// SPDX-License-Identifier: MIT
#include "engine/schedule/legality.h"

#include "engine/schedule/rules.h"

#include <array>

namespace tessera::schedule {

namespace {

constexpr std::array<std::string_view, kRules> kNames{
    "nest_whole",           "factor_positive",
    "output_at_root",       "inline_is_pure",
    "place_exists",         "place_encloses",
    "place_between_blocks", "place_in_vector",
    "store_encloses",       "store_apart",
    "host_loop_in_kernel",  "blocks_in_kernel",
    "threads_in_thread",    "threads_without_blocks",
    "blocks_outermost",     "lanes_innermost",
    "block_dimensions",     "thread_dimensions",
    "threads_per_block",    "grid_limit",
    "constant_extent",      "unroll_size",
    "vector_width",         "storage_depth",
    "shared_memory",        "local_memory",
    "parallel_reduction",   "atomic_type",
    "atomic_proof",         "reduction_order",
    "tail_overruns",        "register_cap"};

// ptxas takes no cap below 16; above 255 there are no registers to have.
constexpr int kLeastCap = 16;

void checkSettings(const RuleContext &context) {
  const int cap = context.schedule.settings().registerCap;
  if (cap < kLeastCap || cap > context.limits.registersPerThread)
    context.refuse(Rule::RegisterCap, pipeline::FuncId{}, DecisionKind::RegisterCap,
                   "a register cap of " + std::to_string(cap),
                   std::to_string(kLeastCap) + " to " +
                       std::to_string(context.limits.registersPerThread));
}

} // namespace

std::string_view name(Rule rule) { return kNames[static_cast<std::size_t>(rule)]; }

std::vector<Violation> check(const Schedule &schedule, const machine::Machine &machine) {
  std::vector<Violation> violations;
  const RuleContext context(schedule, machine.limits, violations);
  checkSettings(context);
  checkStructure(context);
  if (!violations.empty()) return violations;
  const Shape shape(schedule);
  checkPlaces(context, shape);
  checkNests(context, shape);
  checkReductions(context, shape);
  checkKernels(context, shape);
  return violations;
}

bool isLegal(const Schedule &schedule, const machine::Machine &machine) {
  return check(schedule, machine).empty();
}

} // namespace tessera::schedule
