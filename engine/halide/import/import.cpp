// SPDX-License-Identifier: MIT
#include "engine/halide/import/import.h"

#include "engine/halide/import/cuda_types.h"
#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/file_check.h"
#include "engine/halide/import/fitting.h"
#include "engine/halide/import/found_schedule.h"
#include "engine/halide/import/index_bounds.h"
#include "engine/halide/import/inlining.h"
#include "engine/halide/import/missing_estimates.h"
#include "engine/halide/import/operations.h"
#include "engine/halide/import/promises.h"
#include "engine/halide/import/stage_builder.h"
#include "engine/base/asked.h"
#include "engine/halide/guard.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tessera::halide {

namespace {

using pipeline::EstimateSource;

// How often what is missing is looked for with that supposed which was missing before.
constexpr int kAskingRounds = 4;

// The analysis of a pipeline up to its regions, and what it lacks.
struct Preparation {
  PreparedPipeline prepared;
  std::vector<MissingEstimate> missing;
  std::string cause; // why that matters, if the reasons of the missing do not say it

  Status lacks(std::vector<MissingEstimate> more) {
    if (more.empty()) return Done{};
    missing = std::move(more);
    return askingFor(missing, cause);
  }
  // Regions without bounds, and loops without constant ends, may be due to scalars whose value
  // nobody gave.
  Error lacksScalars(Error error) {
    if (error.remedy != ErrorRemedy::Estimates) return error;
    auto scalars = missingScalars(prepared.raw, prepared.estimates, ScalarsFor::Bounds);
    if (scalars.empty()) return error;
    cause = error.message;
    return lacks(std::move(scalars)).error();
  }
  // Computes the regions. If some have no bounds, asks for the scalars that might bound them.
  Result<Regions> regionsOf(const Graph &graph, const PhaseCallback &phase) {
    auto regions = computeRegions(graph, prepared.estimates, phase);
    if (!regions) return lacksScalars(regions.error());
    if (regions->unbounded.empty()) return regions;
    const std::uint32_t first = regions->unbounded.front();
    const Error error = lacksScalars(withoutBounds(graph.funcs[first], regions->funcs[first]));
    if (!missing.empty()) return error;
    return regions;
  }
};

// Derives the sizes of inputs without estimates from the region that the outputs need. A clamp to
// such a size must be ignored, so boundary conditions are not recognised; a remark says so.
Status deriveInputs(Preparation &preparation, const PhaseCallback &phase) {
  PreparedPipeline &prepared = preparation.prepared;
  const Graph open = withEstimates(prepared.raw, prepared.estimates, UnknownExtents::Ignore);
  if (auto status = preparation.lacks(missingInside(open, prepared.raw, prepared.estimates));
      !status)
    return status;
  const auto regions = preparation.regionsOf(open, phase);
  if (!regions) return regions.error();
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
                        "this size were not seen. Give the size with " +
                            commandWords({{"estimate", source.name + "=MIN:EXTENT,..."}})});
    if (open_ && source.isUsed)
      prepared.remarks.push_back(
          {source.name,
           "its size is unknown: it has no estimate, and the region read from it has no bounds"});
  }
  return Done{};
}

