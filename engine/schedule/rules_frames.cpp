// SPDX-License-Identifier: MIT
// What each thread keeps, in kernels with vectors.
//
// Halide 21 loads and stores vectors of 16 bytes from a thread's frame as if the frame and each
// func in it began at a multiple of them. lower() pads the funcs (kept_storage.h). The frame itself
// is only at a multiple of 8: registers that ptxas spills into it shift it by 8 as often as not,
// and then the address is misaligned, or another one than meant where LLVM joins what it takes for
// alignment with `or`. And the code that CUDA links in for a large argument of a sine has a table
// of 28 bytes in the same frame, before the funcs.
//
// Only what is still in memory when all is compiled is at risk: a func whose indices are all
// constants, because every loop over it is unrolled or vectorised, ends up in registers.
#include "engine/pipeline/saturating.h"
#include "engine/schedule/rules.h"

#include <algorithm>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::int64_t kFrameAlignment = 8; // bytes
constexpr std::int64_t kLongestStride = 4;  // up to it Halide loads all between and picks

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

class FrameRules {
public:
  FrameRules(const RuleContext &context, const Shape &shape, const KeptStorage &kept)
      : m_context(context), m_pipeline(context.pipeline), m_shape(shape),
        m_vectors(kept.kernelsWithVectors()) {}

  void check() {
    if (std::ranges::find(m_vectors, true) == m_vectors.end()) return;
    m_functions = kernelsWithFunctions(m_context, m_shape);
    for (std::size_t f = 0; f < m_pipeline.funcs().size(); ++f)
      if (isKeptByThread(static_cast<FuncId>(f))) checkFunc(static_cast<FuncId>(f));
  }

private:
  bool isKeptByThread(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Shape::FuncShape &shape = m_shape.of(id);
    return !plan.isInline() && shape.storeDepth == Depth::Thread && m_vectors[index(shape.kernel)];
  }

  void checkFunc(FuncId id) const {
    const std::vector<StageId> stages = accessing(id);
    std::int64_t widest = 0;
    for (const StageId stage : stages)
      widest = std::max(widest, vectorBytes(stage, id));
    const bool besideTables = m_functions[index(m_shape.of(id).kernel)];
    if (widest <= (besideTables ? 0 : kFrameAlignment)) return;
    if (std::ranges::none_of(stages, [&](StageId stage) { return isLoopedOver(stage, id); }))
      return;
    const std::string keeps = m_pipeline.func(id).name + " is kept by each thread";
    if (m_context.schedule.plan(id).storage == Storage::Global)
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + " in global memory, interleaved with those of others, and its "
                               "vectors would not be aligned",
                       "no vectors along it, or a place further out");
    else if (besideTables)
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + ", in a kernel with functions that keep tables beside it, and its "
                               "vectors would not be aligned",
                       "no vectors along it, or loops over it unrolled");
    else
      m_context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                       keeps + " at a multiple of 8 bytes, and its vectors of " +
                           std::to_string(widest) + " bytes would not be aligned",
                       "vectors of 8 bytes, or loops over it unrolled");
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

  std::int64_t vectorBytes(StageId id, FuncId accessed) const {
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    std::int64_t bytes = 0;
    for (std::size_t l = 0; l < nest.loops.size(); ++l) {
      if (nest.loops[l].kind != LoopKind::Vectorized) continue;
      const std::int64_t lanes = m_shape.of(id).loops[l];
      if (isIndex(id, nest.loops[l].ref, accessed, closeBy(accessed, lanes)))
        for (const pipeline::ScalarType type : m_pipeline.func(accessed).types)
          bytes = std::max(bytes, lanes * type.bytes());
    }
    return bytes;
  }

  // The dimensions, a bit each, whose neighbours are so close that vectors of them are loaded
  // whole.
  std::uint64_t closeBy(FuncId id, std::int64_t lanes) const {
    const std::vector<std::uint16_t> &layout = m_context.schedule.plan(id).layout;
    const auto stored = m_shape.of(id).stored;
    const std::int64_t furthest = std::max(lanes, kLongestStride);
    std::uint64_t dims = 0;
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < stored.size() && stride <= furthest; ++i) {
      const std::size_t dim = layout.empty() ? i : layout[i];
      dims |= std::uint64_t{1} << dim;
      stride = pipeline::saturatingMultiply(stride, stored[dim].extent());
    }
    return dims;
  }

  // Whether a loop of a stage moves along one of these dimensions of a func, where it writes or
  // reads it. Through what is inlined, any loop may.
  bool isIndex(StageId id, LoopRef ref, FuncId accessed, std::uint64_t among = kAll) const {
    const std::vector<std::uint16_t> dims = dimsOf(m_context.schedule.plan(id).nest, ref);
    const auto moves = [&](std::size_t dim, const IndexMap &map) {
      return (among >> dim & 1) != 0 && mentions(map, dims);
    };
    const Stage &stage = m_pipeline.stage(id);
    if (stage.func == accessed) {
      for (std::size_t d = 0; d < stage.store.indices.size(); ++d)
        if (moves(d, stage.store.indices[d])) return true;
      return false;
    }
    bool reads = false;
    for (const pipeline::EdgeId into : m_pipeline.edgesInto(id)) {
      const pipeline::Edge &edge = m_pipeline.edge(into);
      if (edge.producer != pipeline::Producer::func(accessed)) continue;
      reads = true;
      for (std::size_t d = 0; d < edge.maps.size(); ++d)
        for (const IndexMap &map : edge.maps[d])
          if (moves(d, map)) return true;
    }
    return !reads;
  }

  static constexpr std::uint64_t kAll = ~std::uint64_t{0};

  const RuleContext &m_context;
  const pipeline::Pipeline &m_pipeline;
  const Shape &m_shape;
  const std::vector<bool> &m_vectors; // kernels, by the func at the root, as the next
  std::vector<bool> m_functions;
};

} // namespace

void checkFrames(const RuleContext &context, const Shape &shape, const KeptStorage &kept) {
  FrameRules(context, shape, kept).check();
}

} // namespace tessera::schedule
