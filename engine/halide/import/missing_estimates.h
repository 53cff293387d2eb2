// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"
#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::halide {

// An estimate without which a pipeline cannot be analysed, and a value to begin with: what is known
// of it, and usual extents for the rest. Of a scalar, other values may be tried.
struct MissingEstimate {
  std::string why;
  EstimateOverride usual;
  std::vector<std::string> others;
};

// The estimates that outputs lack, and those of what only the function of an extern stage reads. If
// any are missing, also those that missingInside() finds.
std::vector<MissingEstimate> missingOfOutputs(const Graph &graph, const Estimates &estimates);

// The scalars and inputs that an index of a load or store or a reduction domain still needs, once
// the known estimates were substituted.
std::vector<MissingEstimate> missingInside(const Graph &substituted, const Graph &graph,
                                           const Estimates &estimates);

// The bounds of a region may depend on integers alone. A run needs all scalars but pointers.
enum class ScalarsFor : std::uint8_t { Bounds, Run };
// The scalars without an estimate.
std::vector<MissingEstimate> missingScalars(const Graph &graph, const Estimates &estimates,
                                            ScalarsFor purpose);

// Adds those whose names are new.
void addMissing(std::vector<MissingEstimate> &missing, std::vector<MissingEstimate> more);

// The error that asks for all of them at once: their reasons behind `cause`, which may be empty.
Error askingFor(const std::vector<MissingEstimate> &missing, const std::string &cause);

} // namespace tessera::halide
