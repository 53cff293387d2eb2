// SPDX-License-Identifier: MIT
#include "engine/cost/roofline/roofline_work.h"

#include "engine/cost/roofline/floor.h"

#include <algorithm>
#include <utility>

namespace tessera::cost {

using machine::Machine;
using pipeline::Pipeline;

namespace {

Operations operationsOf(const Slots &slots) {
  return {slots.fp64, slots.fp32 + slots.fused, slots.fp16, slots.integer + slots.products};
}

// Sorts the names. A stage whose loops are in several kernels, or several times in one, is named
// once.
void sortOut(std::vector<std::string> &names) {
  std::ranges::sort(names);
  const auto rest = std::ranges::unique(names);
  names.erase(rest.begin(), rest.end());
}

} // namespace

std::string ownerOf(const report::KernelReport &kernel) {
  return kernel.stages.empty() ? kernel.name : report::nameOf(kernel.stages.front());
}

std::vector<Work> worksOf(const Prediction &prediction, const schedule::Schedule &schedule,
                          const Machine &machine, std::span<const report::KernelReport> compiled) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<Work> works;
  for (const auto &[load, time] : prediction.kernels) {
    Work work{pipeline.stageName(load.stage), Origin::Predicted, time.seconds, {}, {}, {}};
    for (const StageLoad &stage : load.stages) {
      work.operations.add(operationsOf(stage.arithmetic),
                          load.launches * load.blocks * stage.threads * stage.bodies);
      work.stages.push_back(pipeline.stageName(stage.stage));
    }
    sortOut(work.stages);
    const KernelTraffic traffic =
        trafficOf(load, time, machine, schedule.settings().registerCap, prediction.fromDram,
                  assembledOf(pipeline, load, compiled));
    work.operations.integer = traffic.integers;
    work.traffic = {traffic.dramBytes, traffic.l2Bytes, traffic.cacheBytes, traffic.sharedBytes};
    works.push_back(std::move(work));
  }
  return works;
}

Work workOf(const report::KernelReport &kernel, double seconds) {
  const auto bytes = [](const report::MemoryTraffic &traffic) {
    return traffic.loadBytes + traffic.storeBytes;
  };
  std::vector<std::string> stages;
  for (const report::KernelStage &stage : kernel.stages)
    stages.push_back(report::nameOf(stage));
  sortOut(stages);
  // Nearly all arrays of a thread are in registers, so their traffic is left out.
  return {ownerOf(kernel),
          Origin::Static,
          seconds,
          operationsOf(arithmeticOf(kernel.operations)),
          {std::nullopt, std::nullopt, bytes(kernel.global), bytes(kernel.shared)},
          std::move(stages)};
}

Roofline rooflineOf(const Prediction &prediction, const schedule::Schedule &schedule,
                    const Machine &machine, const Ceilings &ceilings) {
  const std::vector<Work> kernels = worksOf(prediction, schedule, machine);
  const std::vector<Work> whole{total(schedule.base()->name(), kernels)};
  return roofline(ceilings, kernels, whole, floorOf(*schedule.base(), machine));
}

} // namespace tessera::cost
