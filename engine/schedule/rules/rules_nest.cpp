// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_nest.h"

#include "engine/schedule/rules/cut_tiles.h"
#include "engine/schedule/rules/input_reads.h"
#include "engine/pipeline/saturating.h"
#include "engine/schedule/bounds/evaluated_stages.h"
#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::LoopDim;
using pipeline::Stage;
using pipeline::StageId;

namespace {

// The largest number of copies of a statement that unrolling may make. With more, Halide and ptxas
// take minutes, and the code exceeds the instruction cache.
constexpr std::int64_t kMostUnrolled = 4096;
// The largest number of lanes of a vector: kWidestType for OpenCL, whose widest type has 16
// elements, and kWidestVector for CUDA, whose code splits vectors into pieces.
constexpr std::int64_t kWidestType = 16, kWidestVector = 256;
constexpr std::int64_t kPieceBytes = 8; // of a piece of a masked vector; see leavesOneElement()

class NestRules {
public:
  NestRules(const RuleContext &context, const Bounds &bounds, StageId id, InputReads &inputs)
      : m_context(context), m_inputs(inputs), m_id(id), m_stage(context.pipeline.stage(id)),
        m_nest(context.schedule.plan(id).nest), m_all(bounds), m_bounds(bounds.of(id)),
        m_depth(bounds.of(m_stage.func).depth) {}

  void check() const {
    checkFactors();
    m_depth == Depth::Host ? checkHost() : checkInKernel();
    checkLanes();
    checkExtents();
    checkTails();
    checkInputs();
  }

private:
  void refuse(Rule rule, DecisionKind kind, const std::string &message, std::string allowed = {},
              std::uint16_t axis = 0) const {
    m_context.refuse(rule, m_id, kind, axis, message, std::move(allowed));
  }

  bool has(LoopKind kind) const { return m_nest.contains(kind); }

  // If the factors of an axis do not divide one another, there are tiles of two sizes inside of a
  // tile. Then nothing that is placed there has a constant size.
  void checkFactors() const {
    for (std::uint16_t a = 0; a < m_nest.axes.size(); ++a) {
      const std::vector<Split> &splits = m_nest.axes[a].splits;
      for (std::size_t i = 1; i < splits.size(); ++i)
        if (splits[i - 1].factor % splits[i].factor != 0)
          refuse(Rule::FactorDivides, DecisionKind::Factors,
                 "it has a factor of " + std::to_string(splits[i].factor) + " inside one of " +
                     std::to_string(splits[i - 1].factor),
                 "a divisor of " + std::to_string(splits[i - 1].factor), a);
    }
  }

  // Checks a stage on the host: it is a kernel of its own, or loops that run on the host.
  void checkHost() const {
    const bool kernel = has(LoopKind::Block) || m_nest.singleThread;
    if (!kernel && (has(LoopKind::Thread) || has(LoopKind::Lane)))
      refuse(Rule::ThreadsWithoutBlocks, DecisionKind::Order,
             "it has thread loops but no block loop", "a block loop around them");
    if (m_nest.singleThread &&
        (has(LoopKind::Block) || has(LoopKind::Thread) || has(LoopKind::Lane)))
      refuse(Rule::BlocksOutermost, DecisionKind::Order,
             "it runs as a single thread but has block or thread loops");
    if (!has(LoopKind::Block)) return;
    const auto first = firstOf(LoopKind::Block), last = lastOf(LoopKind::Block);
    for (std::size_t l = first; l <= last; ++l)
      if (m_nest.loops[l].kind != LoopKind::Block)
        refuse(Rule::BlocksOutermost, DecisionKind::Order,
               "there is another loop between its block loops",
               "block loops directly inside each other");
    for (std::size_t l = last + 1; l < m_nest.loops.size(); ++l)
      if (m_nest.loops[l].kind != LoopKind::Serial && m_nest.loops[l].kind != LoopKind::Parallel &&
          m_nest.loops[l].kind != LoopKind::Unrolled)
        refuse(Rule::BlocksOutermost, DecisionKind::Order,
               aLoop(m_nest.loops[l].kind) + " surrounds its block loops",
               "serial or unrolled host loops, or none");
    for (std::size_t l = 0; l < first; ++l)
      if (m_nest.loops[l].kind == LoopKind::Parallel) refuseHostLoop();
  }

