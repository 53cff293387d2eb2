// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"
#include "engine/base/result.h"

#include <string>
#include <vector>

namespace tessera::halide {

// An estimate without which a pipeline cannot be analysed, and a value to begin with: what is known
// of it, and usual extents for the rest.
struct MissingEstimate {
  std::string why;
  EstimateOverride usual;
};

// The estimates that outputs lack, and those of what only the function of an extern stage reads. If
// any are missing, also those that missingInside() finds.
std::vector<MissingEstimate> missingOfOutputs(const Graph &graph, const Estimates &estimates);

// The scalars and inputs that an index of a load or store or a reduction domain still needs, once
// the known estimates were substituted.
std::vector<MissingEstimate> missingInside(const Graph &substituted, const Graph &graph,
                                           const Estimates &estimates);

// The integer scalars without an estimate: what the bounds of a region may depend on.
std::vector<MissingEstimate> missingScalars(const Graph &graph, const Estimates &estimates);

// Adds those whose names are new.
void addMissing(std::vector<MissingEstimate> &missing, std::vector<MissingEstimate> more);

// The error that asks for all of them at once: their reasons behind `cause`, which may be empty.
Error askingFor(const std::vector<MissingEstimate> &missing, const std::string &cause);

} // namespace tessera::halide
