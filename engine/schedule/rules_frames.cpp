// SPDX-License-Identifier: MIT
// What each thread keeps, in kernels with vectors.
//
// Halide 21 makes one access of 16 bytes of 4 elements side by side, of 4 bytes each, where it
// knows that their index is a multiple of 4 (`Do aligned 4-wide 32-bit loads as a single i128 load`
// in CodeGen_PTX_Dev); all other vectors it takes in pieces of at most 8 bytes. It does so in a
// thread's frame too, as if the frame and each func in it began at a multiple of 16. lower() pads
// the funcs (kept_storage.h). The frame itself is only at a multiple of 8: PTX says
// `.local .align 4`, and registers that ptxas spills into it shift it by 8 as often as not. Then
// the address is misaligned, or another one than meant where LLVM joins what it takes for alignment
// with `or`. And the code that CUDA links in for a large argument of a sine has a table of 28 bytes
// in the same frame, before the funcs: there pieces of 8 bytes are misaligned too.
//
// Only what is still in memory when all is compiled is at risk: a func whose indices are all
// constants, because every loop over it is unrolled or vectorised, ends up in registers. No loop is
// needed where an index depends on where the tile begins: x / 2 - min / 2, or 3 - min beside
// x - min.
#include "engine/pipeline/saturating.h"
#include "engine/schedule/evaluated_stages.h"
#include "engine/schedule/reach.h"
#include "engine/schedule/rules.h"
#include "engine/schedule/tails.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::int64_t kFrameAlignment = 8; // bytes
constexpr std::int64_t kWidestElement = 8;  // bytes
constexpr std::int64_t kLongestStride = 4;  // up to it Halide loads all between and picks
constexpr std::int64_t kOneAccess = 16, kOneAccessElement = 4; // bytes

bool callsFunctions(const Stage &stage) {
  return std::ranges::any_of(stage.operations, [](const pipeline::OpCount &count) {
    return count.kind == pipeline::OpKind::Transcendental;
  });
}

// By the func at the root of a kernel.
std::vector<bool> kernelsWithFunctions(const RuleContext &context, const Shape &shape) {
  std::vector<bool> kernels(context.pipeline.funcs().size());
  for (const Stage &stage : context.pipeline.stages()) {
    if (!callsFunctions(stage)) continue;
    if (!context.schedule.plan(stage.func).isInline())
      kernels[index(shape.of(stage.func).kernel)] = true;
    else
      for (const StageId reader : readersOf(context.schedule, stage.func))
        kernels[index(shape.of(context.pipeline.stage(reader).func).kernel)] = true;
  }
  return kernels;
}

bool mentions(const IndexMap &map, const std::vector<std::uint16_t> &dims) {
  if (map.precision == pipeline::Precision::Whole) return true;
  for (const pipeline::Atom &atom : map.atoms)
    for (const pipeline::AffineTerm &term : atom.terms)
      if (std::ranges::find(dims, term.loop) != dims.end()) return true;
  return false;
}

bool isMoved(const std::vector<IndexMap> &maps, const std::vector<std::uint16_t> &loops) {
  return std::ranges::any_of(maps, [&](const IndexMap &map) { return mentions(map, loops); });
}

// What is inside of one iteration of a part.
std::int64_t insideOf(const Axis &axis, std::uint16_t part) {
  return part < axis.splits.size() ? axis.splits[part].factor : 1;
}

class FrameRules {
public:
  FrameRules(const RuleContext &context, const Shape &shape, const KeptStorage &kept)
      : m_context(context), m_pipeline(context.pipeline), m_shape(shape), m_kept(kept),
        m_vectors(kept.kernelsWithVectors()) {}

  void check() {
    if (std::ranges::find(m_vectors, true) == m_vectors.end()) return;
    m_functions = kernelsWithFunctions(m_context, m_shape);
    for (const FuncId func : m_context.funcs) {
      checkPadding(func);
      if (isKeptByThread(func)) checkFunc(func);
      if (isInRegistersOfBlock(func)) checkRegisters(func);
    }
  }

private:
  bool isKeptByThread(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Shape::FuncShape &shape = m_shape.of(id);
    return !plan.isInline() && shape.storeDepth == Depth::Thread && m_vectors[index(shape.kernel)];
  }