// Halide infers no bounds of an inlined func. So a func may be read at any place, as a boundary
// condition is at places that data choose, and what it reads itself has bounds. Such a func becomes
// part of its readers here: there is no other schedule for it.
Status findRegions(Preparation &preparation, const PhaseCallback &phase) {
  PreparedPipeline &prepared = preparation.prepared;
  for (;;) {
    prepared.resolved = withEstimates(prepared.raw, prepared.estimates, UnknownExtents::Keep);
    if (auto status =
            preparation.lacks(missingInside(prepared.resolved, prepared.raw, prepared.estimates));
        !status)
      return status;
    auto regions = preparation.regionsOf(prepared.resolved, phase);
    if (!regions) return regions.error();
    if (regions->unbounded.empty()) {
      prepared.regions = std::move(*regions);
      return Done{};
    }
    for (const std::uint32_t f : regions->unbounded)
      prepared.remarks.push_back(
          {prepared.raw.funcs[f].function.name(),
           "it is read at places without bounds, so every schedule inlines it. Its definition "
           "stands in the definitions that read it"});
    inlineFuncs(prepared.raw, prepared.estimates, regions->unbounded);
  }
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

Status prepare(Preparation &preparation, const ImportOptions &options, const PhaseCallback &phase) {
  const auto say = [&](const char *what, double fraction) {
    if (phase) phase(what, fraction);
  };
  PreparedPipeline &prepared = preparation.prepared;
  auto estimates = collectEstimates(prepared.raw, prepared.loaded.sidecar, options.estimates);
  if (!estimates) return estimates.error();
  prepared.estimates = std::move(*estimates);
  if (auto status = keepPromises(prepared.estimates, prepared.raw, options.promises); !status)
    return status;
  if (auto status = preparation.lacks(missingOfOutputs(prepared.raw, prepared.estimates)); !status)
    return status;
  say("bounds", 0.3);
  const auto known = [](const Estimates::Input &input) { return input.complete(); };
  if (!std::all_of(prepared.estimates.inputs.begin(), prepared.estimates.inputs.end(), known))
    if (auto status = deriveInputs(preparation, phase); !status) return status;
  if (auto status = findRegions(preparation, phase); !status) return status;
  prepared.conflicts = conflictsOf(prepared.raw, prepared.estimates, prepared.regions);
  say("access maps", 0.7);
  return Done{};
}

// What becomes of a pipeline for which missing estimates are supposed.
struct Supposed {
  bool works = false; // it lacks nothing else, and the values fit
  std::vector<MissingEstimate> missing;
};
Supposed supposing(const std::vector<MissingEstimate> &missing, const Preparation &first,
                   ImportOptions options) {
  for (const MissingEstimate &one : missing)
    options.estimates.push_back(one.usual);
  Preparation next;
  next.prepared.loaded = first.prepared.loaded;
  next.prepared.raw = first.prepared.raw;
  const bool works = prepare(next, options, {}).ok();
  return {works, std::move(next.missing)};
}

// With the usual values for what is missing, a pipeline may mean nothing: an enlarging that
// reduces, the root of a negative number. Then the scalars get other values, all the same one.
std::vector<MissingEstimate> withWorkingScalars(const std::vector<MissingEstimate> &missing,
                                                const Preparation &first,
                                                const ImportOptions &options) {
  std::size_t most = 0;
  for (const MissingEstimate &one : missing)
    most = std::max(most, one.others.size());
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<MissingEstimate> tried = missing;
    for (MissingEstimate &one : tried)
      if (!one.others.empty()) one.usual.value = one.others[std::min(i, one.others.size() - 1)];
    if (supposing(tried, first, options).works) return tried;
  }
  return missing;
}

// The error of a pipeline that lacks estimates. It names those, too, that would be missing next, so
// that the user is asked once, for values with which the pipeline opens.
Error askingForAll(const Preparation &first, const ImportOptions &options) {
  std::vector<MissingEstimate> missing = first.missing;
  for (int round = 0; round < kAskingRounds; ++round) {
    Supposed next = supposing(missing, first, options);
    if (next.works) return askingFor(missing, first.cause);
    const std::size_t known = missing.size();
    addMissing(missing, std::move(next.missing));
    if (missing.size() == known) break;
  }
  return askingFor(withWorkingScalars(missing, first, options), first.cause);
}

} // namespace

Result<PreparedPipeline> preparePipeline(const ImportOptions &options, const PhaseCallback &phase) {
  if (phase) phase("reading", 0.0);
  auto loaded = loadPipeline(options.path, options.sidecar);
  if (!loaded) return loaded.error();
  Preparation preparation;
  preparation.prepared.loaded = std::move(*loaded);
  auto graph = buildGraph(preparation.prepared.loaded, phase);
  if (!graph) return graph.error();
  preparation.prepared.raw = std::move(*graph);

  return guarded(options.path, [&]() -> Result<PreparedPipeline> {
    const Status done = prepare(preparation, options, phase);
    if (done) return std::move(preparation.prepared);
    Error error = preparation.missing.empty() ? done.error() : askingForAll(preparation, options);
    error.message = options.path + ": " + error.message;
    return error;
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
  for (const FuncSource &func : prepared.resolved.funcs)
    for (const StageSource &stage : func.stages)
      if (neverRuns(stage))
        parts.remarks.push_back({prepared.resolved.stageName(stage),
                                 "its reduction is empty at these sizes, so it does nothing; its "
                                 "time is predicted as that of one iteration"});
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
