// SPDX-License-Identifier: MIT
#include "engine/halide/import/import.h"

#include "engine/halide/import/cuda_types.h"
#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/file_check.h"
#include "engine/halide/import/fitting.h"
#include "engine/halide/import/found_schedule.h"
#include "engine/halide/import/index_bounds.h"
#include "engine/halide/import/operations.h"
#include "engine/halide/import/promises.h"
#include "engine/halide/import/stage_builder.h"
#include "engine/halide/guard.h"

#include <algorithm>
#include <filesystem>

namespace tessera::halide {

namespace {

using pipeline::EstimateSource;

// Regions without bounds, and loops without constant ends, may be due to scalars whose value nobody
// gave. The error then names these scalars.
Error namingScalars(Error error, const PreparedPipeline &prepared) {
  if (error.remedy != ErrorRemedy::Estimates) return error;
  for (const std::string &scalar : unknownScalars(prepared.raw, prepared.estimates)) {
    error.message += "; the scalar \"" + scalar + "\" has no estimate";
    error.hint += " --estimate " + scalar + "=VALUE";
  }
  return error;
}

// Derives the sizes of inputs without estimates from the region that the outputs need. A clamp to
// such a size must be ignored, so boundary conditions are not recognised; a remark says so.
Status deriveInputs(PreparedPipeline &prepared, const PhaseCallback &phase) {
  const Graph open = withEstimates(prepared.raw, prepared.estimates, UnknownExtents::Ignore);
  if (auto status = checkResolved(open); !status) return status;
  auto regions = computeRegions(open, prepared.estimates, phase);
  if (!regions) return namingScalars(regions.error(), prepared);
  for (std::size_t i = 0; i < prepared.raw.inputs.size(); ++i) {
    const InputSource &source = prepared.raw.inputs[i];
    Estimates::Input &input = prepared.estimates.inputs[i];
    if (source.isScalar || input.complete()) continue;
    const pipeline::Box &box = regions->inputs[i];
    bool derived = false, open_ = false;
    for (std::size_t d = 0; d < input.dims.size(); ++d) {
      if (input.dims[d].source != EstimateSource::None) continue;
      if (d < box.size() && box[d].bounded() && !box[d].empty()) {
        input.dims[d] = {box[d], EstimateSource::Derived};
        derived = true;
      } else {
        open_ = true;
      }
    }
    if (derived)
      prepared.remarks.push_back(
          {source.name, "its size was derived from the outputs; boundary conditions that depend on "
                        "this size were not seen. Give the size with --estimate " +
                            source.name + "=MIN:EXTENT,…"});
    if (open_ && source.isUsed)
      prepared.remarks.push_back(
          {source.name,
           "its size is unknown: it has no estimate, and the region read from it has no bounds"});
  }
  return Done{};
}

pipeline::Input inputOf(const InputSource &source, const Estimates::Input &estimate) {
  pipeline::Input input;
  input.name = source.name;
  input.type = toScalarType(source.type);
  input.isScalar = source.isScalar;
  input.dims = estimate.dims;
  input.scalarEstimate = estimate.scalar;
  input.scalarSource = estimate.scalarSource;
  input.stagingFunc = source.stagingFunc;
  return input;
}

pipeline::Func funcOf(const FuncSource &source, const pipeline::Box &region, std::size_t first) {
  pipeline::Func func;
  func.name = source.function.name();
  for (const Halide::Type &type : source.function.output_types())
    func.types.push_back(toScalarType(type));
  func.args = source.function.args();
  func.firstStage = pipeline::StageId{static_cast<std::uint32_t>(first)};
  func.stageCount = static_cast<std::uint32_t>(source.stages.size());
  func.region = region;
  func.isOutput = source.isOutput;
  for (const Halide::Internal::Bound &bound : source.function.schedule().bounds())
    if (bound.min.defined() && bound.extent.defined()) func.bounded.push_back(bound.var);
  if (source.isExtern()) func.externCall = externCallOf(source.function);
  return func;
}

Status addStages(pipeline::PipelineParts &parts, const PreparedPipeline &prepared, std::size_t f,
                 std::size_t definitionLimit) {
  const FuncSource &raw = prepared.raw.funcs[f], &resolved = prepared.resolved.funcs[f];
  for (std::size_t s = 0; s < raw.stages.size(); ++s) {
    const std::string name = prepared.raw.stageName(raw.stages[s]);
    auto status = guarded(name + ": reading the definition", [&]() -> Status {
      const pipeline::StageId id{static_cast<std::uint32_t>(parts.stages.size())};
      parts.stages.push_back(buildStage(prepared.raw, raw.stages[s], prepared.resolved,
                                        resolved.stages[s], prepared.regions.loops[f][s],
                                        definitionLimit));
      auto directives = foundDirectives(raw.function, static_cast<int>(s));
      if (!directives.empty()) parts.foundSchedule.push_back({id, std::move(directives)});
      return Done{};
    });
    if (!status) return status;
  }
  return Done{};
}

} // namespace

Result<PreparedPipeline> preparePipeline(const ImportOptions &options, const PhaseCallback &phase) {
  const auto say = [&](const char *what, double fraction) {
    if (phase) phase(what, fraction);
  };
  say("reading", 0.0);
  auto loaded = loadPipeline(options.path, options.sidecar);
  if (!loaded) return loaded.error();
  PreparedPipeline prepared;
  prepared.loaded = std::move(*loaded);
  auto graph = buildGraph(prepared.loaded, phase);
  if (!graph) return graph.error();
  prepared.raw = std::move(*graph);

  return guarded(options.path, [&]() -> Result<PreparedPipeline> {
    const auto inFile = [&](Error error) {
      error.message = options.path + ": " + error.message;
      return error;
    };
    auto estimates = collectEstimates(prepared.raw, prepared.loaded.sidecar, options.estimates);
    if (!estimates) return inFile(estimates.error());
    prepared.estimates = std::move(*estimates);
    if (auto status = keepPromises(prepared.estimates, prepared.raw, options.promises); !status)
      return inFile(status.error());
    if (auto status = checkOutputs(prepared.raw, prepared.estimates); !status)
      return inFile(status.error());
    say("bounds", 0.3);
    const auto known = [](const Estimates::Input &input) { return input.complete(); };
    if (!std::all_of(prepared.estimates.inputs.begin(), prepared.estimates.inputs.end(), known))
      if (auto status = deriveInputs(prepared, phase); !status) return inFile(status.error());
    prepared.resolved = withEstimates(prepared.raw, prepared.estimates, UnknownExtents::Keep);
    if (auto status = checkResolved(prepared.resolved); !status) return inFile(status.error());
    auto regions = computeRegions(prepared.resolved, prepared.estimates, phase);
    if (!regions) return inFile(namingScalars(regions.error(), prepared));
    prepared.regions = std::move(*regions);
    prepared.conflicts = conflictsOf(prepared.raw, prepared.estimates, prepared.regions);
    say("access maps", 0.7);
    return std::move(prepared);
  });
}

Result<pipeline::PipelineParts> partsOf(const PreparedPipeline &prepared,
                                        const ImportOptions &options, const PhaseCallback &phase) {
  pipeline::PipelineParts parts;
  parts.name =
      options.name.empty() ? std::filesystem::path(options.path).stem().string() : options.name;
  parts.halideVersion = halideVersion();
  parts.remarks = prepared.remarks;
  if (auto remark = remarkOnCuda(prepared.loaded.pipeline))
    parts.remarks.push_back(std::move(*remark));
  for (pipeline::Remark &remark : remarksOnExterns(prepared.raw, prepared.estimates.handed))
    parts.remarks.push_back(std::move(remark));
  for (const EstimateConflict &conflict : prepared.conflicts)
    parts.conflicts.found.push_back({conflict.name, conflict.text});
  parts.conflicts.fit = fittingSizes(prepared, options);
  for (std::size_t i = 0; i < prepared.raw.inputs.size(); ++i)
    parts.inputs.push_back(inputOf(prepared.raw.inputs[i], prepared.estimates.inputs[i]));
  const auto bounding = guarded(options.path, [&]() -> Result<std::vector<bool>> {
    return funcsThatBoundIndices(prepared.raw);
  });
  if (!bounding) return bounding.error();
  for (std::size_t f = 0; f < prepared.raw.funcs.size(); ++f) {
    if (phase) phase("access maps of " + prepared.raw.funcs[f].function.name(), 0.7);
    parts.funcs.push_back(
        funcOf(prepared.raw.funcs[f], prepared.regions.funcs[f], parts.stages.size()));
    parts.funcs.back().boundsIndices = (*bounding)[f];
    const auto handed = prepared.estimates.handed.find(static_cast<std::uint32_t>(f));
    if (handed != prepared.estimates.handed.end()) parts.funcs.back().handed = handed->second;
    if (auto status = addStages(parts, prepared, f, options.definitionLimit); !status) {
      Error error = status.error();
      error.message = options.path + ": " + error.message;
      return error;
    }
  }
  for (std::size_t o = 0; o < prepared.raw.outputs.size(); ++o)
    parts.outputs.push_back(
        {pipeline::FuncId{prepared.raw.outputs[o]}, prepared.estimates.outputs[o]});
  return parts;
}

} // namespace tessera::halide
