// SPDX-License-Identifier: MIT
#include "engine/halide/verify/small_size.h"

#include "engine/halide/import/fitting.h"
#include "engine/halide/import/regions.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace tessera::halide {

namespace {

using pipeline::Interval;
using schedule::Directive;
using schedule::LoopName;
using schedule::Verb;
namespace ir = Halide::Internal;

// The extents of each dimension, one row per step. They are odd and differ between dimensions. The
// first two roughly double from step to step.
constexpr std::array<std::array<std::int64_t, 4>, kSizeSteps - 1 - kNarrowestStep> kExtents{
    {{19, 13, 11, 7},
     {35, 23, 17, 9},
     {67, 45, 19, 11},
     {135, 91, 37, 19},
     {271, 183, 67, 19},
     {543, 367, 67, 19}}};
constexpr std::int64_t kShort = 16;    // extents up to this are kept: channels, filters, batches
constexpr std::int64_t kMaxHalo = 128; // a larger difference of extents comes from a scale factor

std::int64_t extentAt(std::size_t dim, int step) {
  const auto &extents = kExtents[static_cast<std::size_t>(step - kNarrowestStep)];
  return extents[std::min(dim, extents.size() - 1)];
}

// The widest tile along each dimension of an output. A fused loop counts for its first dimension.
std::vector<std::int64_t> widestTiles(const ir::Function &output,
                                      std::span<const Directive> directives) {
  std::map<std::string, std::size_t> dims; // dimension by loop name
  std::vector<std::int64_t> widest(output.args().size(), 1);
  for (std::size_t d = 0; d < output.args().size(); ++d)
    dims[output.args()[d]] = d;
  for (const Directive &directive : directives) {
    if (directive.func != output.name()) continue;
    const auto loop = [&](std::size_t i) {
      return std::get<LoopName>(directive.arguments[i]).name;
    };
    if (directive.verb != Verb::Split && directive.verb != Verb::Fuse) continue;
    const auto from = dims.find(loop(0));
    if (from == dims.end()) continue; // a reduction loop has no dimension
    const std::size_t dim = from->second;
    dims[loop(2)] = dim;
    if (directive.verb == Verb::Fuse) continue;
    dims[loop(1)] = dim;
    widest[dim] = std::max(widest[dim], std::get<std::int64_t>(directive.arguments[3]));
  }
  return widest;
}

// The dimensions of an output whose bounds are promised and must not change.
std::set<std::string> fixedDims(const ir::Function &output, std::span<const Directive> directives) {
  std::set<std::string> fixed;
  for (const ir::Bound &bound : output.schedule().bounds())
    fixed.insert(bound.var);
  for (const Directive &directive : directives) {
    const bool bounds = directive.verb == Verb::Bound || directive.verb == Verb::BoundExtent ||
                        directive.verb == Verb::AlignBounds;
    if (bounds && directive.func == output.name())
      fixed.insert(std::get<LoopName>(directive.arguments[0]).name);
  }
  return fixed;
}

// Whether an extent satisfies the buffer's promise about it, a constant or a rule such as "even".
bool allowsExtent(const Halide::Parameter &buffer, int dim, std::int64_t extent) {
  const Halide::Expr promised = buffer.extent_constraint(dim);
  if (!promised.defined()) return true;
  const std::string own = buffer.name() + ".extent." + std::to_string(dim);
  const Halide::Expr value = Halide::cast(promised.type(), Halide::Expr(extent));
  const auto found = ir::as_const_int(ir::simplify(ir::substitute(own, value, promised)));
  return found && *found == extent;
}

// The largest extent up to `extent` that the promises allow; nullopt if it is not more than half of
// `extent`.
std::optional<std::int64_t> allowedExtent(const ir::Function &output, std::size_t dim,
                                          std::int64_t extent) {
  for (std::int64_t e = extent; e > extent / 2; --e)
    if (std::ranges::all_of(output.output_buffers(), [&](const Halide::Parameter &buffer) {
          return allowsExtent(buffer, static_cast<int>(dim), e);
        }))
      return e;
  return std::nullopt;
}

std::vector<EstimateOverride> smallOutputs(const PreparedPipeline &full,
                                           std::span<const Directive> directives, int step) {
  std::vector<EstimateOverride> result;
  for (std::size_t o = 0; o < full.raw.outputs.size(); ++o) {
    const ir::Function &function = full.raw.funcs[full.raw.outputs[o]].function;
    const std::set<std::string> fixed = fixedDims(function, directives);
    EstimateOverride small{function.name(), {}, ""};
    for (std::size_t d = 0; d < full.estimates.outputs[o].size(); ++d) {
      Interval range = full.estimates.outputs[o][d].range;
      const std::int64_t extent = extentAt(d, step);
      const bool promised = full.estimates.outputs[o][d].fixed;
      if (!promised && !fixed.count(function.args()[d]) &&
          range.extent() > std::max(kShort, extent))
        if (const auto allowed = allowedExtent(function, d, extent))
          range.max = range.min + *allowed - 1;
      small.dims.push_back(range);
    }
    result.push_back(std::move(small));
  }
  return result;
}

bool isPromised(const PreparedPipeline &full, const InputSource &input, const Estimates::Input &of,
                std::size_t dim) {
  const SidecarParam *param = full.loaded.sidecar ? full.loaded.sidecar->find(input.name) : nullptr;
  const bool inFile =
      param && dim < param->dims.size() && (param->dims[dim].extent || param->dims[dim].min);
  return inFile || of.dims[dim].fixed; // `fixed`: promised by the schedule
}

// An input's dimension keeps its relation to the output's dimension with the same index: it is
// larger by a halo, or a multiple.
Interval smallInput(const Interval &range, const Interval &output, const Interval &smallOutput) {
  if (range.extent() <= kShort || output.extent() == smallOutput.extent()) return range;
  const std::int64_t more = range.extent() - output.extent();
  std::int64_t extent = 0;
  if (std::abs(more) <= kMaxHalo)
    extent = smallOutput.extent() + more;
  else
    extent = (range.extent() * smallOutput.extent() + output.extent() - 1) / output.extent();
  extent = std::clamp<std::int64_t>(extent, 1, range.extent());
  return {range.min, range.min + extent - 1};
}

std::vector<EstimateOverride> smallInputs(const PreparedPipeline &full,
                                          const std::vector<EstimateOverride> &outputs) {
  std::vector<EstimateOverride> result;
  for (std::size_t i = 0; i < full.raw.inputs.size(); ++i) {
    const InputSource &input = full.raw.inputs[i];
    const Estimates::Input &estimate = full.estimates.inputs[i];
    if (input.isScalar || input.image.defined() || !estimate.complete()) continue;
    EstimateOverride small{input.name, {}, ""};
    for (std::size_t d = 0; d < estimate.dims.size(); ++d) {
      Interval range = estimate.dims[d].range;
      if (!isPromised(full, input, estimate, d) && d < outputs[0].dims.size())
        range = smallInput(range, full.estimates.outputs[0][d].range, outputs[0].dims[d]);
      small.dims.push_back(range);
    }
    result.push_back(std::move(small));
  }
  return result;
}

// Whether a func that is inlined in every schedule, or a reduction that is empty, is so at the
// smaller sizes alone. Then too little of the pipeline runs.
bool losesParts(const PreparedPipeline &full, const PreparedPipeline &small) {
  if (small.resolved.funcs.size() != full.resolved.funcs.size()) return true;
  for (std::size_t f = 0; f < full.resolved.funcs.size(); ++f)
    for (std::size_t s = 0; s < full.resolved.funcs[f].stages.size(); ++s)
      if (neverRuns(small.resolved.funcs[f].stages[s]) &&
          !neverRuns(full.resolved.funcs[f].stages[s]))
        return true;
  return false;
}

} // namespace

