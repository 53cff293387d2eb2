// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/legality.h"

#include "engine/schedule/rules/rules.h"
#include "engine/schedule/rules/rules_structure.h"

#include <algorithm>
#include <array>

namespace tessera::schedule {

namespace {

constexpr std::array<std::string_view, kRules> kNames{"nest_whole",
                                                      "factor_divides",
                                                      "output_at_root",
                                                      "extern_stage",
                                                      "inline_is_pure",
                                                      "index_bounds",
                                                      "place_exists",
                                                      "place_encloses",
                                                      "place_between_blocks",
                                                      "vector_innermost",
                                                      "bounded_in_kernel",
                                                      "opaque_holds",
                                                      "store_apart",
                                                      "region_promise",
                                                      "shared_loops",
                                                      "host_loop_in_kernel",
                                                      "blocks_in_kernel",
                                                      "threads_in_thread",
                                                      "threads_without_blocks",
                                                      "blocks_outermost",
                                                      "lanes_innermost",
                                                      "block_dimensions",
                                                      "thread_dimensions",
                                                      "threads_per_block",
                                                      "grid_limit",
                                                      "constant_extent",
                                                      "unroll_size",
                                                      "vector_width",
                                                      "vector_tail",
                                                      "vector_halves",
                                                      "vector_bytes",
                                                      "storage_depth",
                                                      "storage_bound",
                                                      "shared_memory",
                                                      "shared_reuse",
                                                      "local_memory",
                                                      "frame_alignment",
                                                      "parallel_reduction",
                                                      "atomic_type",
                                                      "atomic_proof",
                                                      "reduction_order",
                                                      "tail_overruns",
                                                      "half_guarded",
                                                      "blend_races",
                                                      "register_cap"};

} // namespace

std::string_view name(Rule rule) { return kNames[static_cast<std::size_t>(rule)]; }

std::vector<Violation> checkWithin(const Schedule &schedule, const machine::Limits &limits) {
  std::vector<Violation> violations;
  const std::vector<pipeline::FuncId> funcs = schedule.pipeline()->allFuncs();
  const RuleContext context(schedule, funcs, limits, violations);
  checkSettings(context);
  checkStructure(context);
  if (violations.empty()) checkMeasured(context, Bounds(schedule));
  return violations;
}

std::vector<Violation> check(const Schedule &schedule, const machine::Machine &machine) {
  return checkWithin(schedule, machine.limits);
}

bool isSound(const Schedule &schedule) {
  std::vector<Violation> violations;
  const std::vector<pipeline::FuncId> funcs = schedule.pipeline()->allFuncs();
  checkStructure(RuleContext(schedule, funcs, {}, violations));
  return violations.empty();
}

bool isLegal(const Schedule &schedule, const machine::Machine &machine) {
  return check(schedule, machine).empty();
}

} // namespace tessera::schedule
