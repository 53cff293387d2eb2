// SPDX-License-Identifier: MIT
#include "engine/halide/import/regions.h"

#include "engine/halide/import/index_map.h"
#include "engine/halide/guard.h"

#include <algorithm>
#include <sstream>

namespace tessera::halide {

namespace {

using Halide::Expr;
using pipeline::Box;
using pipeline::Interval;
using pipeline::LoopDim;
namespace ir = Halide::Internal;

constexpr std::int64_t kMostIndex = 2147483647;

ir::Interval toHalide(const Interval &interval) {
  const auto end = [](std::int64_t v) {
    return Expr(static_cast<int>(std::clamp(v, -kMostIndex, kMostIndex)));
  };
  return {interval.min == pipeline::kMinusInfinity ? ir::Interval::neg_inf() : end(interval.min),
          interval.max == pipeline::kPlusInfinity ? ir::Interval::pos_inf() : end(interval.max)};
}

void include(Box &into, const Box &box) {
  if (into.empty()) {
    into = box;
    return;
  }
  for (std::size_t d = 0; d < into.size() && d < box.size(); ++d)
    into[d] = pipeline::hull(into[d], box[d]);
}

bool bounded(const Box &box) {
  return std::all_of(box.begin(), box.end(), [](const Interval &i) { return i.bounded(); });
}

class Scope {
public:
  Scope(const std::vector<LoopDim> &loops, std::span<const Interval> ranges) {
    for (std::size_t i = 0; i < loops.size(); ++i)
      m_scope.push(loops[i].name, toHalide(ranges[i]));
  }
  const ir::Scope<ir::Interval> &operator*() const { return m_scope; }

private:
  ir::Scope<ir::Interval> m_scope;
};

// The constant ends of an interval. If the tile is a single point, an end may be a load at one
// known place; then it is replaced by the end of the range of values that the load can return.
Interval constantEnds(const ir::Interval &interval, const ir::Scope<ir::Interval> &scope,
                      const ir::FuncValueBounds &values) {
  Interval ends = constantInterval(interval);
  if (ends.min == pipeline::kMinusInfinity && interval.has_lower_bound())
    ends.min = constantInterval(ir::bounds_of_expr_in_scope(interval.min, scope, values, true)).min;
  if (ends.max == pipeline::kPlusInfinity && interval.has_upper_bound())
    ends.max = constantInterval(ir::bounds_of_expr_in_scope(interval.max, scope, values, true)).max;
  return ends;
}

// What is wrong with a reduction variable whose ends are no numbers under the estimates.
Error withoutEnds(const std::string &stage, const ir::ReductionVariable &variable) {
  constexpr std::size_t kMostLetters = 200;
  const bool isMin = !ir::as_const_int(variable.min);
  std::ostringstream text;
  text << (isMin ? variable.min : variable.extent);
  std::string end = text.str();
  if (end.size() > kMostLetters) end = end.substr(0, kMostLetters) + " ...";
  return {ErrorCode::InputRefused,
          stage + ": the reduction variable " + variable.var + " has no constant bounds: its " +
              (isMin ? "least value" : "extent") + " is " + end,
          "Give other estimates for the values that its bounds depend on: at these, they are no "
          "numbers of 32 bits.",
          ErrorRemedy::Estimates};
}

std::vector<Interval> rangesOf(const std::vector<LoopDim> &loops) {
  std::vector<Interval> ranges;
  for (const LoopDim &loop : loops)
    ranges.push_back(loop.range);
  return ranges;
}

class Inference {
public:
  Inference(const Graph &graph, const Estimates &estimates, const PhaseCallback &phase)
      : m_graph(graph), m_estimates(estimates), m_phase(phase) {
    m_regions.funcs.resize(graph.funcs.size());
    m_regions.loops.resize(graph.funcs.size());
    m_regions.inputs.resize(graph.inputs.size());
  }

  void seed() {
    for (std::size_t o = 0; o < m_estimates.outputs.size(); ++o)
      include(m_regions.funcs[m_graph.outputs[o]], boxOf(m_estimates.outputs[o]));
    // Only its function knows what an extern stage reads.
    for (const auto &[func, dims] : m_estimates.handed)
      include(m_regions.funcs[func], boxOf(dims));
  }

  Status run() {
    for (std::size_t f = m_graph.funcs.size(); f-- > 0;)
      if (auto status = visitFunc(static_cast<std::uint32_t>(f)); !status) return status;
    return Done{};
  }

  Regions take() { return std::move(m_regions); }

private:
  // A dimension without an estimate is empty.
  static Box boxOf(const std::vector<pipeline::Estimate> &dims) {
    Box box;
    for (const pipeline::Estimate &dim : dims)
      box.push_back(dim.source == pipeline::EstimateSource::None ? Interval{} : dim.range);
    return box;
  }

