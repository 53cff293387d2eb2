// SPDX-License-Identifier: MIT
#include "engine/halide/import/own_schedule.h"

#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/found_schedule.h"
#include "engine/halide/import/load.h"
#include "engine/halide/capture.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

ir::Dim plainLoop(const std::string &name, ir::DimType type,
                  ir::ForType forType = ir::ForType::Serial) {
  return {name, forType, Halide::DeviceAPI::None, type, Halide::Partition::Auto};
}

void resetStage(const ir::Function &function, ir::Definition definition) {
  std::vector<ir::Dim> loops;
  // The loops of an extern stage are inside of its function.
  const ir::ForType forType =
      function.has_extern_definition() ? ir::ForType::Extern : ir::ForType::Serial;
  const std::vector<ir::ReductionVariable> rvars = definition.schedule().rvars();
  for (const ir::ReductionVariable &rvar : rvars)
    loops.push_back(plainLoop(rvar.var, ir::DimType::ImpureRVar));
  for (std::size_t d = 0; d < function.args().size(); ++d) {
    const auto *variable = definition.args()[d].as<ir::Variable>();
    if (variable && variable->name == function.args()[d])
      loops.push_back(plainLoop(variable->name, ir::DimType::PureVar, forType));
  }
  loops.push_back(plainLoop(Halide::Var::outermost().name(), ir::DimType::PureVar));
  definition.schedule() = ir::StageSchedule(rvars, {}, loops, {}, Halide::FuseLoopLevel(), {}, true,
                                            false, false, false);
  definition.specializations().clear();
}

std::vector<ir::StorageDim> plainStorage(const ir::Function &function) {
  std::vector<ir::StorageDim> storage;
  for (const std::string &arg : function.args()) {
    ir::StorageDim dim;
    dim.var = arg;
    storage.push_back(dim);
  }
  return storage;
}

} // namespace

bool hasOwnSchedule(const Halide::Pipeline &pipeline) {
  return !schedule::saysBoundsAlone(foundSchedule(pipeline));
}

void removeSchedule(ir::Function function, bool isOutput, bool keepsLayout) {
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
  if (!keepsLayout) schedule.storage_dims() = plainStorage(function);
  for (ir::StorageDim &dim : schedule.storage_dims())
    dim.bound = dim.fold_factor = Halide::Expr();
  if (!function.has_pure_definition()) return;
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
  const auto functions = functionsOf(pipeline);
  const std::set<std::string> boundary = boundaryFuncs(functions);
  for (const auto &[name, function] : functions) {
    const bool isOutput = std::ranges::any_of(
        outputs, [&](const Halide::Func &output) { return output.name() == function.name(); });
    removeSchedule(function, isOutput, boundary.contains(name));
  }
  if (const Status written = capturePipeline(pipeline, into); !written) return written.error();
  return true;
}

} // namespace tessera::halide