  bool isInRegistersOfBlock(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Shape::FuncShape &shape = m_shape.of(id);
    return !plan.isInline() && plan.storage == Storage::Registers &&
           shape.storeDepth == Depth::Block && m_vectors[index(shape.kernel)];
  }

  // Of what lies behind it: Halide lays out funcs without a gap.
  void checkPadding(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Shape::FuncShape &shape = m_shape.of(id);
    const bool isOnChip = !plan.isInline() && shape.storeDepth != Depth::Host &&
                          plan.storage != Storage::Global && plan.storage != Storage::Registers;
    if (!isOnChip || plan.storageDims.empty() || !m_vectors[index(shape.kernel)]) return;
    const std::int64_t elements = m_kept.elements(id);
    for (const pipeline::ScalarType type : m_pipeline.func(id).types)
      if (const std::int64_t bytes = pipeline::saturatingMultiply(elements, type.bytes());
          bytes % kOneAccess != 0) {
        m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                         m_pipeline.func(id).name + " takes " + std::to_string(bytes) +
                             " bytes as it is padded, and vectors of what lies behind it would not "
                             "be aligned",
                         "padding to a multiple of 16 bytes, or none");
        return;
      }
  }

  // One array to LLVM, for all threads: it finds what a thread has stored there as long as no
  // branch is in between. Where one stays the array does too, in the thread's frame.
  void checkRegisters(FuncId id) const {
    for (const StageId stage : m_pipeline.stageIdsOf(id)) {
      if (vectorBytes(stage, id, false) <= kFrameAlignment || !isBranchUnrolled(stage)) continue;
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       m_pipeline.func(id).name +
                           " is kept in registers by the threads of a block that is one of a "
                           "fused loop, and guards between its vectors would leave it in "
                           "memory, not aligned",
                       "no unrolled loops that a guard may cut, or block loops that are not fused");
      return;
    }
  }

  // Whether an unrolled loop has a guard, which Halide does not see to be true always: a fused loop
  // of the blocks around hides where they begin.
  bool isBranchUnrolled(StageId id) const {
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    const Stage &stage = m_pipeline.stage(id);
    return std::ranges::any_of(nest.loops, [&](const Loop &loop) {
      const std::vector<Split> &splits = nest.axes[loop.ref.axis].splits;
      const pipeline::LoopDim &dim = stage.loops[loop.ref.axis];
      return loop.kind == LoopKind::Unrolled && dim.argument && !splits.empty() &&
             guards(performed(splits.front().tail, stage.index > 0, false)) &&
             isFusedAround(stage.func, *dim.argument);
    });
  }

  // Whether the stage around is in fused blocks along a dimension of what it reads.
  bool isFusedAround(FuncId id, std::size_t dim) const {
    const StageId around = m_context.schedule.plan(id).storePlace().stage;
    const LoopNest &nest = m_context.schedule.plan(around).nest;
    for (const pipeline::EdgeId into : m_pipeline.edgesInto(around)) {
      const pipeline::Edge &edge = m_pipeline.edge(into);
      if (edge.producer != pipeline::Producer::func(id)) continue;
      for (const Loop &loop : nest.loops)
        if (loop.kind == LoopKind::Block && !nest.axes[loop.ref.axis].fused.empty() &&
            std::ranges::any_of(edge.maps[dim], [&](const IndexMap &map) {
              return mentions(map, dimsOf(nest, loop.ref));
            }))
          return true;
    }
    return false;
  }

  void checkFunc(FuncId id) const {
    if (m_context.schedule.plan(id).storage == Storage::Global) return checkGlobal(id);
    const std::vector<StageId> stages = accessing(id);
    const bool besideTables = m_functions[index(m_shape.of(id).kernel)];
    const std::int64_t joined = joinedBytes(id);
    const bool besideBytes =
        joined >= kFrameAlignment && isBesideBytes(id) &&
        std::ranges::any_of(stages, [&](StageId stage) { return isReadByData(stage, id); });
    std::int64_t widest = joined == kOneAccess && bytesOf(id) == kOneAccessElement ? joined : 0;
    for (const StageId stage : stages)
      widest = std::max(widest, vectorBytes(stage, id, besideTables));
    const bool isNarrow = widest < kFrameAlignment || (widest == kFrameAlignment && !besideTables);
    const auto isLeft = [&](StageId stage) {
      return isLoopedOver(stage, id) || isReadAnywhere(stage, id);
    };
    if (!besideBytes && (isNarrow || std::ranges::none_of(stages, isLeft))) return;
    const std::string keeps = m_pipeline.func(id).name + " is kept by each thread";
    if (besideTables)
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + ", in a kernel with functions that keep tables beside it, and its "
                               "vectors would not be aligned",
                       "no vectors along it, another layout, or loops over it unrolled");
    else if (besideBytes)
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + ", beside others of less than 4 bytes an element, and its vectors "
                               "would not be aligned",
                       "no vectors along it, or no unrolled loop between their elements");
    else
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + " at a multiple of 8 bytes, and its vectors of " +
                           std::to_string(widest) + " bytes would not be aligned",
                       "vectors of 8 bytes or less, or of 32 and more, another layout, or loops "
                       "over it unrolled");
  }

  // In bytes, of the vectors that a func is stored in with an unrolled loop in between: they are
  // joined to one.
  std::int64_t joinedBytes(FuncId id) const {
    std::int64_t most = 0;
    for (const StageId stage : m_pipeline.stageIdsOf(id)) {
      const LoopNest &nest = m_context.schedule.plan(stage).nest;
      for (std::size_t v = 0; v < nest.loops.size(); ++v) {
        const std::int64_t lanes = m_shape.of(stage).loops[v];
        if (nest.loops[v].kind != LoopKind::Vectorized || lanes == 1 || isAlwaysCut(stage, v))
          continue;
        const std::int64_t apart = movesOf(stage, nest.loops[v].ref, id)[0];
        for (std::size_t u = 0; u < nest.loops.size(); ++u)
          if (nest.loops[u].kind == LoopKind::Unrolled && m_shape.of(stage).loops[u] > 1 &&
              m_shape.of(stage).loops[u] * movesOf(stage, nest.loops[u].ref, id)[0] == apart)
            most = std::max(most, bytesOf(id) * std::min(lanes * apart, alignmentOf(stage, id)));
      }
    }
    return most;
  }

  // Where no array's elements have 4 bytes, a compiler aligns none, and keeps of one what is read.
  bool isBesideBytes(FuncId id) const {
    const auto isBytes = [&](FuncId func) {
      return std::ranges::all_of(m_pipeline.func(func).types, [](const pipeline::ScalarType type) {
        return type.bytes() < kOneAccessElement;
      });
    };
    return isBytes(id) && std::ranges::any_of(m_context.funcs, [&](FuncId other) {
             return other != id && isKeptByThread(other) && isBytes(other) &&
                    m_shape.of(other).kernel == m_shape.of(id).kernel;
           });
  }

  // In global memory the elements of a thread lie as far apart as the block has threads: they are
  // taken one by one, unless that is so few that Halide loads all between.
  void checkGlobal(FuncId id) const {
    const std::int64_t apart = threadsAround(id);
    if (std::ranges::none_of(accessing(id), [&](const StageId stage) {
          return vectorsOf(stage, id, Cuts::ElementByElement, apart).lanes > 1;
        }))
      return;
    m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                     m_pipeline.func(id).name +
                         " is kept by each thread in global memory, interleaved with those of "
                         "others, and its vectors would not be aligned",
                     "no vectors along it, more threads, or a place further out");
  }

  std::int64_t threadsAround(FuncId id) const {
    const StageId around = stageInThreads(m_context, m_shape, id);
    const LoopNest &nest = m_context.schedule.plan(around).nest;
    std::int64_t threads = 1;
    for (std::size_t l = 0; l < nest.loops.size(); ++l)
      if (nest.loops[l].kind == LoopKind::Thread || nest.loops[l].kind == LoopKind::Lane)
        threads = pipeline::saturatingMultiply(threads, m_shape.of(around).loops[l]);
    return threads;
  }

  std::vector<StageId> accessing(FuncId id) const {
    std::vector<StageId> stages = readersOf(m_context.schedule, id);
    const pipeline::Func &func = m_pipeline.func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s)
      stages.push_back(static_cast<StageId>(index(func.firstStage) + s));
    return stages;
  }

  // Whether a loop that is left when all is compiled says where a stage finds the func.
  bool isLoopedOver(StageId stage, FuncId id) const {
    const Place &store = m_context.schedule.plan(id).storePlace();
    const bool own = m_pipeline.stage(stage).func == id;
    std::size_t loop = 0;
    for (StageId in = stage;;) {
      const LoopNest &nest = m_context.schedule.plan(in).nest;
      for (; loop < nest.loops.size(); ++loop) {
        const LoopRef ref = nest.loops[loop].ref;
        if (in == store.stage && ref == store.loop) return false;
        const bool isLeft =
            nest.loops[loop].kind == LoopKind::Serial && m_shape.of(in).loops[loop] > 1;
        if (isLeft && (in != stage || isIndex(stage, ref, id))) return true;
      }
      const Place &around = m_context.schedule.plan(m_pipeline.stage(in).func).compute;
      if (own || around.kind != Place::Kind::At) return false;
      in = around.stage;
      loop = *m_context.schedule.plan(in).nest.find(around.loop);
    }
  }

  // Whether where a stage reads a func depends on where the tile of it begins, along one dimension
  // of which more than one is kept: where that is cut, and between reads that move apart.
  bool isReadAnywhere(StageId stage, FuncId id) const {
    std::vector<const IndexMap *> first(m_shape.of(id).stored.size());
    for (const StageId reader : evaluatedBy(m_context.schedule, stage))
      for (const pipeline::EdgeId into : m_pipeline.edgesInto(reader)) {
        const pipeline::Edge &edge = m_pipeline.edge(into);
        if (edge.producer != pipeline::Producer::func(id)) continue;
        for (std::size_t d = 0; d < first.size(); ++d) {
          if (m_kept.extent(id, d) == 1) continue;
          for (const IndexMap &map : edge.maps[d]) {
            if (!first[d]) first[d] = &map;
            if (isCut(map) || !movesAlike(map, *first[d])) return true;
          }
        }
      }
    return false;
  }

  bool isReadByData(StageId stage, FuncId id) const {
    return std::ranges::any_of(m_pipeline.edgesInto(stage), [&](const pipeline::EdgeId into) {
      const pipeline::Edge &edge = m_pipeline.edge(into);
      return edge.producer == pipeline::Producer::func(id) &&
             std::ranges::any_of(edge.maps, [](const std::vector<IndexMap> &maps) {
               return std::ranges::find(maps, pipeline::Precision::Whole, &IndexMap::precision) !=
                      maps.end();
             });
    });
  }

  // What is left of vectors that a guard always cuts: never whole, but LLVM may take two elements.
  enum class Cuts : std::uint8_t { ElementByElement, InPieces };

  // What a stage does with a func at once, where neighbours are so close that all is taken whole.
  struct Vectors {
    std::int64_t lanes = 1;
    std::size_t loops = 0; // that are vectorised together
    bool reduces = false;
    std::vector<std::int64_t> distances; // in elements, of the last of these loops
  };

  Vectors vectorsOf(StageId id, FuncId accessed, Cuts cuts, std::int64_t apart = 1) const {
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    Vectors vectors;
    for (std::size_t l = 0; l < nest.loops.size(); ++l) {
      const Loop &loop = nest.loops[l];
      if (loop.kind != LoopKind::Vectorized) continue;
      if (cuts == Cuts::ElementByElement && isAlwaysCut(id, l)) continue;
      const std::int64_t lanes = m_shape.of(id).loops[l];
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

  bool isReduction(StageId id, LoopRef ref) const {
    return std::ranges::any_of(
        dimsOf(m_context.schedule.plan(id).nest, ref), [&](const std::uint16_t dim) {
          return m_pipeline.stage(id).loops[dim].kind == pipeline::LoopDim::Kind::Reduction;
        });
  }

  // As Halide knows the place of the widest vector that a stage stores to a func or loads from it:
  // no more of it is one access.
  std::int64_t vectorBytes(StageId id, FuncId accessed, bool besideTables) const {
    const Vectors vectors =
        vectorsOf(id, accessed, besideTables ? Cuts::InPieces : Cuts::ElementByElement);
    if (vectors.lanes == 1) return 0;
    const std::int64_t bytes = bytesOf(accessed);
    if (!besideTables && !isOneAccess(vectors, bytes)) return 0;
    return std::min(pipeline::saturatingMultiply(vectors.lanes, bytes),
                    bytes * alignmentOf(id, accessed));
  }

  std::int64_t bytesOf(FuncId id) const {
    std::int64_t bytes = 0;
    for (const pipeline::ScalarType type : m_pipeline.func(id).types)
      bytes = std::max<std::int64_t>(bytes, type.bytes());
    return bytes;
  }

  // Halide 21 makes one access of 4 elements of 4 bytes, and of what a dot product takes as such:
  // of all others it makes pieces of 8 bytes. One schedule with vectors of 3 was wrong; why is not
  // known.
  static bool isOneAccess(const Vectors &vectors, std::int64_t bytes) {
    const bool isPowerOfTwo = (vectors.lanes & (vectors.lanes - 1)) == 0;
    if (vectors.loops > 1 || !isPowerOfTwo) return true;
    if (bytes > kOneAccessElement) return false;
    if (bytes < kOneAccessElement) return vectors.reduces && vectors.lanes * bytes == kOneAccess;
    return std::ranges::any_of(vectors.distances, [&](const std::int64_t distance) {
      return vectors.lanes * std::abs(distance) * bytes == kOneAccess;
    });
  }

  // What Halide knows the places of a stage's vectors in a func to be multiples of, in elements: a
  // loop that is left over rows of 6 makes that 2.
  std::int64_t alignmentOf(StageId id, FuncId accessed) const {
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    const Place &store = m_context.schedule.plan(accessed).storePlace();
    std::int64_t multiple = 0;
    for (std::size_t l = 0; l < nest.loops.size(); ++l) {
      const Loop &loop = nest.loops[l];
      if (id == store.stage && loop.ref == store.loop) break;
      const bool moves = loop.kind == LoopKind::Serial && m_shape.of(id).loops[l] > 1 &&
                         nest.axes[loop.ref.axis].fused.empty() &&
                         m_shape.of(id).dims[loop.ref.axis] > 1; // or a guard leaves of it one
      if (!moves) continue;
      const std::vector<std::int64_t> by = movesOf(id, loop.ref, accessed);
      if (by.size() <= 1) multiple = std::gcd(multiple, by.empty() ? 1 : by.front());
    }
    return multiple == 0 ? pipeline::kPlusInfinity / kWidestElement : multiple & -multiple;
  }

  // How far a stage moves in a func with each iteration of a loop, where it writes or reads it.
  std::vector<std::int64_t> movesOf(StageId id, LoopRef ref, FuncId accessed) const {
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

  // And where it reads it through what is inlined: no less than that, or nowhere.
  void addThroughOthers(std::vector<std::int64_t> &moves, StageId id, LoopRef ref,
                        FuncId accessed) const {
    const std::vector<std::int64_t> strides = stridesOf(accessed);
    std::vector<bool> moved(strides.size());
    if (!followInlined(moved, id, dimsOf(m_context.schedule.plan(id).nest, ref), accessed)) return;
    std::int64_t least = 0;
    for (std::size_t d = 0; d < strides.size(); ++d)
      if (moved[d]) least = std::gcd(least, strides[d]);
    if (std::ranges::find(moves, least) == moves.end()) moves.push_back(least);
  }

  // Marks dimensions of a func that move along with some loops of a stage, by way of what is
  // inlined into it; says whether it reads the func so.
  bool followInlined(std::vector<bool> &moved, StageId id, const std::vector<std::uint16_t> &loops,
                     FuncId accessed) const {
    std::vector<StageId> evaluated = evaluatedBy(m_context.schedule, id);
    std::ranges::sort(evaluated, std::ranges::greater{});             // readers first
    std::map<StageId, std::vector<std::uint16_t>> along{{id, loops}}; // loops that move, of each
    bool reads = false;
    for (const StageId stage : evaluated)
      for (const pipeline::EdgeId into : m_pipeline.edgesInto(stage)) {
        const pipeline::Edge &edge = m_pipeline.edge(into);
        if (edge.producer.kind != pipeline::Producer::Kind::Func) continue;
        const FuncId producer{edge.producer.index};
        if (m_context.schedule.plan(producer).isInline()) {
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

  // Loops of a stage that is read, which move along with some of its reader.
  void addMoved(std::vector<std::uint16_t> &further, StageId read, const pipeline::Edge &edge,
                const std::vector<std::uint16_t> &loops) const {
    const std::vector<pipeline::LoopDim> &own = m_pipeline.stage(read).loops;
    for (std::uint16_t l = 0; l < own.size(); ++l)
      if (own[l].argument && isMoved(edge.maps[*own[l].argument], loops)) further.push_back(l);
  }

  // Whether a vectorised loop is longer than all there is, and Halide sees that: its guard leaves
  // of each vector a part, which is taken element by element. Where Halide does not, there is code
  // for whole vectors that never runs, but LLVM may load what it needs ahead of the test.
  bool isAlwaysCut(StageId id, std::size_t loop) const {
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    const LoopRef ref = nest.loops[loop].ref;
    const Axis &axis = nest.axes[ref.axis];
    if (!axis.fused.empty() || axis.splits.empty()) return false;
    if (m_shape.of(id).extents[ref.axis] > Extent::Fixed) return false;
    const Stage &stage = m_pipeline.stage(id);
    const pipeline::LoopDim &dim = stage.loops[ref.axis];
    const bool isReduction = dim.kind == pipeline::LoopDim::Kind::Reduction;
    if (!guards(performed(axis.splits.front().tail, stage.index > 0, isReduction))) return false;
    const std::int64_t most = dim.argument ? m_shape.of(stage.func).stored[*dim.argument].extent()
                                           : m_shape.of(id).dims[ref.axis];
    return m_shape.of(id).loops[loop] * insideOf(axis, ref.part) > most;
  }

  // Between what neighbours read; a dimension may be read in several ways.
  std::vector<std::int64_t> distancesOf(StageId id, LoopRef ref, const pipeline::Edge &edge,
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
  std::int64_t stepOf(StageId id, LoopRef ref, const IndexMap &map) const {
    const Axis &axis = m_context.schedule.plan(id).nest.axes[ref.axis];
    const std::vector<std::uint16_t> dims = dimsOf(m_context.schedule.plan(id).nest, ref);
    if (!mentions(map, dims)) return 0;
    if (dims.size() > 1 || map.precision == pipeline::Precision::Whole) return 1;
    const std::int64_t inside = insideOf(axis, ref.part);
    std::int64_t step = 0;
    for (const pipeline::Atom &atom : map.atoms)
      for (const pipeline::AffineTerm &term : atom.terms)
        if (term.loop == dims.front())
          step += atom.scale *
                  std::max<std::int64_t>(1, std::abs(term.coefficient) * inside / atom.divisor);
    return step;
  }

  // Of each dimension of a func, in elements.
  std::vector<std::int64_t> stridesOf(FuncId id) const {
    const std::vector<std::uint16_t> &layout = m_context.schedule.plan(id).layout;
    std::vector<std::int64_t> strides(m_shape.of(id).stored.size());
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < strides.size(); ++i) {
      const std::size_t dim = layout.empty() ? i : layout[i];
      strides[dim] = stride;
      stride = pipeline::saturatingMultiply(stride, m_kept.extent(id, dim));
    }
    return strides;
  }

  // Whether a loop of a stage says where it writes or reads a func. Through what is inlined, any
  // loop may.
  bool isIndex(StageId id, LoopRef ref, FuncId accessed) const {
    const std::vector<std::uint16_t> dims = dimsOf(m_context.schedule.plan(id).nest, ref);
    const Stage &stage = m_pipeline.stage(id);
    if (stage.func == accessed) return isMoved(stage.store.indices, dims);
    bool reads = false;
    for (const pipeline::EdgeId into : m_pipeline.edgesInto(id)) {
      const pipeline::Edge &edge = m_pipeline.edge(into);
      if (edge.producer != pipeline::Producer::func(accessed)) continue;
      reads = true;
      for (const std::vector<IndexMap> &maps : edge.maps)
        if (isMoved(maps, dims)) return true;
    }
    return !reads;
  }

  const RuleContext &m_context;
  const pipeline::Pipeline &m_pipeline;
  const Shape &m_shape;
  const KeptStorage &m_kept;
  const std::vector<bool> &m_vectors; // kernels, by the func at the root, as the next
  std::vector<bool> m_functions;
};

} // namespace

void checkFrames(const RuleContext &context, const Shape &shape, const KeptStorage &kept) {
  FrameRules(context, shape, kept).check();
}

} // namespace tessera::schedule
