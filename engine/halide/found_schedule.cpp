// SPDX-License-Identifier: MIT
#include "engine/halide/found_schedule.h"

#include <algorithm>
#include <sstream>

namespace tessera::halide {

namespace {

using Halide::LoopLevel;
using Halide::Internal::ForType;
using Halide::Internal::Function;
namespace ir = Halide::Internal;

template <typename... Parts>
std::string text(const Parts &...parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// Halide names a split loop after its ancestors ("x.xo.xi"); code calls it by its own name.
std::string own(const std::string &name) {
  const auto dot = name.rfind('.');
  return dot == std::string::npos || dot + 1 == name.size() ? name : name.substr(dot + 1);
}

std::string list(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + own(name);
  return text;
}

std::string place(const char *verb, const LoopLevel &level) {
  if (level.is_root()) return text(verb, "_root()");
  return text(verb, "_at(", level.func(), ", ", own(level.var().name()), ")");
}

void addLevels(std::vector<std::string> &out, const ir::FuncSchedule &schedule) {
  const LoopLevel &compute = schedule.compute_level(), &store = schedule.store_level(),
                  &hoist = schedule.hoist_storage_level();
  if (!compute.is_inlined()) out.push_back(place("compute", compute));
  if (!store.is_inlined() && store != compute) out.push_back(place("store", store));
  if (!hoist.is_inlined() && hoist != store && hoist != compute)
    out.push_back(place("hoist_storage", hoist));
}

void addStorage(std::vector<std::string> &out, const Function &function) {
  const ir::FuncSchedule &schedule = function.schedule();
  if (schedule.memory_type() != Halide::MemoryType::Auto)
    out.push_back(text("store_in(MemoryType::", schedule.memory_type(), ")"));
  std::vector<std::string> order;
  for (const ir::StorageDim &dim : schedule.storage_dims()) {
    order.push_back(dim.var);
    if (dim.alignment.defined())
      out.push_back(text("align_storage(", dim.var, ", ", dim.alignment, ")"));
    if (dim.bound.defined()) out.push_back(text("bound_storage(", dim.var, ", ", dim.bound, ")"));
    if (dim.fold_factor.defined())
      out.push_back(text("fold_storage(", dim.var, ", ", dim.fold_factor, ")"));
  }
  if (!order.empty() && order != function.args()) {
    out.push_back("reorder_storage(" + list(order) + ")");
  }
}

void addFuncDirectives(std::vector<std::string> &out, const Function &function) {
  const ir::FuncSchedule &schedule = function.schedule();
  addLevels(out, schedule);
  addStorage(out, function);
  for (const ir::Bound &bound : schedule.bounds()) {
    if (bound.min.defined())
      out.push_back(text("bound(", bound.var, ", ", bound.min, ", ", bound.extent, ")"));
    else if (bound.extent.defined())
      out.push_back(text("bound_extent(", bound.var, ", ", bound.extent, ")"));
    if (bound.modulus.defined())
      out.push_back(
          text("align_bounds(", bound.var, ", ", bound.modulus, ", ", bound.remainder, ")"));
  }
  for (const auto &[consumer, wrapper] : function.wrappers()) {
    // No func of its own here: its directives are told with the func that it wraps.
    const std::string handle = "in(" + consumer + ")";
    out.push_back(handle);
    for (const std::string &directive : foundDirectives(Function(wrapper), 0))
      out.push_back(handle + "." + directive);
  }
  if (schedule.memoized()) out.push_back("memoize()");
  if (schedule.async()) out.push_back("async()");
  if (schedule.ring_buffer().defined())
    out.push_back(text("ring_buffer(", schedule.ring_buffer(), ")"));
}

// The loops that the splits make out of the default ones, innermost first; adds each split.
std::vector<std::string> addSplits(std::vector<std::string> &out, const ir::StageSchedule &schedule,
                                   std::vector<std::string> loops) {
  for (const ir::Split &split : schedule.splits()) {
    const auto at =
        std::find(loops.begin(), loops.end(),
                  split.split_type == ir::Split::FuseVars ? split.inner : split.old_var);
    if (split.split_type == ir::Split::FuseVars) {
      out.push_back(text("fuse(", list({split.inner, split.outer, split.old_var}), ")"));
      if (at != loops.end()) *at = split.old_var;
      std::erase(loops, split.outer);
    } else if (split.split_type == ir::Split::RenameVar) {
      out.push_back(text("rename(", list({split.old_var, split.outer}), ")"));
      if (at != loops.end()) *at = split.outer;
    } else {
      const std::string tail =
          split.tail == Halide::TailStrategy::Auto ? "" : text(", TailStrategy::", split.tail);
      out.push_back(text("split(", list({split.old_var, split.outer, split.inner}), ", ",
                         split.factor, tail, ")"));
      if (at == loops.end()) continue;
      *at = split.outer;
      loops.insert(at, split.inner);
    }
  }
  return loops;
}

void addMark(std::vector<std::string> &out, const ir::Dim &dim) {
  const char *mark = nullptr;
  switch (dim.for_type) {
  case ForType::Parallel:
    mark = "parallel";
    break;
  case ForType::Vectorized:
    mark = "vectorize";
    break;
  case ForType::Unrolled:
    mark = "unroll";
    break;
  case ForType::GPUBlock:
    mark = "gpu_blocks";
    break;
  case ForType::GPUThread:
    mark = "gpu_threads";
    break;
  case ForType::GPULane:
    mark = "gpu_lanes";
    break;
  case ForType::Serial:
  case ForType::Extern:
    break;
  }
  if (mark) out.push_back(text(mark, "(", own(dim.var), ")"));
}

std::vector<std::string> defaultLoops(const Function &function, const ir::Definition &definition,
                                      int stage) {
  if (stage == 0) return function.args();
  std::vector<std::string> loops;
  for (const ir::ReductionVariable &variable : definition.schedule().rvars())
    loops.push_back(variable.var);
  for (std::size_t d = 0; d < function.args().size(); ++d) {
    const auto *variable = definition.args()[d].as<ir::Variable>();
    if (variable && variable->name == function.args()[d]) loops.push_back(variable->name);
  }
  return loops;
}

void addStageDirectives(std::vector<std::string> &out, const Function &function,
                        const ir::Definition &definition, int stage) {
  const ir::StageSchedule &schedule = definition.schedule();
  const std::vector<std::string> expected =
      addSplits(out, schedule, defaultLoops(function, definition, stage));
  std::vector<std::string> actual;
  for (const ir::Dim &dim : schedule.dims())
    if (dim.var != Halide::Var::outermost().name()) actual.push_back(dim.var);
  if (actual != expected) {
    out.push_back("reorder(" + list(actual) + ")");
  }
  for (const ir::Dim &dim : schedule.dims())
    addMark(out, dim);
  if (!schedule.fuse_level().level.is_inlined())
    out.push_back(place("compute_with", schedule.fuse_level().level));
  if (schedule.atomic())
    out.push_back(schedule.override_atomic_associativity_test() ? "atomic(true)" : "atomic()");
  if (schedule.allow_race_conditions()) out.push_back("allow_race_conditions()");
  for (const ir::PrefetchDirective &prefetch : schedule.prefetches())
    out.push_back(text("prefetch(", prefetch.name, ", ", prefetch.at, ", ", prefetch.from, ", ",
                       prefetch.offset, ")"));
  for (const ir::Specialization &special : definition.specializations())
    out.push_back(special.failure_message.empty()
                      ? text("specialize(", special.condition, ")")
                      : text("specialize_fail(\"", special.failure_message, "\")"));
}

} // namespace

std::vector<std::string> foundDirectives(const Function &function, int stage) {
  std::vector<std::string> out;
  if (stage == 0) addFuncDirectives(out, function);
  const ir::Definition &definition =
      stage == 0 ? function.definition() : function.update(stage - 1);
  addStageDirectives(out, function, definition, stage);
  return out;
}

} // namespace tessera::halide
