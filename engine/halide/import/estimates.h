// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::halide {

// A value of --estimate: one interval per dimension, or the value of a scalar.
struct EstimateOverride {
  std::string name;
  std::vector<pipeline::Interval> dims;
  std::string value;
};

// What the generator promises about a dimension: the pipeline accepts nothing else.
struct PromisedDim {
  std::optional<std::int64_t> min, extent;
};

// The sizes and scalar values under which the pipeline is analysed. A dimension with source None is
// unknown.
struct Estimates {
  struct Input {
    std::vector<pipeline::Estimate> dims;
    std::vector<PromisedDim> promised;
    std::vector<std::optional<std::int64_t>> strides; // promised strides
    std::int64_t hostAlignment = 0;                   // promised alignment in bytes; 0: none
    std::string scalar;
    // Of a scalar, values to begin with: its default, or some that its type can have.
    std::vector<std::string> usualScalars;
    pipeline::EstimateSource scalarSource = pipeline::EstimateSource::None;

    bool complete() const;
  };
  std::vector<Input> inputs;                            // in the order of Graph::inputs
  std::vector<std::vector<pipeline::Estimate>> outputs; // in the order of Graph::outputs
  std::vector<std::vector<PromisedDim>> promisedOutputs;
  // What extern stages read of the funcs that their functions get, by the number of the func. No
  // source: the dimension has no estimate, but other stages read the func.
  std::map<std::uint32_t, std::vector<pipeline::Estimate>> handed;
};

// Collects the estimates of the file and the sidecar; those of the user override them. If file and
// sidecar both have an estimate, that of the sidecar is used for an input, and that of the file for
// an output. A missing estimate is not an error yet.
Result<Estimates> collectEstimates(const Graph &graph, const std::optional<Sidecar> &sidecar,
                                   const std::vector<EstimateOverride> &overrides);

// What happens to a clamp against the extent of an input whose extent is still unknown.
enum class UnknownExtents { Keep, Ignore };

// The graph with buffer metadata (`input.extent.0`) and scalars replaced by their estimates.
Graph withEstimates(const Graph &graph, const Estimates &estimates, UnknownExtents unknown);

} // namespace tessera::halide