  void checkInKernel() const {
    if (has(LoopKind::Block) || m_nest.singleThread)
      refuse(Rule::BlocksInKernel, DecisionKind::Order,
             "it is computed inside a kernel but has block loops", "thread loops");
    if (has(LoopKind::Parallel)) refuseHostLoop();
    if (m_depth == Depth::Thread && (has(LoopKind::Thread) || has(LoopKind::Lane)))
      refuse(Rule::ThreadsInThread, DecisionKind::Order,
             "it is computed by each thread but has thread loops", "serial and unrolled loops");
    const Place &place = m_context.schedule.plan(m_stage.func).compute;
    if (m_depth == Depth::Block && copiesAround(m_context, m_all, place) > 1) checkCopiedThreads();
  }

  // Halide names the number of threads where it is no constant, and each copy of an unrolled loop
  // brings the same name again: "Simplify only works on code where every name is unique".
  void checkCopiedThreads() const {
    for (const Loop &loop : m_nest.loops)
      if (loop.kind == LoopKind::Thread && !isSameInAllCopies(loop.ref))
        refuse(Rule::ConstantExtent, DecisionKind::Compute,
               "an unrolled loop copies its thread loops, and their number depends on " +
                   std::string(reason(m_bounds.extents[loop.ref.axis])),
               "a serial loop instead of the unrolled one", loop.ref.axis);
  }

  bool isSameInAllCopies(LoopRef ref) const {
    if (ref.part > 0) return true;
    const Axis &axis = m_nest.axes[ref.axis];
    if (axis.fused.empty()) return m_bounds.extents[ref.axis] <= Extent::Fixed;
    return std::ranges::all_of(axis.fused,
                               [this](LoopRef source) { return isSameInAllCopies(source); });
  }

  void refuseHostLoop() const {
    refuse(Rule::HostLoopInKernel, DecisionKind::Order, "it has a parallel loop inside a kernel",
           "block and thread loops");
  }

  std::size_t firstOf(LoopKind kind) const {
    return static_cast<std::size_t>(std::ranges::find(m_nest.loops, kind, &Loop::kind) -
                                    m_nest.loops.begin());
  }
  std::size_t lastOf(LoopKind kind) const {
    std::size_t last = 0;
    for (std::size_t l = 0; l < m_nest.loops.size(); ++l)
      if (m_nest.loops[l].kind == kind) last = l;
    return last;
  }

  void checkLanes() const {
    if (!has(LoopKind::Lane)) return;
    const auto lane = firstOf(LoopKind::Lane);
    if (lane != lastOf(LoopKind::Lane) ||
        (has(LoopKind::Thread) && firstOf(LoopKind::Thread) < lane))
      refuse(Rule::LanesInnermost, DecisionKind::Order,
             "it must have exactly one lane loop, inside the thread loops",
             "one lane loop, with thread loops only around it");
  }

  // Halide unrolls and vectorises only loops that have the same length for every size of the image.
  bool isFixed(LoopRef ref) const {
    if (ref.part > 0) return true;
    const Axis &axis = m_nest.axes[ref.axis];
    if (axis.fused.empty())
      return m_bounds.extents[ref.axis] <= (isCutInKernel(ref) ? Extent::Adrift : Extent::Guarded);
    return std::ranges::all_of(axis.fused, [this](LoopRef source) { return isFixed(source); });
  }

  // Whether the number of iterations of an outermost part depends on a loop around the stage,
  // inside of the kernel. For instance, Halide computes it as 2 - y_outer for the last tile. With a
  // tail that shifts inwards, it depends on that loop even if there is one iteration. With a guard,
  // which may leave less than a whole tile, Halide sees that there is one.
  bool isCutInKernel(LoopRef ref) const {
    const std::vector<Split> &splits = m_nest.axes[ref.axis].splits;
    if (splits.empty()) return false;
    const Tail tail = performed(splits.front().tail, m_stage.index > 0, isReduction(ref.axis));
    return (shifts(tail) || loopExtent(m_nest, ref, m_bounds.dims) > 1) &&
           hasTilesInKernel(m_context, m_all, m_id, ref.axis);
  }

