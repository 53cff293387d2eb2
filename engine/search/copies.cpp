// SPDX-License-Identifier: MIT
#include "engine/search/copies.h"

#include "engine/schedule/shape.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::FuncPlan;
using schedule::Place;
using schedule::Schedule;
using schedule::Wrapper;

namespace {

bool isGlobal(const Schedule &schedule, Producer producer) {
  if (producer.kind == Producer::Kind::Input)
    return !schedule.pipeline()->input(static_cast<pipeline::InputId>(producer.index)).isScalar;
  return schedule.plan(static_cast<FuncId>(producer.index)).isRoot();
}

// What a func reads of global memory more than once in an evaluation.
std::vector<Producer> readAgain(const Schedule &schedule, FuncId reader) {
  std::vector<Producer> again;
  for (const Stage &stage : schedule.pipeline()->stagesOf(reader))
    for (const pipeline::Access &load : stage.loads) {
      const bool isNew = std::ranges::find(again, load.producer) == again.end();
      if (isNew && load.producer != Producer::func(reader) && isGlobal(schedule, load.producer) &&
          std::ranges::count(stage.loads, load.producer, &pipeline::Access::producer) > 1)
        again.push_back(load.producer);
    }
  return again;
}

bool hasFunc(const Pipeline &pipeline, const std::string &name) {
  return std::ranges::find(pipeline.funcs(), name, &pipeline::Func::name) != pipeline.funcs().end();
}

// As Halide names them.
std::string copyName(const Pipeline &pipeline, const std::string &of, const std::string &reader) {
  for (int n = 0;; ++n)
    if (std::string name = of + "_in_" + reader + "$" + std::to_string(n); !hasFunc(pipeline, name))
      return name;
}

// Funcs whose evaluations are the output's own, through inlining.
std::vector<FuncId> inlinedInto(const Schedule &schedule, FuncId output) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<FuncId> funcs{output};
  for (std::size_t f = 0; f < funcs.size(); ++f)
    for (const Stage &stage : pipeline.stagesOf(funcs[f]))
      for (const pipeline::Access &load : stage.loads) {
        if (load.producer.kind != Producer::Kind::Func) continue;
        const auto func = static_cast<FuncId>(load.producer.index);
        if (schedule.plan(func).isInline() && std::ranges::find(funcs, func) == funcs.end())
          funcs.push_back(func);
      }
  return funcs;
}

} // namespace

WithCopies withCopies(const Schedule &schedule, const std::vector<FuncId> &outputs,
                      std::size_t most) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<Wrapper> copies;
  std::set<FuncId> done;
  for (const FuncId output : outputs)
    for (const FuncId reader : inlinedInto(schedule, output)) {
      if (!done.insert(reader).second) continue;
      for (const Producer producer : readAgain(schedule, reader)) {
        const std::string &of = pipeline.producerName(producer);
        const std::string &in = pipeline.func(reader).name;
        copies.push_back({copyName(pipeline, of, in), of, {in}});
      }
    }
  if (copies.size() > most) copies.resize(most);

  WithCopies result{schedule, {}};
  std::set<std::string> readers;
  for (const Wrapper &copy : copies) {
    if (!result.schedule.add(copy)) continue; // of an input whose size nobody knows
    const Pipeline &now = *result.schedule.pipeline();
    const auto added = std::ranges::find(now.funcs(), copy.name, &pipeline::Func::name);
    const auto func = static_cast<FuncId>(added - now.funcs().begin());
    FuncPlan plan = result.schedule.plan(func);
    plan.compute = Place::inlined();
    result.schedule.set(func, std::move(plan));
    readers.insert(copy.consumers.front());
  }
  const Pipeline &now = *result.schedule.pipeline();
  for (std::size_t f = 0; f < now.funcs().size(); ++f)
    if (readers.contains(now.funcs()[f].name)) result.readers.push_back(static_cast<FuncId>(f));
  return result;
}

Schedule withoutIdleCopies(const Schedule &schedule) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::set<std::string> idle;
  for (const schedule::Derivation &derivation : schedule.derivations()) {
    const auto *copy = std::get_if<Wrapper>(&derivation);
    if (!copy) continue;
    const auto func = std::ranges::find(pipeline.funcs(), copy->name, &pipeline::Func::name);
    if (schedule.plan(static_cast<FuncId>(func - pipeline.funcs().begin())).isInline())
      idle.insert(copy->name);
  }
  Schedule without = schedule;
  return idle.empty() || !without.drop(idle) ? schedule : without;
}

} // namespace tessera::search
