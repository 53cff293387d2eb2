// SPDX-License-Identifier: MIT
// The alignment of what each thread keeps, in kernels with vectors.
//
// Halide 21 makes one access of 16 bytes for 4 contiguous elements of 4 bytes, where it knows that
// their index is a multiple of 4 (`Do aligned 4-wide 32-bit loads as a single i128 load` in
// CodeGen_PTX_Dev). It takes all other vectors in pieces of at most 8 bytes. It makes accesses of
// 16 bytes even in a thread's frame (the thread's local memory), as if the frame and each func in
// it began at a multiple of 16. lower() pads the funcs (kept_storage.h). But the frame itself only
// begins at a multiple of 8: PTX says `.local .align 4`, and registers that ptxas spills into it
// often shift it by 8. Then the address is misaligned. It may even be a wrong address, because LLVM
// adds offsets with `or` where it assumes alignment. In addition, the code that CUDA links in for a
// large argument of a sine has a table of 28 bytes in the same frame, before the funcs. There,
// pieces of 8 bytes are misaligned, too.
//
// Only what remains in memory after compilation is at risk. A func whose indices are all constants,
// because every loop over it is unrolled or vectorised, ends up in registers. A func remains in
// memory even without a loop if an index depends on where the tile begins: x / 2 - min / 2, or 3 -
// min beside x - min.
#include "engine/schedule/rules/rules_frames.h"

#include "engine/schedule/rules/kept_vectors.h"
#include "engine/pipeline/saturating.h"
#include "engine/schedule/bounds/evaluated_stages.h"
#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::int64_t kFrameAlignment = 8; // bytes

bool callsFunctions(const Stage &stage) {
  return std::ranges::any_of(stage.operations, [](const pipeline::OpCount &count) {
    return count.kind == pipeline::OpKind::Transcendental;
  });
}

// For each root func, whether its kernel calls library functions such as a sine.
std::vector<bool> kernelsWithFunctions(const RuleContext &context, const Bounds &bounds) {
  std::vector<bool> kernels(context.pipeline.funcs().size());
  for (const Stage &stage : context.pipeline.stages()) {
    if (!callsFunctions(stage)) continue;
    if (!context.schedule.plan(stage.func).isInline())
      kernels[index(bounds.of(stage.func).kernel)] = true;
    else
      for (const StageId reader : readersOf(context.schedule, stage.func))
        kernels[index(bounds.of(context.pipeline.stage(reader).func).kernel)] = true;
  }
  return kernels;
}

class FrameRules {
public:
  FrameRules(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept)
      : m_context(context), m_pipeline(context.pipeline), m_bounds(bounds), m_kept(kept),
        m_vectors(context.schedule, bounds, kept), m_withVectors(kept.kernelsWithVectors()) {}

  void check() {
    for (const FuncId func : m_context.funcs)
      checkPadding(func);
    if (std::ranges::find(m_withVectors, true) == m_withVectors.end()) return;
    m_functions = kernelsWithFunctions(m_context, m_bounds);
    for (const FuncId func : m_context.funcs) {
      if (isKeptByThread(func)) checkFunc(func);
      if (isInRegistersOfBlock(func)) checkRegisters(func);
    }
  }

private:
  bool isKeptByThread(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Bounds::FuncBounds &bounds = m_bounds.of(id);
    return !plan.isInline() && bounds.storeDepth == Depth::Thread &&
           m_withVectors[index(bounds.kernel)];
  }

  bool isInRegistersOfBlock(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Bounds::FuncBounds &bounds = m_bounds.of(id);
    return !plan.isInline() && plan.storage == Storage::Registers &&
           bounds.storeDepth == Depth::Block && m_withVectors[index(bounds.kernel)];
  }

  // Checks the decided padding of a func, which aligns the data behind the func, and keeps it
  // inside of memory that funcs share (kept_storage.h).
  void checkPadding(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Bounds::FuncBounds &bounds = m_bounds.of(id);
    const bool isOnChip = !plan.isInline() && bounds.storeDepth != Depth::Host &&
                          plan.storage != Storage::Global && plan.storage != Storage::Registers;
    const std::int64_t unit = m_kept.unit(id);
    if (!isOnChip || plan.storageDims.empty() || unit == 1) return;
    const std::int64_t elements = m_kept.elements(id);
    for (const pipeline::ScalarType type : m_pipeline.func(id).types)
      if (const std::int64_t bytes = pipeline::saturatingMultiply(elements, type.bytes());
          bytes % unit != 0)
        return refusePadding(id, bytes, unit);
  }

