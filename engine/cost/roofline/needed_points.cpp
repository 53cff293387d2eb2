// SPDX-License-Identifier: MIT
#include "engine/cost/roofline/needed_points.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace tessera::cost {

using pipeline::Access;
using pipeline::AffineTerm;
using pipeline::Atom;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Precision;
using pipeline::Producer;
using pipeline::Stage;

namespace {

double extentOf(const Interval &range) {
  return range.bounded() ? static_cast<double>(std::max<std::int64_t>(0, range.extent())) : 1;
}

// A loop that moves an index, and in how many different places at least, if it has `values` values
// and all other loops stand still.
struct Mover {
  std::uint32_t loop = 0;
  double places = 1;
};

// How many indices a boundary condition maps to the same place, because they lie beyond it. All
// other loops are at their first values.
double clampedAway(Atom atom, const AffineTerm &term, const std::vector<LoopDim> &dims) {
  if (atom.clamp == pipeline::kEverything) return 0;
  std::vector<Interval> loops;
  for (const LoopDim &dim : dims)
    loops.push_back({dim.range.min, dim.range.min});
  loops[term.loop] = dims[term.loop].range;
  atom.scale = 1;
  const double clamped = extentOf(evaluate({{atom}, {0, 0}}, loops));
  atom.clamp = pipeline::kEverything;
  return extentOf(evaluate({{atom}, {0, 0}}, loops)) - clamped;
}

std::optional<Mover> moverOf(const Atom &atom, const AffineTerm &term,
                             const std::vector<LoopDim> &dims, double values) {
  if (term.coefficient == 0 || atom.scale == 0) return std::nullopt;
  const double step = static_cast<double>(std::abs(term.coefficient));
  const double divisor = static_cast<double>(atom.divisor);
  const double places = step >= divisor ? values : std::ceil(values / std::ceil(divisor / step));
  const double away = clampedAway(atom, term, dims);
  if (away == 0) return Mover{term.loop, places};
  // The places at the ends may be those of other loads, too, so they do not count.
  const double apart = std::max(1.0, std::floor(step / divisor)); // neighbouring places
  return Mover{term.loop, std::max(1.0, places - std::ceil(away / apart) - 2)};
}

// The loops that move an index, those with most places first. A loop of several atoms may move it
// forth and back, and is left out.
std::vector<Mover> moversOf(const IndexMap &map, const Stage &stage,
                            const std::function<double(std::size_t)> &valuesOf) {
  std::vector<Mover> movers;
  if (map.precision != Precision::Exact) return movers;
  std::vector<int> uses(stage.loops.size(), 0);
  for (const Atom &atom : map.atoms)
    for (const AffineTerm &term : atom.terms)
      ++uses[term.loop];
  for (const Atom &atom : map.atoms)
    for (const AffineTerm &term : atom.terms) {
      if (uses[term.loop] > 1) continue;
      const auto mover = moverOf(atom, term, stage.loops, valuesOf(term.loop));
      if (mover) movers.push_back(*mover);
    }
  std::ranges::stable_sort(movers, std::greater<>{}, &Mover::places);
  return movers;
}

// The map without its constant offset, and what the offset leaves over after whole steps. Two loads
// whose maps are equal but for these remainders never meet.
struct Strided {
  IndexMap map;
  std::int64_t remainder = 0;
};

Strided stridedOf(IndexMap map) {
  Strided strided{std::move(map)};
  if (strided.map.precision != Precision::Exact || strided.map.atoms.size() != 1) return strided;
  Atom &atom = strided.map.atoms.front();
  if (atom.divisor != 1 || atom.terms.empty() || atom.offset.min != atom.offset.max) return strided;
  std::int64_t step = 0;
  for (const AffineTerm &term : atom.terms)
    step = std::gcd(step, std::abs(term.coefficient));
  if (step < 2) return strided;
  strided.remainder = (atom.offset.min % step + step) % step;
  atom.offset = {0, 0};
  return strided;
}

// Loads of one producer whose indices differ in remainders only.
struct Interleaved {
  std::vector<IndexMap> maps; // without offsets
  std::vector<const Access *> loads;
  std::set<std::vector<std::int64_t>> remainders;

  // By dimension, how many remainders it has. Only loads that have each combination of them fill a
  // box; others count once.
  std::vector<double> factors() const {
    std::vector<double> factors(maps.size(), 1);
    double all = 1;
    for (std::size_t d = 0; d < maps.size(); ++d) {
      std::set<std::int64_t> different;
      for (const std::vector<std::int64_t> &one : remainders)
        different.insert(one[d]);
      factors[d] = static_cast<double>(different.size());
      all *= factors[d];
    }
    if (all != static_cast<double>(remainders.size())) std::ranges::fill(factors, 1);
    return factors;
  }
};

void addInterleaved(std::vector<Interleaved> &groups, const Access &access) {
  std::vector<IndexMap> maps;
  std::vector<std::int64_t> remainders;
  for (const IndexMap &index : access.indices) {
    Strided strided = stridedOf(index);
    maps.push_back(std::move(strided.map));
    remainders.push_back(strided.remainder);
  }
  const auto at = std::ranges::find(groups, maps, &Interleaved::maps);
  Interleaved &group =
      at == groups.end() ? groups.emplace_back(Interleaved{std::move(maps), {}, {}}) : *at;
  group.loads.push_back(&access);
  group.remainders.insert(std::move(remainders));
}

} // namespace

