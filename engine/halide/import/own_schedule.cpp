// SPDX-License-Identifier: MIT
#include "engine/halide/import/own_schedule.h"

#include "engine/halide/import/found_schedule.h"
#include "engine/halide/import/load.h"
#include "engine/halide/capture.h"

#include <algorithm>
#include <vector>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

ir::Dim serialLoop(const std::string &name, ir::DimType type) {
  return {name, ir::ForType::Serial, Halide::DeviceAPI::None, type, Halide::Partition::Auto};
}

void resetStage(const ir::Function &function, ir::Definition definition) {
  std::vector<ir::Dim> loops;
  const std::vector<ir::ReductionVariable> rvars = definition.schedule().rvars();
  for (const ir::ReductionVariable &rvar : rvars)
    loops.push_back(serialLoop(rvar.var, ir::DimType::ImpureRVar));
  for (std::size_t d = 0; d < function.args().size(); ++d) {
    const auto *variable = definition.args()[d].as<ir::Variable>();
    if (variable && variable->name == function.args()[d])
      loops.push_back(serialLoop(variable->name, ir::DimType::PureVar));
  }
  loops.push_back(serialLoop(Halide::Var::outermost().name(), ir::DimType::PureVar));
  definition.schedule() = ir::StageSchedule(rvars, {}, loops, {}, Halide::FuseLoopLevel(), {}, true,
                                            false, false, false);
  definition.specializations().clear();
}

} // namespace

bool hasOwnSchedule(const Halide::Pipeline &pipeline) {
  return !schedule::saysBoundsAlone(foundSchedule(pipeline));
}

void removeSchedule(ir::Function function, bool isOutput) {
  ir::FuncSchedule &schedule = function.schedule();
  schedule.wrappers().clear();
  if (!isOutput) schedule.bounds().clear();
  schedule.memory_type() = Halide::MemoryType::Auto;
  schedule.memoized() = false;
  schedule.async() = false;
  schedule.ring_buffer() = Halide::Expr();
  for (Halide::LoopLevel *level :
       {&schedule.compute_level(), &schedule.store_level(), &schedule.hoist_storage_level()}) {
    *level = Halide::LoopLevel::inlined();
    level->lock();
  }
  std::vector<ir::StorageDim> storage;
  for (const std::string &arg : function.args()) {
    ir::StorageDim dim;
    dim.var = arg;
    storage.push_back(dim);
  }
  schedule.storage_dims() = storage;
  if (!function.has_pure_definition()) return; // an extern stage has no loops
  resetStage(function, function.definition());
  for (std::size_t i = 0; i < function.updates().size(); ++i)
    resetStage(function, function.update(static_cast<int>(i)));
}

Result<bool> writeUnscheduled(const std::string &path, const std::string &sidecar,
                              const std::string &into) {
  const auto loaded = loadPipeline(path, sidecar);
  if (!loaded) return loaded.error();
  const Halide::Pipeline &pipeline = loaded->pipeline;
  if (!hasOwnSchedule(pipeline)) return false;
  const std::vector<Halide::Func> outputs = pipeline.outputs();
  for (const auto &[name, function] : functionsOf(pipeline)) {
    const bool isOutput = std::ranges::any_of(
        outputs, [&](const Halide::Func &output) { return output.name() == function.name(); });
    removeSchedule(function, isOutput);
  }
  if (const Status written = capturePipeline(pipeline, into); !written) return written.error();
  return true;
}

} // namespace tessera::halide