  void checkExtents() const {
    std::int64_t unrolled = 1, lanes = 1;
    for (std::size_t l = 0; l < m_nest.loops.size(); ++l) {
      const Loop &loop = m_nest.loops[l];
      const bool together = loop.kind == LoopKind::Unrolled || loop.kind == LoopKind::Vectorized ||
                            loop.kind == LoopKind::Lane;
      if (!together) continue;
      if (!isFixed(loop.ref))
        refuse(Rule::ConstantExtent, DecisionKind::Order,
               aLoop(loop.kind) + " has an extent that depends on the size",
               "a split that gives it a constant extent", loop.ref.axis);
      if (loop.kind != LoopKind::Lane)
        unrolled = pipeline::saturatingMultiply(unrolled, m_bounds.loops[l]);
      if (loop.kind == LoopKind::Vectorized)
        checkWidth(loop.ref, lanes = pipeline::saturatingMultiply(lanes, m_bounds.loops[l]));
      if (loop.kind == LoopKind::Lane && m_bounds.loops[l] > m_context.limits.warpSize)
        refuse(Rule::LanesInnermost, DecisionKind::Factors,
               "it has " + std::to_string(m_bounds.loops[l]) + " lanes",
               "at most " + std::to_string(m_context.limits.warpSize), loop.ref.axis);
    }
    if (unrolled > kMostUnrolled)
      refuse(Rule::UnrollSize, DecisionKind::Order,
             "unrolling makes " + std::to_string(unrolled) + " copies of a statement",
             "at most " + std::to_string(kMostUnrolled));
  }

  void checkWidth(LoopRef ref, std::int64_t width) const {
    const bool takenApart = m_context.limits.vectorsTakenApart;
    const std::int64_t widest = takenApart ? kWidestVector : kWidestType;
    const bool powerOfTwo = width >= 1 && (width & (width - 1)) == 0;
    if (width > widest || (!powerOfTwo && !takenApart))
      refuse(Rule::VectorWidth, DecisionKind::Factors,
             "its vectors have " + std::to_string(width) + " elements",
             "2, 4, 8, … or " + std::to_string(widest), ref.axis);
    else if (takenApart && width > 1 && isMasked(ref.axis) && leavesOneElement(ref, width))
      refuse(Rule::VectorWidth, DecisionKind::Factors,
             "its vectors of " + std::to_string(width) +
                 " elements are guarded and split into pieces of 8 bytes, and the last piece is a "
                 "single element",
             "a width that leaves no element or at least two, or another tail", ref.axis);
    if (!takenApart) checkVectorTail(ref.axis);
    if (!takenApart && firstOf(LoopKind::Vectorized) != lastOf(LoopKind::Vectorized))
      refuse(Rule::VectorWidth, DecisionKind::Order, "it has two vectorised loops",
             "one vectorised loop");
    const std::size_t place = *m_nest.find(ref);
    for (std::size_t l = 0; l < place; ++l)
      if (m_nest.loops[l].kind == LoopKind::Thread || m_nest.loops[l].kind == LoopKind::Lane)
        refuse(Rule::VectorInnermost, DecisionKind::Order,
               "it has thread loops inside its vectorised loop",
               "the vectorised loop inside all thread loops", ref.axis);
  }

  // Whether a guard may cut vectors along an axis. Each piece of a vector is then accessed under a
  // mask. For a piece of one element, Halide 21 makes a mask that LLVM does not know, and LLVM
  // stops at an assertion.
  bool isMasked(std::uint16_t axis) const {
    const Axis &along = m_nest.axes[axis];
    if (!along.fused.empty()) return true;
    if (along.splits.empty()) return false;
    const Split &outer = along.splits.front();
    if (!guards(performed(outer.tail, m_stage.index > 0, isReduction(axis)))) return false;
    const bool isKnown = m_bounds.extents[axis] <= Extent::Fixed;
    return !isKnown || m_bounds.dims[axis] % outer.factor != 0;
  }

