// SPDX-License-Identifier: MIT
#include "engine/halide/compile/reference.h"

#include "engine/halide/compile/reference_definitions.h"
#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/load.h"
#include "engine/halide/import/own_schedule.h"

#include <algorithm>
#include <set>
#include <string>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

// A func that is not in the graph can only be inlined, as a staging handle, or one that is read at
// places without bounds.
bool hasRegion(const PreparedPipeline &prepared, const std::string &func) {
  return prepared.raw.funcIndex.contains(func);
}

void parallelOutside(Halide::Func func) {
  const ir::Function function = func.function();
  if (function.args().size() > 1) func.parallel(Halide::Var(function.args().back()));
}

void define(ir::Function function, const ReferenceForm &form) {
  if (!form.approximateReciprocals) makeReciprocalsExact(function);
  if (form.reversedSums) reverseSums(function);
  if (form.wideShifts) makeShiftsWide(function);
  showOwnReads(function);
}

} // namespace

void makeReference(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                   const ReferenceForm &form) {
  std::vector<ir::Function> outputs;
  for (const Halide::Func &output : pipeline.outputs())
    outputs.push_back(output.function());
  const auto functions = ir::build_environment(outputs);
  const std::set<std::string> boundary = boundaryFuncs(functions);
  for (const auto &[name, function] : functions) {
    const bool isOutput =
        std::any_of(outputs.begin(), outputs.end(),
                    [&](const ir::Function &output) { return output.name() == function.name(); });
    removeSchedule(function, isOutput, boundary.contains(name));
    define(function, form);
    Halide::Func func(function);
    if (isOutput || function.has_update_definition() || boundary.contains(name) ||
        hasRegion(prepared, name)) {
      func.compute_root();
      func.store_root();
      func.hoist_storage_root();
      if (form.parallel && !function.has_extern_definition()) parallelOutside(func);
    } else {
      func.compute_inline();
    }
  }
}

Halide::Target referenceTarget(Halide::Target host, const ReferenceForm &form) {
  host.set_feature(form.strict ? Halide::Target::StrictFloat : Halide::Target::FuzzFloatStores);
  // Every func is in memory here, even those that no schedule would store, so buffers get large.
  host.set_feature(Halide::Target::LargeBuffers);
  return host;
}

bool mayShiftWide(const Halide::Pipeline &pipeline) {
  const auto functions = functionsOf(pipeline);
  return std::any_of(functions.begin(), functions.end(),
                     [](const auto &entry) { return mayShiftWide(entry.second); });
}

std::vector<std::string> wronglyUpdatedFuncs(const Halide::Pipeline &pipeline) {
  std::vector<std::string> funcs;
  for (const auto &[name, function] : functionsOf(pipeline))
    if (hidesOwnReads(function)) funcs.push_back(name);
  return funcs;
}

} // namespace tessera::halide
