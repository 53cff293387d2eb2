// SPDX-License-Identifier: MIT
#include "engine/cost/prediction.h"

#include "engine/cost/predictor.h"
#include "engine/pipeline/measures.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::cost {

using pipeline::FuncId;
using pipeline::InputId;
using pipeline::Pipeline;
using pipeline::Producer;
using schedule::Schedule;

namespace {

// Bytes that a run touches in global memory. The second-level cache would have to hold them all for
// the next run, or the next kernel, to find them there.
double workingSet(const Schedule &schedule) {
  const Pipeline &pipeline = *schedule.pipeline();
  double bytes = 0;
  const auto add = [&](Producer producer) {
    if (const auto size = pipeline::regionBytes(pipeline, producer))
      bytes += static_cast<double>(*size);
  };
  for (std::uint32_t i = 0; i < pipeline.inputs().size(); ++i)
    if (!pipeline.input(InputId{i}).isScalar) add(Producer::input(InputId{i}));
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f)
    if (schedule.plan(FuncId{f}).isRoot()) add(Producer::func(FuncId{f}));
  return bytes;
}

} // namespace

std::optional<report::AssemblerReport> assembledOf(const Pipeline &pipeline, const KernelLoad &load,
                                                   std::span<const report::KernelReport> compiled) {
  const pipeline::Stage &stage = pipeline.stage(load.stage);
  const report::KernelStage owner{pipeline.func(stage.func).name, stage.index};
  for (const report::KernelReport &kernel : compiled)
    if (!kernel.stages.empty() && kernel.stages.front() == owner) return kernel.assembler;
  return std::nullopt;
}

std::string unknownTimes(const Pipeline &pipeline) {
  std::string names;
  std::size_t count = 0;
  for (const pipeline::Func &func : pipeline.funcs())
    if (func.externCall) names += (count++ == 0 ? "" : ", ") + func.name;
  if (count == 0) return {};
  return std::string("without the extern stage") + (count == 1 ? " " : "s ") + names +
         ": how long " + (count == 1 ? "its function takes" : "their functions take") +
         ", and copies between host and GPU around " + (count == 1 ? "it" : "them") +
         ", is not known";
}

// A working set of up to half the cache stays in it completely. With 1.5 times the cache or more,
// all data are dropped before they are read again.
double fromDramOf(double workingSet, const machine::Machine &machine) {
  return std::clamp(workingSet / static_cast<double>(machine.memory.l2Bytes) - 0.5, 0.0, 1.0);
}

double fromDramOf(const Schedule &schedule, const machine::Machine &machine) {
  return fromDramOf(workingSet(schedule), machine);
}

Prediction predict(const Schedule &schedule, const machine::Machine &machine,
                   std::span<const report::KernelReport> compiled) {
  Predictor predictor(machine);
  predictor.predict(schedule, compiled);
  return std::move(predictor).take();
}

Glance glanceOf(const Prediction &prediction) {
  Glance glance{prediction.seconds};
  for (const Prediction::Kernel &kernel : prediction.kernels) {
    glance.mostShared = std::max(glance.mostShared, kernel.load.sharedBytes);
    for (const StageLoad &stage : kernel.load.stages)
      glance.longestBody = std::max(glance.longestBody, stage.arithmetic.all() + stage.loads);
  }
  return glance;
}

} // namespace tessera::cost