  // Whether a masked vector has a piece of one element, in an access to contiguous elements. In all
  // other accesses, each element has a test of its own. Reads through inlined funcs may be
  // contiguous.
  bool leavesOneElement(LoopRef ref, std::int64_t width) const {
    const auto leavesOne = [](std::int64_t neighbours, const pipeline::ScalarType type) {
      const std::int64_t piece = kPieceBytes / type.bytes();
      return neighbours > 1 && (piece <= 1 || neighbours % piece == 1);
    };
    const auto anyLeavesOne = [&](const std::vector<pipeline::ScalarType> &types,
                                  std::int64_t neighbours) {
      return std::ranges::any_of(types, std::bind_front(leavesOne, neighbours));
    };
    const std::vector<pipeline::ScalarType> &own = m_context.pipeline.func(m_stage.func).types;
    for (const std::size_t dim : densest(m_stage.func))
      if (anyLeavesOne(own, neighboursOf(ref, width, m_stage.store.indices[dim]))) return true;
    for (const StageId evaluated : evaluatedBy(m_context.schedule, m_id))
      for (const pipeline::EdgeId into : m_context.pipeline.edgesInto(evaluated)) {
        const pipeline::Edge &edge = m_context.pipeline.edge(into);
        const std::vector<pipeline::ScalarType> types = typesOf(edge.producer);
        if (evaluated != m_id) {
          if (anyLeavesOne(types, width)) return true;
          continue;
        }
        for (const std::size_t dim : densest(edge.producer))
          for (const IndexMap &map : edge.maps[dim])
            if (anyLeavesOne(types, neighboursOf(ref, width, map))) return true;
      }
    return false;
  }

  // The types that a producer has in memory: none for an inlined func.
  std::vector<pipeline::ScalarType> typesOf(const pipeline::Producer &producer) const {
    if (producer.kind == pipeline::Producer::Kind::Input)
      return {m_context.pipeline.inputs()[producer.index].type};
    const FuncId func{producer.index};
    if (m_context.schedule.plan(func).isInline()) return {};
    return m_context.pipeline.func(func).types;
  }

  // How many contiguous elements a vector accesses; 0 if its elements are not contiguous. They are
  // contiguous if the index moves by one from lane to lane, in either direction, or from one group
  // of lanes to the next: with x / 2, from pair to pair.
  std::int64_t neighboursOf(LoopRef ref, std::int64_t width, const IndexMap &map) const {
    const Axis &axis = m_nest.axes[ref.axis];
    if (!axis.fused.empty() || isAnywhere(map)) return width;
    const std::int64_t inside = axis.inside(ref.part);
    std::int64_t neighbours = 0;
    for (const pipeline::Atom &atom : map.atoms)
      for (const pipeline::AffineTerm &term : atom.terms) {
        if (term.loop != ref.axis) continue;
        const std::int64_t step = std::abs(atom.scale * term.coefficient * inside);
        if (step == 0 || atom.divisor % step != 0) continue;
        const std::int64_t alike = atom.divisor / step;
        if (width % alike == 0) neighbours = std::max(neighbours, width / alike);
      }
    return neighbours;
  }

  // The dimensions of a producer along which elements are contiguous; for an input, the first one.
  std::vector<std::size_t> densest(const pipeline::Producer &producer) const {
    if (producer.kind == pipeline::Producer::Kind::Func) return densest(FuncId{producer.index});
    return m_context.pipeline.inputs()[producer.index].dims.empty() ? std::vector<std::size_t>{}
                                                                    : std::vector<std::size_t>{0};
  }

  // The dimensions of a func along which elements are contiguous: the innermost dimension of a
  // length other than 1, and all dimensions inside of it.
  std::vector<std::size_t> densest(FuncId id) const {
    const std::vector<std::uint16_t> &layout = m_context.schedule.plan(id).layout;
    const std::span<const pipeline::Interval> stored = m_all.of(id).stored;
    std::vector<std::size_t> dims;
    for (std::size_t i = 0; i < stored.size(); ++i) {
      dims.push_back(layout.empty() ? i : layout[i]);
      if (stored[dims.back()].extent() != 1) break;
    }
    return dims;
  }

