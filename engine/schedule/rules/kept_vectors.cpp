// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/kept_vectors.h"

#include "engine/pipeline/saturating.h"
#include "engine/schedule/bounds/evaluated_stages.h"
#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::int64_t kWidestElement = 8; // bytes
constexpr std::int64_t kLongestStride = 4; // elements; up to this stride Halide loads gaps, too

} // namespace

KeptVectors::KeptVectors(const Schedule &schedule, const Bounds &bounds, const KeptStorage &kept)
    : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_bounds(bounds), m_kept(kept) {}

bool KeptVectors::isAny(StageId id, FuncId accessed, std::int64_t apart) const {
  return vectorsOf(id, accessed, Cuts::ElementByElement, apart).lanes > 1;
}

std::int64_t KeptVectors::joinedBytes(FuncId id) const {
  std::int64_t most = 0;
  for (const StageId stage : m_pipeline.stageIdsOf(id)) {
    const LoopNest &nest = m_schedule.plan(stage).nest;
    for (std::size_t v = 0; v < nest.loops.size(); ++v) {
      const std::int64_t lanes = m_bounds.of(stage).loops[v];
      if (nest.loops[v].kind != LoopKind::Vectorized || lanes == 1 || isAlwaysCut(stage, v))
        continue;
      const std::int64_t apart = movesOf(stage, nest.loops[v].ref, id)[0];
      for (std::size_t u = 0; u < nest.loops.size(); ++u)
        if (nest.loops[u].kind == LoopKind::Unrolled && m_bounds.of(stage).loops[u] > 1 &&
            m_bounds.of(stage).loops[u] * movesOf(stage, nest.loops[u].ref, id)[0] == apart)
          most = std::max(most, elementBytes(id) * std::min(lanes * apart, alignmentOf(stage, id)));
    }
  }
  return most;
}

KeptVectors::Vectors KeptVectors::vectorsOf(StageId id, FuncId accessed, Cuts cuts,
                                            std::int64_t apart) const {
  const LoopNest &nest = m_schedule.plan(id).nest;
  Vectors vectors;
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const Loop &loop = nest.loops[l];
    if (loop.kind != LoopKind::Vectorized) continue;
    if (cuts == Cuts::ElementByElement && isAlwaysCut(id, l)) continue;
    const std::int64_t lanes = m_bounds.of(id).loops[l];
    std::vector<std::int64_t> distances = movesOf(id, loop.ref, accessed);
    addThroughOthers(distances, id, loop.ref, accessed);
    std::erase_if(distances, [&](const std::int64_t distance) {
      const std::int64_t far = pipeline::saturatingMultiply(std::abs(distance), apart);
      return far == 0 || (far > kLongestStride && far >= lanes);
    });
    if (distances.empty()) continue;
    vectors.lanes = pipeline::saturatingMultiply(vectors.lanes, lanes);
    vectors.distances = std::move(distances);
    ++vectors.loops;
    vectors.reduces = vectors.reduces || isReduction(id, loop.ref);
  }
  return vectors;
}

bool KeptVectors::isReduction(StageId id, LoopRef ref) const {
  return std::ranges::any_of(dimsOf(m_schedule.plan(id).nest, ref), [&](const std::uint16_t dim) {
    return m_pipeline.stage(id).loops[dim].kind == pipeline::LoopDim::Kind::Reduction;
  });
}

std::int64_t KeptVectors::bytes(StageId id, FuncId accessed, bool inPieces) const {
  const Vectors vectors =
      vectorsOf(id, accessed, inPieces ? Cuts::InPieces : Cuts::ElementByElement);
  if (vectors.lanes == 1) return 0;
  const std::int64_t bytes = elementBytes(accessed);
  if (!inPieces && !isOneAccess(vectors, bytes)) return 0;
  return std::min(pipeline::saturatingMultiply(vectors.lanes, bytes),
                  bytes * alignmentOf(id, accessed));
}

std::int64_t KeptVectors::elementBytes(FuncId id) const {
  std::int64_t bytes = 0;
  for (const pipeline::ScalarType type : m_pipeline.func(id).types)
    bytes = std::max<std::int64_t>(bytes, type.bytes());
  return bytes;
}

