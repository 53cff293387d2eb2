// SPDX-License-Identifier: MIT
#include "engine/schedule/normal_form.h"

#include "engine/schedule/kept_storage.h"
#include "engine/schedule/legality.h"
#include "engine/schedule/lost_guards.h"

#include <utility>

namespace tessera::schedule {

using pipeline::StageId;

namespace {

// What a thread keeps is its own: registers, or the stack where they do not suffice. Halide 21
// makes the same code whether told or not, but when told has to prove how much it is.
void removePrivateStorage(Schedule &schedule) {
  if (!isSound(schedule)) return;
  const Shape shape(schedule);
  for (std::size_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const auto id = static_cast<pipeline::FuncId>(f);
    const Storage storage = schedule.plan(id).storage;
    if (storage != Storage::Registers && storage != Storage::Stack) continue;
    if (shape.of(id).storeDepth != Depth::Thread) continue;
    FuncPlan plan = schedule.plan(id);
    plan.storage = Storage::Auto;
    schedule.set(id, std::move(plan));
  }
}

void removeAddedPartitioning(Schedule &schedule) {
  for (std::size_t s = 0; s < schedule.pipeline()->stages().size(); ++s) {
    const auto id = static_cast<StageId>(s);
    if (!schedule.plan(id).neverPartition || !losesGuards(schedule, id)) continue;
    const pipeline::Stage &stage = schedule.pipeline()->stage(id);
    FuncPlan plan = schedule.plan(stage.func);
    plan.stages[stage.index].neverPartition = false;
    schedule.set(stage.func, std::move(plan));
  }
}

void removeAddedStorage(Schedule &schedule) {
  Schedule plain = schedule;
  bool isAny = false;
  for (std::size_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const auto id = static_cast<pipeline::FuncId>(f);
    if (schedule.plan(id).storageDims.empty()) continue;
    FuncPlan plan = schedule.plan(id);
    plan.storageDims.clear();
    plain.set(id, std::move(plan));
    isAny = true;
  }
  if (!isAny) return;
  for (const auto &[id, added] : addedStorage(plain))
    if (schedule.plan(id).storageDims == added) schedule.set(id, plain.plan(id));
}

} // namespace

void normalise(Schedule &schedule) {
  removePrivateStorage(schedule);
  removeAddedStorage(schedule);
  removeAddedPartitioning(schedule);
}

} // namespace tessera::schedule
