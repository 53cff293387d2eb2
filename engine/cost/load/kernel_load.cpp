// SPDX-License-Identifier: MIT
#include "engine/cost/load/kernel_load.h"

#include "engine/cost/load/layout.h"
#include "engine/cost/load/run_facts.h"

#include <algorithm>

namespace tessera::cost {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::Bounds;
using schedule::Depth;
using schedule::Schedule;

namespace {

// Whether the func only copies what it reads, and its values are loaded where they are used. A
// copy's values are loaded there unless a reader is an update that stores to memory: a compiler
// does not move a load across a store that may change the loaded value.
bool isLoadedWhereUsed(const Schedule &schedule, const KernelRuns &runs, FuncId func) {
  const Pipeline &pipeline = *schedule.pipeline();
  const std::vector<pipeline::StageId> readers = schedule::readersOf(schedule, func);
  return isCopy(pipeline, Producer::func(func)) &&
         std::ranges::none_of(readers, [&](pipeline::StageId reader) {
           const Stage &stage = pipeline.stage(reader);
           return stage.index > 0 && runs.space(stage.func) != MemorySpace::Registers;
         });
}

} // namespace

double dramBytesOf(std::span<const StageLoad> stages) {
  double bytes = 0;
  SharedDramReads shared;
  for (const StageLoad &stage : stages) {
    bytes += stage.dramBytes;
    for (const DramRead &read : stage.dramReads.reads())
      bytes -= shared.again(read);
  }
  return bytes;
}

void addValuesAcross(const Schedule &schedule, const Bounds &bounds, const KernelRuns &runs,
                     std::span<const pipeline::StageId> stages, KernelLoad &load) {
  const Pipeline &pipeline = *schedule.pipeline();
  for (std::size_t made = 0; made < stages.size(); ++made) {
    const Stage &stage = pipeline.stage(stages[made]);
    if (stage.index > 0 || load.stages[made].depth != Depth::Thread ||
        runs.space(stage.func) != MemorySpace::Registers ||
        isLoadedWhereUsed(schedule, runs, stage.func))
      continue;
    const Bounds::FuncBounds &func = bounds.of(stage.func);
    const double values = volumeOf({func.stored.data(), func.stored.size()}) *
                          static_cast<double>(pipeline.func(stage.func).types.size());
    std::size_t last = made;
    for (const pipeline::StageId reader : schedule::readersOf(schedule, stage.func))
      last = std::min<std::size_t>(
          last, static_cast<std::size_t>(std::ranges::find(stages, reader) - stages.begin()));
    for (std::size_t s = last; s <= made; ++s)
      load.stages[s].live += values;
  }
}

} // namespace tessera::cost