// Halide 21 accesses a vector at once if it has 4 elements of 4 bytes, or 16 bytes in a dot
// product. It accesses other vectors whose length is a power of two in pieces of 8 bytes. All other
// lengths count as one access, since a schedule with vectors of 3 elements gave wrong results for
// an unknown reason.
bool KeptVectors::isOneAccess(const Vectors &vectors, std::int64_t bytes) {
  const bool isPowerOfTwo = (vectors.lanes & (vectors.lanes - 1)) == 0;
  if (vectors.loops > 1 || !isPowerOfTwo) return true;
  if (bytes > kOneAccessElement) return false;
  if (bytes < kOneAccessElement) return vectors.reduces && vectors.lanes * bytes == kOneAccess;
  return std::ranges::any_of(vectors.distances, [&](const std::int64_t distance) {
    return vectors.lanes * std::abs(distance) * bytes == kOneAccess;
  });
}

// The alignment, in elements, that Halide can prove for a stage's vectors in a func. For instance,
// it is 2 if a serial loop runs over rows of 6 elements.
std::int64_t KeptVectors::alignmentOf(StageId id, FuncId accessed) const {
  const LoopNest &nest = m_schedule.plan(id).nest;
  const Place &store = m_schedule.plan(accessed).storePlace();
  std::int64_t multiple = 0;
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const Loop &loop = nest.loops[l];
    if (id == store.stage && loop.ref == store.loop) break;
    const bool moves =
        loop.kind == LoopKind::Serial && m_bounds.of(id).loops[l] > 1 &&
        nest.axes[loop.ref.axis].fused.empty() &&
        m_bounds.of(id).dims[loop.ref.axis] > 1; // if 1, a guard leaves one iteration
    if (!moves) continue;
    const std::vector<std::int64_t> by = movesOf(id, loop.ref, accessed);
    if (by.size() <= 1) multiple = std::gcd(multiple, by.empty() ? 1 : by.front());
  }
  return multiple == 0 ? pipeline::kPlusInfinity / kWidestElement : multiple & -multiple;
}

// How far a stage's accesses to a func move per iteration of a loop, in elements: one number for
// each different access.
std::vector<std::int64_t> KeptVectors::movesOf(StageId id, LoopRef ref, FuncId accessed) const {
  const std::vector<std::int64_t> strides = stridesOf(accessed);
  const Stage &stage = m_pipeline.stage(id);
  std::vector<std::int64_t> moves;
  if (stage.func == accessed) {
    moves.push_back(0);
    for (std::size_t d = 0; d < strides.size(); ++d)
      moves.front() += strides[d] * stepOf(id, ref, stage.store.indices[d]);
  }
  for (const pipeline::EdgeId into : m_pipeline.edgesInto(id)) {
    const pipeline::Edge &edge = m_pipeline.edge(into);
    if (edge.producer != pipeline::Producer::func(accessed)) continue;
    for (const std::int64_t distance : distancesOf(id, ref, edge, strides))
      if (std::ranges::find(moves, distance) == moves.end()) moves.push_back(distance);
  }
  return moves;
}

// Adds one distance for all reads through inlined funcs: per iteration, each of these reads moves
// by a multiple of it, or not at all.
void KeptVectors::addThroughOthers(std::vector<std::int64_t> &moves, StageId id, LoopRef ref,
                                   FuncId accessed) const {
  const std::vector<std::int64_t> strides = stridesOf(accessed);
  std::vector<bool> moved(strides.size());
  if (!followInlined(moved, id, dimsOf(m_schedule.plan(id).nest, ref), accessed)) return;
  std::int64_t least = 0;
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (moved[d]) least = std::gcd(least, strides[d]);
  if (std::ranges::find(moves, least) == moves.end()) moves.push_back(least);
}

// Marks the dimensions of `accessed` whose index depends on `loops` of a stage, where the stage
// reads it through inlined funcs. Returns whether there are such reads.
bool KeptVectors::followInlined(std::vector<bool> &moved, StageId id,
                                const std::vector<std::uint16_t> &loops, FuncId accessed) const {
  std::vector<StageId> evaluated = evaluatedBy(m_schedule, id);
  std::ranges::sort(evaluated, std::ranges::greater{});             // readers first
  std::map<StageId, std::vector<std::uint16_t>> along{{id, loops}}; // by stage: dependent loops
  bool reads = false;
  for (const StageId stage : evaluated)
    for (const pipeline::EdgeId into : m_pipeline.edgesInto(stage)) {
      const pipeline::Edge &edge = m_pipeline.edge(into);
      if (edge.producer.kind != pipeline::Producer::Kind::Func) continue;
      const FuncId producer{edge.producer.index};
      if (m_schedule.plan(producer).isInline()) {
        const StageId inlined = m_pipeline.func(producer).firstStage;
        addMoved(along[inlined], inlined, edge, along[stage]);
      } else if (producer == accessed && stage != id) {
        reads = true;
        for (std::size_t d = 0; d < moved.size(); ++d)
          moved[d] = moved[d] || isMoved(edge.maps[d], along[stage]);
      }
    }
  return reads;
}