int firstStep(const PreparedPipeline &full, std::span<const Directive> directives, int from) {
  int first = from;
  for (std::size_t o = 0; o < full.raw.outputs.size(); ++o) {
    const std::vector<std::int64_t> tiles =
        widestTiles(full.raw.funcs[full.raw.outputs[o]].function, directives);
    for (std::size_t d = 0; d < tiles.size(); ++d) {
      const std::int64_t whole = full.estimates.outputs[o][d].range.extent();
      const auto isTooNarrow = [&] {
        const std::int64_t extent = extentAt(d, first);
        return whole > std::max(kShort, extent) && tiles[d] >= extent;
      };
      while (first + 1 < kSizeSteps && isTooNarrow())
        ++first;
    }
  }
  return first;
}

Result<std::shared_ptr<const PreparedPipeline>>
shrunk(const std::shared_ptr<const PreparedPipeline> &full, const ImportOptions &options,
       std::span<const Directive> directives, int step) {
  for (; step < kSizeSteps - 1; ++step) {
    std::vector<EstimateOverride> sizes = smallOutputs(*full, directives, step);
    std::vector<EstimateOverride> inputs = smallInputs(*full, sizes);
    std::ranges::move(inputs, std::back_inserter(sizes));
    // Sizes at which the pipeline means nothing are passed over.
    if (auto prepared = prepareFitting(options, sizes); prepared && !losesParts(*full, *prepared))
      return std::make_shared<const PreparedPipeline>(std::move(*prepared));
  }
  if (!full->conflicts.empty()) return contradiction(*full);
  return full;
}

} // namespace tessera::halide
