// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/normal_form.h"

#include "engine/schedule/directives/completed_storage.h"
#include "engine/schedule/directives/partitions.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/rules/legality.h"

#include <algorithm>
#include <utility>

namespace tessera::schedule {

using pipeline::StageId;

namespace {

// Storage per thread is always private: in registers, or on the stack if these do not suffice.
// Halide 21 makes the same code with or without store_in, but with store_in it has to prove the
// size.
void removePrivateStorage(Schedule &schedule) {
  if (!isSound(schedule)) return;
  const Bounds bounds(schedule);
  for (std::size_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const auto id = static_cast<pipeline::FuncId>(f);
    const Storage storage = schedule.plan(id).storage;
    if (storage != Storage::Registers && storage != Storage::Stack) continue;
    if (bounds.of(id).storeDepth != Depth::Thread) continue;
    FuncPlan plan = schedule.plan(id);
    plan.storage = Storage::Auto;
    schedule.set(id, std::move(plan));
  }
}

void removeAddedPartitioning(Schedule &schedule) {
  for (std::size_t s = 0; s < schedule.pipeline()->stages().size(); ++s) {
    const auto id = static_cast<StageId>(s);
    const pipeline::Stage &stage = schedule.pipeline()->stage(id);
    StagePlan said = schedule.plan(id);
    if (said.neverPartition && partitionsWrongly(schedule, id)) said.neverPartition = false;
    removeNeverPartition(said.opaque, schedule, id);
    if (said == schedule.plan(id)) continue;
    FuncPlan plan = schedule.plan(stage.func);
    plan.stages[stage.index] = std::move(said);
    schedule.set(stage.func, std::move(plan));
  }
}

// Under fused loops, lower() calls the registers of a block the stack of a thread.
Storage decidedStorage(Storage said) { return said == Storage::Stack ? Storage::Registers : said; }

// Removes the bounds that lower() adds, if something else is decided about the func's storage, too.
// If a func has nothing but bounds, they stay, because they are a decision: lower() then adds no
// padding.
void removeAddedBounds(Schedule &schedule, pipeline::FuncId id) {
  const std::vector<StorageDim> decided = schedule.plan(id).storageDims;
  FuncPlan plan = schedule.plan(id);
  plan.storage = decidedStorage(plan.storage);
  for (StorageDim &dim : plan.storageDims)
    dim.bound = 0;
  Schedule without = schedule;
  without.set(id, plan);
  const auto completed = completedStorage(without);
  const auto found = completed.find(id);
  if (found == completed.end() || found->second.storage != schedule.plan(id).storage) return;
  for (std::size_t d = 0; d < decided.size(); ++d)
    if (found->second.dims[d] != decided[d]) plan.storageDims[d].bound = decided[d].bound;
  const auto saysSomething = [](const StorageDim &dim) { return dim != StorageDim{}; };
  if (std::ranges::any_of(plan.storageDims, saysSomething)) schedule.set(id, std::move(plan));
}

void removeAddedStorage(Schedule &schedule) {
  std::vector<pipeline::FuncId> stored;
  for (std::size_t f = 0; f < schedule.pipeline()->funcs().size(); ++f)
    if (!schedule.plan(static_cast<pipeline::FuncId>(f)).storageDims.empty())
      stored.push_back(static_cast<pipeline::FuncId>(f));
  if (stored.empty()) return;
  Schedule plain = schedule;
  for (const pipeline::FuncId id : stored) {
    FuncPlan plan = schedule.plan(id);
    plan.storage = decidedStorage(plan.storage);
    plan.storageDims.clear();
    plain.set(id, std::move(plan));
  }
  const auto completed = completedStorage(plain);
  for (const pipeline::FuncId id : stored) {
    const auto found = completed.find(id);
    const CompletedStorage said{schedule.plan(id).storage, schedule.plan(id).storageDims};
    if (found != completed.end() && found->second == said)
      schedule.set(id, plain.plan(id));
    else
      removeAddedBounds(schedule, id);
  }
}

} // namespace

void normalise(Schedule &schedule) {
  removePrivateStorage(schedule);
  removeAddedStorage(schedule);
  removeAddedPartitioning(schedule);
}

} // namespace tessera::schedule
