// SPDX-License-Identifier: MIT
#include "engine/search/kernels/copies.h"

#include "engine/schedule/bounds/bounds.h"

#include <algorithm>
#include <set>

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

// The producers in global memory that a func reads more than once in one evaluation.
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

std::string unusedName(const Pipeline &pipeline, const std::string &start) {
  for (int n = 0;; ++n)
    if (std::string name = start + "$" + std::to_string(n); !hasFunc(pipeline, name)) return name;
}

// Copies get the names that Halide would give them. An empty `reader` means all readers.
Wrapper copyOf(const Pipeline &pipeline, const std::string &of, const std::string &reader = {}) {
  if (reader.empty()) return {unusedName(pipeline, of + "_global_wrapper"), of, {}};
  return {unusedName(pipeline, of + "_in_" + reader), of, {reader}};
}

// Adds those copies that are possible. `around` has, for each copy, the name of the func to place
// again.
WithCopies with(const Schedule &schedule, const std::vector<Wrapper> &copies,
                const std::vector<std::string> &around) {
  WithCopies result{schedule, {}};
  const std::vector<schedule::Derivation> derivations(copies.begin(), copies.end());
  if (copies.empty() || !result.schedule.addPossible(derivations)) return result;
  std::set<std::string> names;
  for (std::size_t c = 0; c < copies.size(); ++c) {
    const Pipeline &pipeline = *result.schedule.pipeline();
    if (!hasFunc(pipeline, copies[c].name)) continue; // an input of unknown size
    const FuncId func = funcNamed(pipeline, copies[c].name);
    FuncPlan plan = result.schedule.plan(func);
    plan.compute = Place::inlined();
    result.schedule.set(func, std::move(plan));
    names.insert(around[c]);
  }
  for (const std::string &name : names)
    result.around.push_back(funcNamed(*result.schedule.pipeline(), name));
  std::ranges::sort(result.around);
  return result;
}

bool isSum(const Pipeline &pipeline, FuncId func) {
  return std::ranges::any_of(pipeline.stagesOf(func), [&](const Stage &stage) {
    return std::ranges::find(stage.loads, Producer::func(func), &pipeline::Access::producer) !=
           stage.loads.end();
  });
}

} // namespace

std::vector<FuncId> withItsInlined(const Schedule &schedule, FuncId output) {
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

WithCopiesOf withCopiesOf(const Schedule &schedule, const std::vector<ReadOf> &reads) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<Wrapper> copies;
  std::vector<std::string> readers;
  for (const ReadOf &read : reads) {
    readers.push_back(pipeline.func(read.reader).name);
    copies.push_back(copyOf(pipeline, pipeline.producerName(read.producer), readers.back()));
  }
  WithCopiesOf result{with(schedule, copies, readers).schedule, {}};
  for (const Wrapper &copy : copies)
    if (hasFunc(*result.schedule.pipeline(), copy.name))
      result.copies.push_back(funcNamed(*result.schedule.pipeline(), copy.name));
  std::ranges::sort(result.copies);
  return result;
}

WithCopies withCopiesOfReads(const Schedule &schedule, const std::vector<FuncId> &outputs,
                             std::size_t most) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<Wrapper> copies;
  std::vector<std::string> readers;
  std::set<FuncId> done;
  for (const FuncId output : outputs)
    for (const FuncId reader : withItsInlined(schedule, output)) {
      if (!done.insert(reader).second) continue;
      for (const Producer producer : readAgain(schedule, reader)) {
        if (copies.size() == most) break;
        readers.push_back(pipeline.func(reader).name);
        copies.push_back(copyOf(pipeline, pipeline.producerName(producer), readers.back()));
      }
    }
  return with(schedule, copies, readers);
}

WithCopies withCopiesOfSums(const Schedule &schedule, const std::vector<FuncId> &outputs,
                            std::size_t most) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<Wrapper> copies;
  std::vector<std::string> sums;
  for (const FuncId output : outputs) {
    if (copies.size() == most) break;
    const pipeline::Func &func = pipeline.func(output);
    if (func.isOutput || !isSum(pipeline, output)) continue;
    // A func has a kernel per stage, so it can occur twice.
    if (std::ranges::find(sums, func.name) != sums.end()) continue;
    sums.push_back(func.name);
    copies.push_back(copyOf(pipeline, func.name));
  }
  return with(schedule, copies, sums);
}

WithCopies withCopiesForSum(const Schedule &schedule, FuncId sum) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<Producer> producers;
  for (const Stage &stage : pipeline.stagesOf(sum))
    for (const pipeline::Access &load : stage.loads)
      if (load.producer != Producer::func(sum) &&
          std::ranges::find(producers, load.producer) == producers.end())
        producers.push_back(load.producer);
  const auto isShared = [&](Producer producer) {
    if (producer.kind != Producer::Kind::Func) return false;
    const FuncId func{producer.index};
    return schedule.plan(func).isInline() &&
           std::ranges::any_of(pipeline.edgesFrom(func), [&](pipeline::EdgeId edge) {
             return pipeline.stage(pipeline.edge(edge).consumer).func != sum;
           });
  };
  std::vector<Wrapper> copies;
  for (const Producer producer : producers)
    if (isGlobal(schedule, producer) || isShared(producer))
      copies.push_back(copyOf(pipeline, pipeline.producerName(producer), pipeline.func(sum).name));
  return with(schedule, copies, std::vector<std::string>(copies.size(), pipeline.func(sum).name));
}

FuncId funcNamed(const Pipeline &pipeline, const std::string &name) {
  return static_cast<FuncId>(std::ranges::find(pipeline.funcs(), name, &pipeline::Func::name) -
                             pipeline.funcs().begin());
}

std::optional<FuncId> idleCopyOf(const Schedule &schedule, FuncId func) {
  const Pipeline &pipeline = *schedule.pipeline();
  for (const schedule::Derivation &derivation : schedule.derivations()) {
    const auto *copy = std::get_if<Wrapper>(&derivation);
    if (!copy || copy->of != pipeline.func(func).name || !copy->consumers.empty()) continue;
    const FuncId found = funcNamed(pipeline, copy->name);
    if (schedule.plan(found).isInline()) return found;
  }
  return std::nullopt;
}

Schedule withoutIdleCopies(const Schedule &schedule) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::set<std::string> idle;
  for (const schedule::Derivation &derivation : schedule.derivations()) {
    const auto *copy = std::get_if<Wrapper>(&derivation);
    if (!copy) continue;
    if (schedule.plan(funcNamed(pipeline, copy->name)).isInline()) idle.insert(copy->name);
  }
  Schedule without = schedule;
  return idle.empty() || !without.drop(idle) ? schedule : without;
}

} // namespace tessera::search