  // A guard on part of a vector is a mask, for which OpenCL has no code.
  void checkVectorTail(std::uint16_t axis) const {
    const std::vector<Split> &splits = m_nest.axes[axis].splits;
    const bool ownDimension = m_nest.axes[axis].fused.empty();
    const bool reduction = isReduction(axis);
    bool whole = ownDimension && m_bounds.extents[axis] == Extent::Constant;
    std::int64_t extent = ownDimension ? m_bounds.dims[axis] : 0;
    for (const Split &split : splits) {
      const Tail tail = performed(split.tail, m_stage.index > 0, reduction);
      whole = whole && extent % split.factor == 0;
      if (guards(tail) && !whole)
        refuse(Rule::VectorTail, DecisionKind::Tails, "a guard cuts off part of a vector",
               "shift_inwards, round_up, or a constant extent that the factor divides", axis);
      extent = split.factor;
      whole = true; // true from the second split on: each factor divides the one outside of it
    }
  }

  // Refuses tails that compute more than the stage may compute.
  void checkTails() const {
    for (std::uint16_t a = 0; a < m_nest.axes.size(); ++a)
      if (!m_nest.axes[a].splits.empty()) checkTailsOf(a, axisExtent(m_nest, a, m_bounds.dims));
  }

  void checkTailsOf(std::uint16_t a, std::int64_t extent) const {
    Cut cut = m_depth == Depth::Host ? Cut::Nothing : cutOf(m_context, m_all, m_id, a);
    for (const Split &split : m_nest.axes[a].splits) {
      checkKindOfTail(a, split.tail);
      if (split.tail != Tail::GuardWithIf)
        checkTail(a, split, extent, cut);
      else if (cut != Cut::Nothing && split.factor == 1)
        checkPartsOfOne(a);
      extent = split.factor;
      cut = Cut::Nothing;
    }
  }

  // A guard around the loads alone lets stores go beyond the end, and one around the stores alone
  // lets loads do so. Halide refuses both along a reduction. A tail that blends reads the elements
  // beside its own and writes them again, while another thread may compute them.
  void checkKindOfTail(std::uint16_t a, Tail tail) const {
    const auto refuse = [&](Rule rule, const char *reason) {
      m_context.refuse(rule, m_id, DecisionKind::Tails, a,
                       "the tail '" + std::string(name(tail)) + "' " + reason, "guard_with_if");
    };
    if (tail == Tail::PredicateLoads) refuse(Rule::HalfGuarded, "does not guard stores");
    if (tail == Tail::PredicateStores) refuse(Rule::HalfGuarded, "does not guard loads");
    const bool blends = tail == Tail::ShiftInwardsAndBlend || tail == Tail::RoundUpAndBlend;
    if (blends && isConcurrentAlong(a))
      refuse(Rule::BlendRaces, "writes elements that other threads compute");
  }

  bool isConcurrentAlong(std::uint16_t a) const {
    const std::vector<std::uint16_t> along = dimsOf(m_nest, {a, 0});
    return std::ranges::any_of(m_nest.loops, [&](const Loop &loop) {
      const bool isConcurrent = loop.kind == LoopKind::Block || loop.kind == LoopKind::Thread ||
                                loop.kind == LoopKind::Lane || loop.kind == LoopKind::Parallel;
      return isConcurrent && std::ranges::any_of(dimsOf(m_nest, loop.ref), [&](std::uint16_t dim) {
               return std::ranges::find(along, dim) != along.end();
             });
    });
  }

  // A split by 1 needs no guard, but without one Halide 21 forgets where the tile around it ends.
  void checkPartsOfOne(std::uint16_t a) const {
    if (mayOverrun(dimsOf(m_nest, {a, 0}))) return;
    refuse(Rule::TailOverruns, DecisionKind::Factors,
           "a split by 1 reaches beyond the end of a tile that is cut off", "no split", a);
  }