  void refusePadding(FuncId id, std::int64_t bytes, std::int64_t unit) const {
    const std::string reason = m_withVectors[index(m_bounds.of(id).kernel)]
                                   ? "so vectors of the data behind it would not be aligned"
                                   : "so it would not fit into memory that it shares with wider "
                                     "elements";
    m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                     m_pipeline.func(id).name + " takes " + std::to_string(bytes) +
                         " bytes with its padding, " + reason,
                     "padding to a multiple of " + std::to_string(unit) + " bytes, or no padding");
  }

  // To LLVM, a func in the registers of a block is one array for all threads. LLVM replaces a
  // thread's loads by the stored values as long as no branch is in between and they are as wide as
  // the stores. Otherwise the array stays in the thread's frame, where it is not aligned.
  void checkRegisters(FuncId id) const {
    const std::string keeps =
        m_pipeline.func(id).name + " is kept in registers by the threads of a block";
    std::int64_t widest = 0;
    for (const StageId stage : m_pipeline.stageIdsOf(id)) {
      const std::int64_t bytes = m_vectors.bytes(stage, id, false);
      widest = std::max(widest, bytes);
      if (bytes <= kFrameAlignment || !isBranchUnrolled(stage)) continue;
      return m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                              keeps +
                                  " whose block loop is fused, and "
                                  "guards between its vectors would leave it unaligned in memory",
                              "no unrolled loops that a guard may cut, or no fused block loops");
    }
    if (widest > kFrameAlignment &&
        std::ranges::any_of(readersOf(m_context.schedule, id), [&](StageId reader) {
          return m_vectors.bytes(reader, id, false) < widest;
        }))
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps +
                           ", and is stored in wider vectors than it is read in, so that it would "
                           "stay in memory, unaligned",
                       "vectors of the same width where it is read");
  }

  // Whether an unrolled loop has a guard that Halide does not see to be always true, because a
  // fused block loop around it hides where the blocks begin.
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

  // Whether the stage in whose loops the func is stored reads it along `dim` with an index that
  // depends on a fused block loop.
  bool isFusedAround(FuncId id, std::size_t dim) const {
    const StageId around = m_context.schedule.plan(id).storePlace().stage;
    const LoopNest &nest = m_context.schedule.plan(around).nest;
    for (const pipeline::EdgeId into : m_pipeline.edgesInto(around)) {
      const pipeline::Edge &edge = m_pipeline.edge(into);
      if (edge.producer != pipeline::Producer::func(id)) continue;
      for (const Loop &loop : nest.loops)
        if (loop.kind == LoopKind::Block && !nest.axes[loop.ref.axis].fused.empty() &&
            std::ranges::any_of(edge.maps[dim], [&](const IndexMap &map) {
              return isMoved(map, dimsOf(nest, loop.ref));
            }))
          return true;
    }
    return false;
  }

  void checkFunc(FuncId id) const {
    if (m_context.schedule.plan(id).storage == Storage::Global) return checkGlobal(id);
    const std::vector<StageId> stages = accessing(id);
    const bool besideTables = m_functions[index(m_bounds.of(id).kernel)];
    const std::int64_t joined = m_vectors.joinedBytes(id);
    const bool besideBytes =
        joined >= kFrameAlignment && isBesideBytes(id) &&
        std::ranges::any_of(stages, [&](StageId stage) { return isReadByData(stage, id); });
    std::int64_t widest =
        joined == kOneAccess && m_vectors.elementBytes(id) == kOneAccessElement ? joined : 0;
    for (const StageId stage : stages)
      widest = std::max(widest, m_vectors.bytes(stage, id, besideTables));
    const bool isNarrow = widest < kFrameAlignment || (widest == kFrameAlignment && !besideTables);
    const auto isLeft = [&](StageId stage) {
      return isLoopedOver(stage, id) || isReadAnywhere(stage, id);
    };
    if (!besideBytes && (isNarrow || std::ranges::none_of(stages, isLeft))) return;
    const std::string keeps = m_pipeline.func(id).name + " is stored per thread";
    if (besideTables)
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + ", in a kernel that calls functions with tables in memory, so its "
                               "vectors would not be aligned",
                       "no vectors along it, another layout, or unrolled loops over it");
    else if (besideBytes)
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + ", beside others with elements of less than 4 bytes, so its vectors "
                               "would not be aligned",
                       "no vectors along it, or no unrolled loop between their elements");
    else
      m_context.refuse(
          Rule::FrameAlignment, id, DecisionKind::Storage,
          keeps + " at a multiple of 8 bytes, so its vectors of " + std::to_string(widest) +
              " bytes would not be aligned",
          "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it");
  }

  // Whether this func and another one that is stored per thread in the same kernel both have only
  // elements of less than 4 bytes. If no array has elements of 4 bytes, the compiler aligns no
  // array, and keeps only those parts of an array that are read.
  bool isBesideBytes(FuncId id) const {
    const auto isBytes = [&](FuncId func) {
      return std::ranges::all_of(m_pipeline.func(func).types, [](const pipeline::ScalarType type) {
        return type.bytes() < kOneAccessElement;
      });
    };
    return isBytes(id) && std::ranges::any_of(m_context.funcs, [&](FuncId other) {
             return other != id && isKeptByThread(other) && isBytes(other) &&
                    m_bounds.of(other).kernel == m_bounds.of(id).kernel;
           });
  }

  // For a func that is stored per thread in global memory: a thread's elements lie as far apart as
  // the block has threads. They are accessed one by one, unless the distance is so short that
  // Halide loads everything in between.
  void checkGlobal(FuncId id) const {
    const std::int64_t apart = threadsAround(id);
    if (std::ranges::none_of(
            accessing(id), [&](const StageId stage) { return m_vectors.isAny(stage, id, apart); }))
      return;
    m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                     m_pipeline.func(id).name +
                         " is stored per thread in global memory, interleaved with that of other "
                         "threads, so its vectors would not be aligned",
                     "no vectors along it, more threads, or a compute place further out");
  }

  std::int64_t threadsAround(FuncId id) const {
    const StageId around = stageInThreads(m_context, m_bounds, id);
    const LoopNest &nest = m_context.schedule.plan(around).nest;
    std::int64_t threads = 1;
    for (std::size_t l = 0; l < nest.loops.size(); ++l)
      if (nest.loops[l].kind == LoopKind::Thread || nest.loops[l].kind == LoopKind::Lane)
        threads = pipeline::saturatingMultiply(threads, m_bounds.of(around).loops[l]);
    return threads;
  }

  std::vector<StageId> accessing(FuncId id) const {
    std::vector<StageId> stages = readersOf(m_context.schedule, id);
    for (const StageId stage : m_pipeline.stageIdsOf(id))
      stages.push_back(stage);
    return stages;
  }

  // Whether the index at which a stage accesses the func depends on a loop that remains after
  // compilation.
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
            nest.loops[loop].kind == LoopKind::Serial && m_bounds.of(in).loops[loop] > 1;
        if (isLeft && (in != stage || isIndex(stage, ref, id))) return true;
      }
      const Place &around = m_context.schedule.plan(m_pipeline.stage(in).func).compute;
      if (own || around.kind != Place::Kind::At) return false;
      in = around.stage;
      loop = *m_context.schedule.plan(in).nest.find(around.loop);
    }
  }

  // Whether the position in memory from which a stage reads a func depends on where the func's tile
  // begins. It does if a dimension with more than one stored element is read at an index with a
  // division or a boundary, or at two indices that do not keep their distance.
  bool isReadAnywhere(StageId stage, FuncId id) const {
    std::vector<const IndexMap *> first(m_bounds.of(id).stored.size());
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
               return std::ranges::any_of(maps, isAnywhere);
             });
    });
  }

  // Whether the index at which a stage writes or reads a func depends on a loop. True if it
  // reads the func only through inlined funcs, since any loop may matter then.
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
  const Bounds &m_bounds;
  const KeptStorage &m_kept;
  const KeptVectors m_vectors;
  const std::vector<bool> &m_withVectors; // by root func: the kernel has vectors
  std::vector<bool> m_functions;          // by root func: the kernel calls library functions
};

} // namespace

void checkFrames(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept) {
  FrameRules(context, bounds, kept).check();
}

} // namespace tessera::schedule
