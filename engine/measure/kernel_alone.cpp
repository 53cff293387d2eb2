// SPDX-License-Identifier: MIT
#include "engine/measure/kernel_alone.h"

#include "engine/cost/load/layout.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstdint>
#include <set>
#include <span>
#include <utility>

namespace tessera::measure {
namespace {

using pipeline::FuncId;
using pipeline::InputId;
using pipeline::Pipeline;
using pipeline::Producer;
using schedule::Bounds;
using schedule::Schedule;

// Halide's own memory has this alignment and more, and knows it. That of a caller it takes on
// trust.
constexpr std::int64_t kAlignment = 128;

// What a kernel computes, and what it finds in memory.
struct Members {
  std::set<FuncId> computed; // in its loops, itself included
  std::set<FuncId> found;    // computed by other kernels
  std::set<InputId> inputs;
  std::vector<FuncId> defined; // in its loops or inlined, readers first
};

Members membersOf(const Schedule &schedule, const Bounds &bounds, FuncId kernel) {
  const Pipeline &pipeline = *schedule.pipeline();
  Members members;
  for (const FuncId func : pipeline.allFuncs())
    if (!schedule.plan(func).isInline() && bounds.of(func).kernel == kernel)
      members.computed.insert(func);
  members.defined.push_back(kernel);
  std::set<FuncId> seen{kernel};
  for (std::size_t i = 0; i < members.defined.size(); ++i)
    for (const pipeline::StageId stage : pipeline.stageIdsOf(members.defined[i]))
      for (const pipeline::EdgeId edge : pipeline.edgesInto(stage)) {
        const Producer producer = pipeline.edge(edge).producer;
        if (producer.kind == Producer::Kind::Input) {
          members.inputs.insert(static_cast<InputId>(producer.index));
          continue;
        }
        const auto func = static_cast<FuncId>(producer.index);
        if (!seen.insert(func).second) continue;
        if (schedule.plan(func).isInline() || members.computed.contains(func))
          members.defined.push_back(func);
        else
          members.found.insert(func);
      }
  return members;
}

Status checkAlone(const Schedule &schedule, const Members &members, FuncId kernel) {
  const Pipeline &pipeline = *schedule.pipeline();
  const auto refused = [&](const std::string &why) {
    return Error{ErrorCode::InputRefused,
                 "The kernel of " + pipeline.func(kernel).name +
                     " cannot be a pipeline of its own: " + why,
                 "Compile and measure the whole pipeline."};
  };
  if (!schedule.plan(kernel).isRoot()) return refused("it is computed in another kernel.");
  for (const FuncId func : members.computed)
    if (pipeline.func(func).isAtBoundary())
      return refused(pipeline.func(func).name + " is handed to or made by a function of the host.");
  for (const FuncId func : pipeline.allFuncs())
    for (const schedule::StagePlan &stage : schedule.plan(func).stages) {
      if (!stage.computeWith) continue;
      const FuncId other = pipeline.stage(stage.computeWith->stage).func;
      const bool isHere = members.computed.contains(func);
      if (isHere != members.computed.contains(other))
        return refused("it shares its loops with " + pipeline.func(isHere ? other : func).name +
                       ".");
    }
  return Done{};
}

pipeline::StoredFunc storedOf(const Schedule &schedule, const Bounds &bounds, FuncId func) {
  const schedule::FuncPlan &plan = schedule.plan(func);
  pipeline::StoredFunc stored{schedule.pipeline()->func(func).name, {}, plan.layout};
  const auto box = cost::keptBox(schedule, bounds, func);
  for (std::size_t d = 0; d < box.size(); ++d)
    stored.box.push_back({box[d].min, box[d].min + cost::allocatedAlong(plan, d, box[d]) - 1});
  return stored;
}

// The buffers of an output of the pipeline, by Halide's names.
std::vector<std::string> buffersOf(const pipeline::Func &func) {
  if (func.types.size() == 1) return {func.name};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < func.types.size(); ++i)
    names.push_back(func.name + "." + std::to_string(i));
  return names;
}

// Which dimensions of a buffer of an excerpt are those of its func, innermost first. An input's are
// in the order of its storage; an output's as they were declared.
enum class BufferOf : std::uint8_t { Input, Output };

// Says of a buffer what Halide would know of the memory that it has in the whole pipeline.
void promiseLayout(KernelAlone &alone, const std::string &buffer, BufferOf kind,
                   const pipeline::StoredFunc &stored, std::span<const schedule::Extent> known) {
  alone.promises.push_back({.buffer = buffer, .hostAlignment = kAlignment});
  std::int64_t stride = 1;
  bool isKnown = true;
  for (std::size_t i = 0; i < stored.box.size(); ++i) {
    const auto place = static_cast<std::uint16_t>(i);
    const std::uint16_t func = stored.layout.empty() ? place : stored.layout[i];
    const pipeline::Interval &side = stored.box[func];
    report::Promise promise{.buffer = buffer, .dim = kind == BufferOf::Input ? place : func};
    if (known[func] == schedule::Extent::Constant) {
      promise.min = side.min;
      promise.extent = side.extent();
    }
    // In another order than the declared one, Halide cannot be told strides that a run finds out.
    const bool isOrdered = kind == BufferOf::Output && !stored.layout.empty();
    if (isKnown || isOrdered) promise.stride = stride;
    isKnown = isKnown && promise.extent;
    stride *= side.extent();
    alone.promises.push_back(std::move(promise));
  }
}

} // namespace

Result<KernelAlone> kernelAlone(const Schedule &schedule, FuncId kernel) {
  return kernelAlone(schedule, Bounds(schedule), kernel);
}

Result<KernelAlone> kernelAlone(const Schedule &schedule, const Bounds &bounds, FuncId kernel) {
  const Pipeline &pipeline = *schedule.pipeline();
  const Members members = membersOf(schedule, bounds, kernel);
  if (const Status alone = checkAlone(schedule, members, kernel); !alone) return alone.error();
  KernelAlone alone;
  alone.funcs = members.defined;
  alone.excerpt.output = storedOf(schedule, bounds, kernel);
  const pipeline::Func &output = pipeline.func(kernel);
  for (const std::string &buffer : buffersOf(output)) {
    if (output.isOutput)
      alone.buffers.push_back(buffer);
    else
      promiseLayout(alone, buffer, BufferOf::Output, alone.excerpt.output,
                    bounds.of(kernel).extents);
  }
  for (const FuncId func : members.found) {
    const auto &input = alone.excerpt.inputs.emplace_back(storedOf(schedule, bounds, func));
    for (std::size_t i = 0; i < pipeline.func(func).types.size(); ++i)
      promiseLayout(alone, pipeline::keptInputName(input.name, i), BufferOf::Input, input,
                    bounds.of(func).extents);
  }
  for (const InputId input : members.inputs)
    alone.buffers.push_back(pipeline.input(input).name);
  return alone;
}

} // namespace tessera::measure