  std::int64_t wholeOf(std::uint16_t a) const {
    const pipeline::Func &func = m_context.pipeline.func(m_stage.func);
    std::int64_t whole = 1;
    for (const std::uint16_t dim : dimsOf(m_nest, {a, 0})) {
      const auto arg = m_stage.loops[dim].argument;
      if (!arg) return m_bounds.dims[dim];
      whole *= func.region[*arg].extent();
    }
    return whole;
  }

  static bool roundsBeyond(std::int64_t factor, std::int64_t extent, Cut cut) {
    return (cut != Cut::Nothing && factor > 1) || extent % factor != 0;
  }

  // The least extent that a tile may have after it is cut. A tail that shifts inwards needs at
  // least as many elements as its factor.
  std::int64_t leastBefore(std::uint16_t a, std::int64_t extent, Cut cut) const {
    if (cut == Cut::Anywhere) return 1;
    return cut == Cut::AtTheEnd ? std::min(extent, wholeOf(a)) : extent;
  }

  void checkTail(std::uint16_t a, const Split &split, std::int64_t extent, Cut cut) const {
    const bool reduction = isReduction(a);
    const Tail tail = performed(split.tail, m_stage.index > 0, reduction);
    const bool over = (roundsUp(tail) && roundsBeyond(split.factor, extent, cut) &&
                       !alignedTo(a, split.factor)) ||
                      (shifts(tail) && split.factor > leastBefore(a, extent, cut));
    const bool inner = &split != m_nest.axes[a].splits.data();
    // Halide itself decides whether to round up an inner split with Tail::Auto, so that is not
    // refused.
    const bool isLeft = inner && split.tail == Tail::Auto;
    if (m_stage.index > 0 && !isLeft && (shifts(tail) || (roundsUp(tail) && (reduction || inner))))
      refuse(Rule::TailOverruns, DecisionKind::Tails,
             "the tail '" + std::string(name(split.tail)) + "' would repeat steps of the update",
             "guard_with_if", a);
    else if (over && m_stage.index > 0 && roundsUp(tail) && isIndexedByData())
      refuse(Rule::TailOverruns, DecisionKind::Tails,
             "the tail '" + std::string(name(split.tail)) +
                 "' would take indices from elements that nothing has computed",
             "guard_with_if", a);
    else if (over && m_stage.index > 0 && roundsUp(tail) && m_nest.axes[a].splits.size() > 1 &&
             hasOthersInside())
      refuse(Rule::TailOverruns, DecisionKind::Tails,
             "Halide does not count what the tail '" + std::string(name(split.tail)) +
                 "' adds to an update when it places the funcs that are computed in it",
             "guard_with_if", a);
    else if (over && !mayOverrun(dimsOf(m_nest, {a, 0})))
      refuse(Rule::TailOverruns, DecisionKind::Tails,
             "tiles of " + std::to_string(split.factor) + " over an extent of " +
                 std::to_string(extent) + (cut != Cut::Nothing ? " or less" : "") +
                 ", with the tail '" + std::string(name(split.tail)) + "', reach beyond the end",
             std::string("guard_with_if, or a factor that ") +
                 (roundsUp(tail) ? "divides" : "fits"),
             a);
  }

  // If a boundary cuts a tile, Halide no longer knows that the loops that split the tile stay
  // inside of it. It combines the last beginning with the longest tile, and so requires more of an
  // input than there is.
  void checkInputs() const {
    checkFusedInputs();
    if (m_depth == Depth::Host) return;
    for (std::uint16_t l = 0; l < m_stage.loops.size(); ++l) {
      const Extent extent = m_bounds.extents[l];
      const bool cut =
          extent == Extent::Adrift || extent == Extent::Bounded || extent == Extent::Loose;
      const std::vector<Split> &splits = m_nest.axes[l].splits;
      if (!cut || m_bounds.dims[l] == 1) continue;
      if (m_stage.loops[l].argument && m_inputs.ahead(m_id, l))
        refuse(Rule::TailOverruns, DecisionKind::Compute,
               "a func computed inside it reads an input for a whole tile, but a boundary cuts off "
               "part of that tile",
               "a compute place further in or further out", l);
      if (splits.empty()) continue; // the loop is not split
      if (m_bounds.dims[l] % splits.front().factor == 0) continue;
      // In a pure definition, the guard tells Halide where the tile ends.
      if (m_stage.index == 0 && splits.front().tail == Tail::GuardWithIf) continue;
      if (m_stage.loops[l].argument && m_inputs.along(m_id, l))
        refuse(Rule::TailOverruns, DecisionKind::Factors,
               "it splits a loop along which it reads an input, but a boundary cuts off part of "
               "the tile",
               "no split", l);
    }
  }