double NeededPoints::Needed::points() const {
  return isNeeded ? std::accumulate(counts.begin(), counts.end(), 1.0, std::multiplies<>{}) : 0;
}

NeededPoints::NeededPoints(const Pipeline &pipeline)
    : m_funcs(pipeline.funcs().size()), m_inputs(pipeline.inputs().size()) {
  for (const pipeline::Output &output : pipeline.outputs()) {
    Needed &needed = at(Producer::func(output.func));
    needed.isNeeded = true;
    for (const Interval &side : pipeline.func(output.func).region)
      needed.counts.push_back(extentOf(side));
  }
  // Consumers come after their producers.
  for (std::size_t f = pipeline.funcs().size(); f-- > 0;) {
    if (!m_funcs[f].isNeeded) continue;
    for (const Stage &stage : pipeline.stagesOf(FuncId{static_cast<std::uint32_t>(f)}))
      addLoadsOf(stage);
  }
}

NeededPoints::Needed &NeededPoints::at(Producer producer) {
  return producer.kind == Producer::Kind::Func ? m_funcs[producer.index] : m_inputs[producer.index];
}

double NeededPoints::of(Producer producer) const {
  const bool isFunc = producer.kind == Producer::Kind::Func;
  return (isFunc ? m_funcs : m_inputs)[producer.index].points();
}

double NeededPoints::valuesOfLoop(const Stage &stage, std::size_t loop) const {
  const LoopDim &dim = stage.loops[loop];
  if (dim.argument) return m_funcs[static_cast<std::size_t>(stage.func)].counts[*dim.argument];
  return extentOf(dim.range);
}

double NeededPoints::valuesOf(const Stage &stage, std::uint32_t loops) const {
  double values = 1;
  for (; loops != 0; loops &= loops - 1)
    values *= valuesOfLoop(stage, static_cast<std::size_t>(std::countr_zero(loops)));
  return values;
}

double NeededPoints::evaluations(const Stage &stage) const {
  if (!m_funcs[static_cast<std::size_t>(stage.func)].isNeeded || !stage.predicate.empty()) return 0;
  double all = 1;
  for (std::size_t loop = 0; loop < stage.loops.size(); ++loop)
    all *= valuesOfLoop(stage, loop);
  return all;
}

void NeededPoints::addLoadsOf(const Stage &stage) {
  if (evaluations(stage) == 0) return;
  const Producer self = Producer::func(stage.func);
  for (std::size_t a = 0; a < stage.loads.size();) { // by producer
    const Producer producer = stage.loads[a].producer;
    std::vector<Interleaved> groups;
    for (; a < stage.loads.size() && stage.loads[a].producer == producer; ++a)
      if (producer != self) addInterleaved(groups, stage.loads[a]);
    for (const Interleaved &group : groups) {
      Needed needed{true, countsOf(stage, group.loads)};
      const std::vector<double> factors = group.factors();
      for (std::size_t d = 0; d < factors.size(); ++d)
        needed.counts[d] *= factors[d];
      if (needed.points() > at(producer).points()) at(producer) = std::move(needed);
    }
  }
}

NeededPoints::Counts NeededPoints::countsOf(const Stage &stage,
                                            std::span<const Access *const> loads) const {
  Counts least = countsOf(stage, *loads.front());
  for (const Access *load : loads.subspan(1)) {
    const Counts counts = countsOf(stage, *load);
    for (std::size_t d = 0; d < least.size(); ++d)
      least[d] = std::min(least[d], counts[d]);
  }
  return least;
}

// Each loop may count in one dimension only: f(x, x) is a diagonal.
NeededPoints::Counts NeededPoints::countsOf(const Stage &stage, const Access &access) const {
  std::vector<bool> isUsed(stage.loops.size(), false);
  Counts counts;
  for (const IndexMap &map : access.indices) {
    const std::vector<Mover> movers =
        moversOf(map, stage, [&](std::size_t loop) { return valuesOfLoop(stage, loop); });
    const auto at =
        std::ranges::find_if(movers, [&](const Mover &mover) { return !isUsed[mover.loop]; });
    counts.push_back(at == movers.end() ? 1 : at->places);
    if (at != movers.end()) isUsed[at->loop] = true;
  }
  return counts;
}

} // namespace tessera::cost