  Status visitFunc(std::uint32_t f) {
    const FuncSource &func = m_graph.funcs[f];
    if (m_phase) m_phase("bounds of " + func.function.name(), 0.3);
    Box &need = m_regions.funcs[f];
    // If no stage reads the func, its region is a single point.
    if (need.empty()) need.assign(func.function.args().size(), Interval{0, 0});
    m_regions.loops[f].resize(func.stages.size());
    const bool isInlined = !bounded(need) && mayBeInlined(f);
    if (isInlined) m_regions.unbounded.push_back(f);
    for (std::size_t s = func.stages.size(); s-- > 0;) {
      const StageSource &stage = func.stages[s];
      if (!isInlined && !bounded(need)) return withoutBounds(func, need);
      auto loops = loopsOf(m_graph, stage, need);
      if (!loops) return loops.error();
      auto status = guarded(m_graph.stageName(stage) + ": finding the bounds of its reads",
                            [&]() -> Status { return visitStage(stage, *loops); });
      if (!status) return status;
      m_regions.loops[f][s] = std::move(*loops);
    }
    if (!isInlined && !bounded(need)) return withoutBounds(func, need);
    return Done{};
  }

  bool mayBeInlined(std::uint32_t f) const {
    const FuncSource &func = m_graph.funcs[f];
    return func.isPure() && !func.isOutput && !m_estimates.handed.contains(f);
  }

  Status visitStage(const StageSource &stage, const std::vector<LoopDim> &loops) {
    if (neverRuns(stage)) return Done{}; // it reads and writes nothing
    const std::vector<Interval> ranges = rangesOf(loops);
    for (const auto &[name, box] : requiredBoxes(stage, loops, ranges, m_graph.values)) {
      if (const auto func = m_graph.funcIndex.find(name); func != m_graph.funcIndex.end())
        include(m_regions.funcs[func->second], box);
      else if (const auto input = m_graph.inputIndex.find(name); input != m_graph.inputIndex.end())
        include(m_regions.inputs[input->second], box);
    }
    if (stage.index == 0) return Done{};
    const Scope scope(loops, ranges);
    Box written;
    for (const Expr &arg : stage.args)
      written.push_back(constantInterval(ir::bounds_of_expr_in_scope(arg, *scope, m_graph.values)));
    if (!bounded(written))
      return Error{ErrorCode::InputRefused,
                   m_graph.stageName(stage) + ": it writes to a place that has no bounds",
                   "Clamp the index on the left side of its definition."};
    include(m_regions.funcs[stage.func], written);
    return Done{};
  }

  const Graph &m_graph;
  const Estimates &m_estimates;
  const PhaseCallback &m_phase;
  Regions m_regions;
};

} // namespace

Error withoutBounds(const FuncSource &func, const Box &region) {
  std::string dim;
  for (std::size_t d = 0; d < region.size(); ++d)
    if (!region[d].bounded()) dim = func.function.args()[d];
  return {ErrorCode::InputRefused,
          func.function.name() + ": the region needed of it has no bounds in dimension " + dim,
          "Clamp the index where it is read, or give an estimate to the scalar in it.",
          ErrorRemedy::Estimates};
}

std::map<std::string, Box> requiredBoxes(const StageSource &stage,
                                         const std::vector<LoopDim> &loops,
                                         std::span<const Interval> ranges,
                                         const ir::FuncValueBounds &values) {
  const Scope scope(loops, ranges);
  std::map<std::string, Box> result;
  for (const Expr &e : expressionsOf(stage)) {
    for (const auto &[name, halideBox] : ir::boxes_required(e, *scope, values)) {
      Box box;
      for (const ir::Interval &interval : halideBox.bounds)
        box.push_back(constantEnds(interval, *scope, values));
      include(result[name], box);
    }
  }
  return result;
}

bool neverRuns(const StageSource &stage) {
  return std::ranges::any_of(stage.reduction, [](const ir::ReductionVariable &variable) {
    const auto extent = ir::as_const_int(variable.extent);
    return extent && *extent <= 0;
  });
}

Result<std::vector<LoopDim>> loopsOf(const Graph &graph, const StageSource &stage,
                                     const Box &need) {
  std::vector<LoopDim> loops;
  for (const ir::ReductionVariable &variable : stage.reduction) {
    const auto min = ir::as_const_int(variable.min), extent = ir::as_const_int(variable.extent);
    if (!min || !extent) return withoutEnds(graph.stageName(stage), variable);
    loops.push_back({variable.var,
                     LoopDim::Kind::Reduction,
                     {*min, *min + std::max<std::int64_t>(*extent, 1) - 1},
                     stage.independent.contains(variable.var)});
  }
  const std::vector<std::string> &args = graph.funcs[stage.func].function.args();
  for (std::size_t d = 0; d < args.size(); ++d) {
    const auto *variable = stage.args[d].as<ir::Variable>();
    if (variable && variable->name == args[d] && !variable->reduction_domain.defined())
      loops.push_back({args[d], LoopDim::Kind::Pure, need[d]});
  }
  return loops;
}

Result<Regions> computeRegions(const Graph &graph, const Estimates &estimates,
                               const PhaseCallback &phase) {
  Inference inference(graph, estimates, phase);
  inference.seed();
  if (auto status = inference.run(); !status) return status.error();
  return inference.take();
}

} // namespace tessera::halide
