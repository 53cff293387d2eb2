// SPDX-License-Identifier: MIT
#include "engine/halide/verify/reference.h"

#include <algorithm>

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

void resetFunc(ir::Function function, bool isOutput) {
  ir::FuncSchedule &schedule = function.schedule();
  schedule.wrappers().clear();
  if (!isOutput) schedule.bounds().clear();
  schedule.memory_type() = Halide::MemoryType::Auto;
  schedule.memoized() = false;
  schedule.async() = false;
  schedule.ring_buffer() = Halide::Expr();
  std::vector<ir::StorageDim> storage;
  for (const std::string &arg : function.args()) {
    ir::StorageDim dim;
    dim.var = arg;
    storage.push_back(dim);
  }
  schedule.storage_dims() = storage;
  resetStage(function, function.definition());
  for (std::size_t i = 0; i < function.updates().size(); ++i)
    resetStage(function, function.update(static_cast<int>(i)));
}

bool hasBounds(const PreparedPipeline &prepared, const std::string &func) {
  const auto at = prepared.raw.funcIndex.find(func);
  if (at == prepared.raw.funcIndex.end()) return false; // a staging handle, which stays inlined
  const pipeline::Box &region = prepared.regions.funcs[at->second];
  return std::all_of(region.begin(), region.end(),
                     [](const pipeline::Interval &side) { return side.bounded(); });
}

void parallelOutside(Halide::Func func) {
  const ir::Function function = func.function();
  if (function.args().size() > 1) func.parallel(Halide::Var(function.args().back()));
}

} // namespace

void makeReference(Halide::Pipeline &pipeline, const PreparedPipeline &prepared) {
  std::vector<ir::Function> outputs;
  for (const Halide::Func &output : pipeline.outputs())
    outputs.push_back(output.function());
  for (const auto &[name, function] : ir::build_environment(outputs)) {
    const bool isOutput =
        std::any_of(outputs.begin(), outputs.end(),
                    [&](const ir::Function &output) { return output.name() == function.name(); });
    resetFunc(function, isOutput);
    Halide::Func func(function);
    if (isOutput || function.has_update_definition() || hasBounds(prepared, name)) {
      func.compute_root();
      func.store_root();
      func.hoist_storage_root();
      parallelOutside(func);
    } else {
      func.compute_inline();
    }
  }
}

Halide::Target referenceTarget(bool fused) {
  Halide::Target target = Halide::get_host_target();
  if (!fused) target.set_feature(Halide::Target::StrictFloat);
  // Every func is in memory here, even those that no schedule would store, so buffers get large.
  target.set_feature(Halide::Target::LargeBuffers);
  return target;
}

} // namespace tessera::halide
