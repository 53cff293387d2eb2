// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/graph.h"
#include "engine/pipeline/pipeline.h"

#include <Halide.h>

#include <optional>
#include <string>
#include <vector>

namespace tessera::halide {

// What the user said with --estimate: one interval per dimension, or the value of a scalar.
struct EstimateOverride {
  std::string name;
  std::vector<pipeline::Interval> dims;
  std::string value;
};

// Sizes and values under which the pipeline is looked at. A dimension with source None is unknown.
struct Estimates {
  struct Input {
    std::vector<pipeline::Estimate> dims;
    std::vector<std::optional<std::int64_t>> strides; // promised ones
    std::int64_t hostAlignment = 0;                   // promised, in bytes; 0: none
    std::string scalar;
    pipeline::EstimateSource scalarSource = pipeline::EstimateSource::None;

    bool complete() const;
  };
  std::vector<Input> inputs;                            // as Graph::inputs
  std::vector<std::vector<pipeline::Estimate>> outputs; // as Graph::outputs
};

// File, then sidecar, then user. An output without an estimate is an error; an input is not yet.
Result<Estimates> collectEstimates(const Graph &graph, const std::optional<Sidecar> &sidecar,
                                   const std::vector<EstimateOverride> &overrides);

// What happens to a clamp against the extent of an input that nobody has told yet.
enum class UnknownExtents { Keep, Ignore };

// The graph with metadata of buffers (`input.extent.0`) and scalars replaced by their estimates.
Graph withEstimates(const Graph &graph, const Estimates &estimates, UnknownExtents unknown);

// An error that names the scalar or input whose estimate an index, store or domain still needs.
Status checkResolved(const Graph &graph);

} // namespace tessera::halide