// Adds the loops of the inlined stage `read` whose range depends on `loops` of its reader.
void KeptVectors::addMoved(std::vector<std::uint16_t> &further, StageId read,
                           const pipeline::Edge &edge,
                           const std::vector<std::uint16_t> &loops) const {
  const std::vector<pipeline::LoopDim> &own = m_pipeline.stage(read).loops;
  for (std::uint16_t l = 0; l < own.size(); ++l)
    if (own[l].argument && isMoved(edge.maps[*own[l].argument], loops)) further.push_back(l);
}

// Whether Halide sees that a vectorised loop is longer than the whole range of its axis. The guard
// then leaves only a part of each vector, which is accessed element by element. If Halide does not
// see it, there is code for whole vectors: it never runs, but LLVM may move its loads before the
// test.
bool KeptVectors::isAlwaysCut(StageId id, std::size_t loop) const {
  const LoopNest &nest = m_schedule.plan(id).nest;
  const LoopRef ref = nest.loops[loop].ref;
  const Axis &axis = nest.axes[ref.axis];
  if (!axis.fused.empty() || axis.splits.empty()) return false;
  if (m_bounds.of(id).extents[ref.axis] > Extent::Fixed) return false;
  const Stage &stage = m_pipeline.stage(id);
  const pipeline::LoopDim &dim = stage.loops[ref.axis];
  const bool isReduction = dim.kind == pipeline::LoopDim::Kind::Reduction;
  if (!guards(performed(axis.splits.front().tail, stage.index > 0, isReduction))) return false;
  const std::int64_t most = dim.argument ? m_bounds.of(stage.func).stored[*dim.argument].extent()
                                         : m_bounds.of(id).dims[ref.axis];
  return m_bounds.of(id).loops[loop] * axis.inside(ref.part) > most;
}

// The distances, in elements, between what successive iterations of a loop read. There are several
// if a dimension is read at several indices.
std::vector<std::int64_t> KeptVectors::distancesOf(StageId id, LoopRef ref,
                                                   const pipeline::Edge &edge,
                                                   const std::vector<std::int64_t> &strides) const {
  std::vector<std::int64_t> distances{0};
  for (std::size_t d = 0; d < strides.size(); ++d) {
    std::vector<std::int64_t> further;
    for (const IndexMap &map : edge.maps[d]) {
      const std::int64_t by = strides[d] * stepOf(id, ref, map);
      for (const std::int64_t distance : distances)
        if (std::ranges::find(further, distance + by) == further.end())
          further.push_back(distance + by);
    }
    distances = std::move(further);
  }
  return distances;
}

// How far an index moves from one iteration of a loop to the next; 1 where that is not known.
std::int64_t KeptVectors::stepOf(StageId id, LoopRef ref, const IndexMap &map) const {
  const Axis &axis = m_schedule.plan(id).nest.axes[ref.axis];
  const std::vector<std::uint16_t> dims = dimsOf(m_schedule.plan(id).nest, ref);
  if (!isMoved(map, dims)) return 0;
  if (dims.size() > 1 || isAnywhere(map)) return 1;
  const std::int64_t inside = axis.inside(ref.part);
  std::int64_t step = 0;
  for (const pipeline::Atom &atom : map.atoms)
    for (const pipeline::AffineTerm &term : atom.terms)
      if (term.loop == dims.front())
        step += atom.scale *
                std::max<std::int64_t>(1, std::abs(term.coefficient) * inside / atom.divisor);
  return step;
}

// The stride of each dimension of a func, in elements.
std::vector<std::int64_t> KeptVectors::stridesOf(FuncId id) const {
  const std::vector<std::uint16_t> &layout = m_schedule.plan(id).layout;
  std::vector<std::int64_t> strides(m_bounds.of(id).stored.size());
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::size_t dim = layout.empty() ? i : layout[i];
    strides[dim] = stride;
    stride = pipeline::saturatingMultiply(stride, m_kept.extent(id, dim));
  }
  return strides;
}

} // namespace tessera::schedule
