// SPDX-License-Identifier: MIT
#include "engine/halide/import/estimate_conflicts.h"

#include <algorithm>
#include <optional>

namespace tessera::halide {

namespace {

using pipeline::Box;
using pipeline::Estimate;
using pipeline::Interval;
namespace ir = Halide::Internal;

// An input or output, as far as its size is concerned.
struct Sized {
  std::string name;
  const std::vector<Estimate> &dims;
  std::vector<PromisedDim> promised;
  std::vector<std::string> dimNames;
};

std::optional<std::int64_t> constantIn(const Halide::Expr &e) {
  const auto value = e.defined() ? ir::as_const_int(ir::simplify(e)) : std::nullopt;
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

// Halide computes the whole of a bounded output, and nothing beyond, so a bound is a promise too.
Sized outputOf(const Graph &graph, const Estimates &estimates, std::size_t o) {
  const ir::Function &function = graph.funcs[graph.outputs[o]].function;
  Sized sized{function.name(), estimates.outputs[o], estimates.promisedOutputs[o], {}};
  for (std::size_t d = 0; d < sized.dims.size(); ++d) {
    const std::string &arg = function.args()[d];
    sized.dimNames.push_back(arg);
    for (const ir::Bound &bound : function.schedule().bounds()) {
      if (bound.var != arg) continue;
      if (const auto min = constantIn(bound.min)) sized.promised[d].min = min;
      if (const auto extent = constantIn(bound.extent)) sized.promised[d].extent = extent;
    }
  }
  return sized;
}

Sized inputOf(const Graph &graph, const Estimates &estimates, std::size_t i) {
  Sized sized{graph.inputs[i].name, estimates.inputs[i].dims, estimates.inputs[i].promised, {}};
  for (std::size_t d = 0; d < sized.dims.size(); ++d)
    sized.dimNames.push_back(std::to_string(d));
  return sized;
}

Box boxOf(const Sized &sized) {
  Box box;
  for (const Estimate &dim : sized.dims)
    box.push_back(dim.range);
  return box;
}

// "128×100" or, if it does not begin at 0 everywhere, "0:128, -1:102".
std::string sizeText(const Box &box) {
  const bool isPlain = std::ranges::all_of(box, [](const Interval &side) { return side.min == 0; });
  std::string text;
  for (const Interval &side : box) {
    text += text.empty() ? "" : isPlain ? "×" : ", ";
    text += (isPlain ? "" : std::to_string(side.min) + ":") + std::to_string(side.extent());
  }
  return text;
}

bool isComplete(const Sized &sized) {
  return std::ranges::none_of(
      sized.dims, [](const Estimate &dim) { return dim.source == pipeline::EstimateSource::None; });
}

void comparePromise(const Sized &sized, std::vector<EstimateConflict> &conflicts) {
  if (!isComplete(sized)) return;
  const Box estimated = boxOf(sized);
  Box promised = estimated;
  for (std::size_t d = 0; d < promised.size(); ++d) {
    const std::int64_t min = sized.promised[d].min.value_or(estimated[d].min);
    const std::int64_t extent = sized.promised[d].extent.value_or(estimated[d].extent());
    promised[d] = {min, min + extent - 1};
  }
  if (promised == estimated) return;
  conflicts.push_back({sized.name,
                       "its estimate is " + sizeText(estimated) +
                           ", but the pipeline accepts only " + sizeText(promised),
                       promised});
}

std::string beyondText(const std::string &dim, const Interval &estimated, const Interval &needed) {
  std::string text;
  const auto add = [&](std::int64_t at, const std::string &where, std::int64_t end) {
    text += (text.empty() ? "it is accessed at " : " and at ") + std::to_string(at) +
            " in dimension " + dim + ", " + where + " of its estimate (" + std::to_string(end) +
            ")";
  };
  if (needed.min < estimated.min) add(needed.min, "before the start", estimated.min);
  if (needed.max > estimated.max) add(needed.max, "beyond the end", estimated.max);
  return text;
}

void compareRegion(const Sized &sized, const Box &needed,
                   std::vector<EstimateConflict> &conflicts) {
  EstimateConflict conflict{sized.name, "", boxOf(sized)};
  bool isPromised = false;
  for (std::size_t d = 0; d < sized.dims.size() && d < needed.size(); ++d) {
    const Estimate &dim = sized.dims[d];
    const bool isKnown = dim.source != pipeline::EstimateSource::None && needed[d].bounded();
    if (!isKnown || dim.range.contains(needed[d])) continue;
    conflict.text +=
        (conflict.text.empty() ? "" : "; ") + beyondText(sized.dimNames[d], dim.range, needed[d]);
    conflict.fit[d] = pipeline::hull(dim.range, needed[d]);
    isPromised = isPromised || sized.promised[d].min || sized.promised[d].extent;
  }
  if (conflict.text.empty()) return;
  if (isPromised) conflict.text += "; the pipeline accepts no other size of it";
  // An input of which only a part is known cannot be given as a whole.
  if (isPromised || !isComplete(sized)) conflict.fit.clear();
  conflicts.push_back(std::move(conflict));
}

} // namespace

std::vector<EstimateConflict> conflictsOf(const Graph &graph, const Estimates &estimates,
                                          const Regions &regions) {
  std::vector<EstimateConflict> conflicts;
  for (std::size_t o = 0; o < graph.outputs.size(); ++o)
    comparePromise(outputOf(graph, estimates, o), conflicts);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i)
    if (!graph.inputs[i].isScalar) comparePromise(inputOf(graph, estimates, i), conflicts);
  if (!conflicts.empty()) return conflicts;
  for (std::size_t o = 0; o < graph.outputs.size(); ++o)
    compareRegion(outputOf(graph, estimates, o), regions.funcs[graph.outputs[o]], conflicts);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i)
    if (!graph.inputs[i].isScalar && !regions.inputs[i].empty())
      compareRegion(inputOf(graph, estimates, i), regions.inputs[i], conflicts);
  return conflicts;
}

} // namespace tessera::halide