  // Of each fused loop, Halide knows only the greatest length and the last beginning. It assumes
  // that reads of inputs go as far as the sum of both.
  void checkFusedInputs() const {
    if (m_context.schedule.plan(m_stage.func).isRoot()) return;
    for (std::uint16_t l = 0; l < m_stage.loops.size(); ++l) {
      const Extent extent = m_bounds.extents[l];
      const bool isVague = extent > Extent::Fixed && extent != Extent::Whole;
      if (m_nest.find({l, 0}) || !isVague || !m_inputs.along(m_id, l)) continue;
      refuse(Rule::TailOverruns, DecisionKind::Order,
             "it fuses " + m_stage.loops[l].name +
                 ", along which it reads an input, but a boundary or a guard cuts off part of the "
                 "tile",
             "no fused loop, or a kernel of its own", l);
    }
  }

  bool isReduction(std::uint16_t axis) const {
    const auto reduces = [this](std::uint16_t dim) {
      return m_stage.loops[dim].kind == LoopDim::Kind::Reduction;
    };
    if (m_nest.axes[axis].fused.empty()) return reduces(axis);
    return std::ranges::any_of(dimsOf(m_nest, {axis, 0}), reduces);
  }

  // What an update reads beyond its own region is not computed for it. As a value it does no harm.
  bool isIndexedByData() const {
    const auto isData = [](const pipeline::Access &access) {
      return std::ranges::any_of(access.indices, isAnywhere);
    };
    return isData(m_stage.store) || std::ranges::any_of(m_stage.loads, isData);
  }

  bool hasOthersInside() const {
    return std::ranges::any_of(m_context.funcs, [this](pipeline::FuncId func) {
      const FuncPlan &plan = m_context.schedule.plan(func);
      return !plan.isInline() && plan.compute.kind == Place::Kind::At && plan.compute.stage == m_id;
    });
  }

  // A func may be computed beyond what others read, if its own reads stay inside of all inputs.
  bool mayOverrun(const std::vector<std::uint16_t> &dims) const {
    return !m_context.pipeline.func(m_stage.func).isOutput &&
           std::ranges::none_of(dims, [this](std::uint16_t dim) {
             return m_inputs.along(m_id, dim) ||
                    m_context.pipeline.func(m_stage.func).isBounded(m_stage.loops[dim].name);
           });
  }

  bool alignedTo(std::uint16_t axis, std::int64_t factor) const {
    const std::vector<std::uint16_t> dims = dimsOf(m_nest, {axis, 0});
    return dims.size() == 1 &&
           isMultiple(m_stage, dims.front(), m_context.schedule.plan(m_stage.func).bounds, factor);
  }

  const RuleContext &m_context;
  InputReads &m_inputs; // of the stage's func
  StageId m_id;
  const Stage &m_stage;
  const LoopNest &m_nest;
  const Bounds &m_all;
  const Bounds::StageBounds &m_bounds;
  Depth m_depth;
};

} // namespace

void checkNests(const RuleContext &context, const Bounds &bounds) {
  for (const FuncId func : context.funcs) {
    if (context.schedule.plan(func).isInline()) continue;
    InputReads inputs(context, func);
    for (const StageId stage : context.pipeline.stageIdsOf(func))
      NestRules(context, bounds, stage, inputs).check();
  }
}

} // namespace tessera::schedule
