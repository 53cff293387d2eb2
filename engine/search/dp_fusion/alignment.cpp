// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/alignment.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace tessera::search {

using pipeline::Edge;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;

namespace {

// The dimension of the producer that a map reads, beside the output. `isBounded` is false if no
// constant dependence vector says it.
struct Along {
  bool isBounded = false;
  std::optional<AlignedDim> dim;
};

bool isConstant(const IndexMap &map) {
  return std::ranges::all_of(map.atoms,
                             [](const pipeline::Atom &atom) { return atom.terms.empty(); });
}

Along along(const IndexMap &map, const Stage &consumer, const Alignment &of) {
  if (map.precision == pipeline::Precision::Whole || !map.offset.bounded()) return {};
  if (isConstant(map)) return {true, std::nullopt};
  if (map.atoms.size() > 1 || map.atoms.front().terms.size() != 1) return {};
  const pipeline::Atom &atom = map.atoms.front();
  const pipeline::AffineTerm &term = atom.terms.front();
  const auto argument = consumer.loops[term.loop].argument;
  if (!argument || term.coefficient * atom.scale <= 0 || !atom.offset.bounded()) return {};
  const std::optional<AlignedDim> &reader = of[*argument];
  if (!reader) return {true, std::nullopt};
  const std::int64_t scale = reader->scale * term.coefficient * atom.scale;
  const std::int64_t divisor = reader->divisor * atom.divisor;
  const std::int64_t common = std::gcd(scale, divisor);
  return {true, AlignedDim{reader->output, scale / common, divisor / common}};
}

// Whether a reader's dimensions are all used, or nothing is read at a constant index. Of f(x, y)
// that reads p(0), the distance grows with x. A channel c that p(x, y, c) has alone does no harm.
bool leavesNoneOver(const Edge &edge, const Stage &consumer) {
  std::set<std::uint32_t> used;
  bool hasConstant = false;
  for (const std::vector<IndexMap> &maps : edge.maps)
    for (const IndexMap &map : maps) {
      hasConstant = hasConstant || isConstant(map);
      for (const pipeline::Atom &atom : map.atoms)
        for (const pipeline::AffineTerm &term : atom.terms)
          used.insert(term.loop);
    }
  return !used.empty() && (!hasConstant || used.size() == consumer.loops.size());
}

// Adds how one reader reads a func. Returns whether that agrees with the readers before.
bool agrees(const Edge &edge, const Stage &consumer, const Alignment &of,
            std::optional<Alignment> &all) {
  if (!leavesNoneOver(edge, consumer)) return false;
  Alignment here;
  for (const std::vector<IndexMap> &maps : edge.maps) {
    std::optional<Along> dim;
    for (const IndexMap &map : maps) {
      const Along one = along(map, consumer, of);
      if (!one.isBounded || (dim && dim->dim != one.dim)) return false;
      dim = one;
    }
    here.push_back(dim ? dim->dim : std::nullopt);
  }
  if (all) return *all == here;
  all = std::move(here);
  return true;
}

void addProducers(const Pipeline &pipeline, FuncId reader,
                  std::set<FuncId, std::greater<>> &producers) {
  for (const pipeline::StageId stage : pipeline.stageIdsOf(reader))
    for (const pipeline::EdgeId id : pipeline.edgesInto(stage))
      if (const Producer producer = pipeline.edge(id).producer;
          producer.kind == Producer::Kind::Func)
        producers.insert(FuncId{producer.index});
}

} // namespace

std::map<FuncId, Alignment> alignmentsTo(const schedule::Schedule &schedule, FuncId output) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::map<FuncId, Alignment> aligned;
  if (pipeline.func(output).stageCount > 1 || pipeline.func(output).externCall) return aligned;
  Alignment &own = aligned[output];
  for (std::size_t d = 0; d < pipeline.func(output).args.size(); ++d)
    own.push_back(AlignedDim{d, 1, 1});
  // A func reads only funcs of lower numbers, so that all that reads one comes before it.
  std::set<FuncId, std::greater<>> next;
  addProducers(pipeline, output, next);
  while (!next.empty()) {
    const FuncId func = *next.begin();
    next.erase(next.begin());
    const pipeline::Func &one = pipeline.func(func);
    const auto readers = pipeline.edgesFrom(func);
    if (one.staysAtRoot() || one.stageCount > 1 || readers.empty()) continue;
    std::optional<Alignment> all;
    const bool isAligned = std::ranges::all_of(readers, [&](pipeline::EdgeId id) {
      const Edge &edge = pipeline.edge(id);
      const Stage &consumer = pipeline.stage(edge.consumer);
      const auto reader = aligned.find(consumer.func);
      return reader != aligned.end() && agrees(edge, consumer, reader->second, all);
    });
    if (!isAligned || !all) continue;
    aligned.emplace(func, std::move(*all));
    addProducers(pipeline, func, next);
  }
  return aligned;
}

} // namespace tessera::search
