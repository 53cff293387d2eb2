// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/shared_layout.h"

#include "engine/schedule/bounds/evaluated_stages.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace tessera::schedule {

using pipeline::EdgeId;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::StageId;

namespace {

// The largest number of statements of a kernel; each copy of an unrolled loop counts. Longer
// kernels would take too long to lay out.
constexpr int kMostStatements = 4096;

// One array in shared or global memory: a func, or one element of its tuple, in one copy of the
// unrolled loops around it.
struct Array {
  FuncId func{};
  std::int64_t size = 0, elementBytes = 1; // size in elements
  bool isConstant = false;                 // whether Halide sees a constant size
  bool isShared = true;                    // false: in global memory
  int from = 0, to = 0;                    // first and last statement that uses it
};

// The order in which Halide realises funcs: depth first from the outputs, and by name among the
// funcs that one func calls.
class RealizationOrder {
public:
  explicit RealizationOrder(const Pipeline &pipeline)
      : m_pipeline(pipeline), m_seen(pipeline.funcs().size()), m_rank(pipeline.funcs().size()) {
    for (const pipeline::Output &output : pipeline.outputs())
      visit(output.func);
  }

  bool before(FuncId a, FuncId b) const { return m_rank[index(a)] < m_rank[index(b)]; }

private:
  void visit(FuncId id) {
    if (m_seen[index(id)]) return;
    m_seen[index(id)] = true;
    for (const FuncId called : calls(id))
      visit(called);
    m_rank[index(id)] = m_next++;
  }

  std::vector<FuncId> calls(FuncId id) const {
    std::vector<FuncId> called;
    for (const StageId stage : m_pipeline.stageIdsOf(id))
      for (const EdgeId edge : m_pipeline.edgesInto(stage)) {
        const Producer &producer = m_pipeline.edge(edge).producer;
        if (producer.kind == Producer::Kind::Func) called.push_back(FuncId{producer.index});
      }
    std::ranges::sort(called, {}, [this](FuncId func) -> const std::string & {
      return m_pipeline.func(func).name;
    });
    return called;
  }

  const Pipeline &m_pipeline;
  std::vector<bool> m_seen;
  std::vector<int> m_rank;
  int m_next = 0;
};

// Whether Halide drops the last copy of each unrolled loop that a guard cuts. It drops a copy if it
// sees that the copy never runs.
enum class LastCopies : std::uint8_t { Kept, Dropped };

// A kernel from its first statement to its last. A statement is what Halide counts as one: what the
// threads of a block do between two barriers.
class KernelText {
public:
  KernelText(const Schedule &schedule, const Bounds &bounds, const KeptStorage &kept,
             const RealizationOrder &order, LastCopies lastCopies)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_bounds(bounds), m_kept(kept),
        m_lastCopies(lastCopies), m_order(order), m_current(m_pipeline.funcs().size()) {}

  // Whether there are copies that Halide may drop.
  bool isCut() const { return m_isCut; }

  // The arrays of the kernel; none if the kernel has too many statements.
  std::optional<std::vector<Array>> read(StageId kernel) {
    const FuncId root = m_pipeline.stage(kernel).func;
    for (std::uint32_t f = 0; f < m_pipeline.funcs().size(); ++f)
      if (!m_schedule.plan(FuncId{f}).isInline() && m_bounds.of(FuncId{f}).kernel == root)
        m_funcs.push_back(FuncId{f});
    std::ranges::sort(m_funcs, [this](FuncId a, FuncId b) { return m_order.before(a, b); });
    readLoops(kernel, m_schedule.plan(kernel).nest.loops.size(), false);
    if (m_statements > kMostStatements) return std::nullopt;
    return std::move(m_arrays);
  }

private:
  // Reads the loops inside of a loop, and what is computed in them.
  void readLoops(StageId stage, std::size_t loop, bool inThreads) {
    if (loop == 0) return use(stage);
    const Loop &next = m_schedule.plan(stage).nest.loops[--loop];
    inThreads = inThreads || next.kind == LoopKind::Thread || next.kind == LoopKind::Lane;
    const bool copied = next.kind == LoopKind::Unrolled && !inThreads;
    const std::int64_t copies = copied ? copiesOf(stage, loop) : 1;
    for (std::int64_t copy = 0; copy < copies && m_statements <= kMostStatements; ++copy) {
      if (copy > 0) end(inThreads);
      for (const FuncId func : m_funcs)
        if (m_schedule.plan(func).compute == Place::at(stage, next.ref)) {
          produce(func, inThreads);
          end(inThreads);
        }
      readLoops(stage, loop, inThreads);
    }
  }

  std::int64_t copiesOf(StageId stage, std::size_t loop) {
    const std::int64_t copies = m_bounds.of(stage).loops[loop];
    const LoopNest &nest = m_schedule.plan(stage).nest;
    const std::uint16_t axis = nest.loops[loop].ref.axis;
    if (copies == 1 || !isRagged(nest, axis, m_bounds.of(stage).dims)) return copies;
    m_isCut = true;
    return m_lastCopies == LastCopies::Kept ? copies : copies - 1;
  }

  void produce(FuncId func, bool inThreads) {
    allocate(func);
    bool first = true;
    for (const StageId stage : m_pipeline.stageIdsOf(func)) {
      if (!std::exchange(first, false)) end(inThreads);
      readLoops(stage, m_schedule.plan(stage).nest.loops.size(), inThreads);
    }
  }

  void end(bool inThreads) {
    if (!inThreads) ++m_statement;
    ++m_statements;
  }

  void allocate(FuncId id) {
    const FuncPlan &plan = m_schedule.plan(id);
    m_current[index(id)].clear();
    if (!isLaidOut(id, plan)) return;
    const pipeline::Func &func = m_pipeline.func(id);
    for (const pipeline::ScalarType type : func.types) {
      m_current[index(id)].push_back(m_arrays.size());
      m_arrays.push_back({id, m_kept.elements(id), type.bytes(), isConstant(id),
                          plan.storage != Storage::Global, m_statement, m_statement});
    }
  }

  // Funcs that are stored per thread in global memory are laid out together with those stored per
  // block.
  bool isLaidOut(FuncId id, const FuncPlan &plan) const {
    const Depth depth = m_bounds.of(id).storeDepth;
    return (depth == Depth::Block && plan.storage != Storage::Registers) ||
           (depth == Depth::Thread && plan.storage == Storage::Global);
  }

  bool isConstant(FuncId id) const {
    for (std::size_t d = 0; d < m_pipeline.func(id).args.size(); ++d)
      if (m_bounds.of(id).extents[d] > Extent::Fixed && m_kept.dim(id, d).bound == 0) return false;
    return true;
  }

  // Notes what a stage writes and what it reads, also through inlined funcs.
  void use(StageId stage) {
    touch(m_pipeline.stage(stage).func);
    for (const StageId evaluated : evaluatedBy(m_schedule, stage))
      for (const EdgeId edge : m_pipeline.edgesInto(evaluated)) {
        const Producer &producer = m_pipeline.edge(edge).producer;
        if (producer.kind == Producer::Kind::Func) touch(FuncId{producer.index});
      }
  }

  void touch(FuncId func) {
    for (const std::size_t array : m_current[index(func)])
      m_arrays[array].to = m_statement;
  }

  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  const Bounds &m_bounds;
  const KeptStorage &m_kept;
  const LastCopies m_lastCopies;
  const RealizationOrder &m_order;
  std::vector<FuncId> m_funcs; // computed in the kernel
  std::vector<Array> m_arrays;
  std::vector<std::vector<std::size_t>> m_current; // by func: its arrays in the current copy
  int m_statement = 0, m_statements = 0; // m_statements also counts those inside of thread loops
  bool m_isCut = false;
};

// Gives the arrays their places, in the order in which they are needed.
class Placement {
public:
  struct Spot {
    std::vector<const Array *> arrays; // they use the memory one after the other
    std::int64_t size = 0, elementBytes = 1;
    bool isConstant = false;
  };

  explicit Placement(std::vector<Array> &arrays) {
    std::ranges::stable_sort(arrays, [](const Array &a, const Array &b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    int last = 0;
    for (const Array &array : arrays)
      last = std::max(last, array.to);
    std::size_t start = 0;
    for (int statement = 0; statement <= last; ++statement)
      for (std::size_t i = start; i < arrays.size() && arrays[i].from <= statement; ++i) {
        if (arrays[i].from == statement) {
          place(arrays[i]);
        } else if (arrays[i].to == statement - 1) {
          m_free.push_back(spotOf(arrays[i]));
          start = i + 1; // as in Halide, earlier arrays still in use are never freed later
        }
      }
  }

  const std::vector<Spot> &spots() const { return m_spots; }

private:
  void place(const Array &array) {
    const auto free = bestFit(array);
    if (!free) {
      m_spots.push_back({{&array}, array.size, array.elementBytes, array.isConstant});
      return;
    }
    Spot &spot = m_spots[m_free[*free]];
    m_free.erase(m_free.begin() + static_cast<std::ptrdiff_t>(*free));
    const std::int64_t widest = std::max(spot.elementBytes, array.elementBytes);
    spot.size =
        std::max(spot.size * spot.elementBytes / widest, array.size * array.elementBytes / widest);
    spot.elementBytes = widest;
    spot.isConstant = spot.isConstant && array.isConstant;
    spot.arrays.push_back(&array);
  }

  // Chooses a free spot as Halide does. An array without a constant size takes the last freed spot
  // without a constant size, or else the last freed spot of all. An array with a constant size
  // takes the spot of constant size that is closest in size, unless the last freed spot has no
  // constant size.
  std::optional<std::size_t> bestFit(const Array &array) const {
    std::optional<std::size_t> best;
    std::int64_t least = -1;
    for (std::size_t i = m_free.size(); i-- > 0;) {
      const Spot &spot = m_spots[m_free[i]];
      if (spot.arrays.front()->isShared != array.isShared) continue;
      if (!array.isConstant && !spot.isConstant) return i;
      const std::int64_t apart = spot.isConstant && array.isConstant ? distance(spot, array) : -1;
      if (best && (apart < 0 || apart >= least)) continue;
      best = i;
      least = apart; // -1 if a size is not constant: no later spot replaces this one
    }
    return best;
  }

  static std::int64_t distance(const Spot &spot, const Array &array) {
    return std::abs(spot.size * spot.elementBytes - array.size * array.elementBytes);
  }

  std::size_t spotOf(const Array &array) const {
    const auto spot = std::ranges::find_if(
        m_spots, [&](const Spot &candidate) { return candidate.arrays.back() == &array; });
    return static_cast<std::size_t>(spot - m_spots.begin());
  }

  std::vector<Spot> m_spots;
  std::vector<std::size_t> m_free;
};

} // namespace

SharedLayout::SharedLayout(const Schedule &schedule, const Bounds &bounds, const KeptStorage &kept,
                           StageId kernel) {
  const RealizationOrder order(*schedule.pipeline());
  for (const LastCopies last : {LastCopies::Kept, LastCopies::Dropped}) {
    KernelText text(schedule, bounds, kept, order, last);
    auto arrays = text.read(kernel);
    if (!arrays) {
      m_bytes = pipeline::kPlusInfinity;
      return;
    }
    const Placement placement(*arrays);
    std::int64_t bytes = 0;
    for (const Placement::Spot &spot : placement.spots()) {
      if (!spot.arrays.front()->isShared) continue;
      bytes += spot.size * spot.elementBytes;
      std::vector<FuncId> &group = m_groups.emplace_back();
      for (const Array *array : spot.arrays)
        group.push_back(array->func);
    }
    m_bytes = std::max(m_bytes, bytes);
    if (!text.isCut()) return;
  }
}

bool SharedLayout::overlap(FuncId a, FuncId b) const {
  return std::ranges::any_of(m_groups, [&](const std::vector<FuncId> &group) {
    return std::ranges::find(group, a) != group.end() && std::ranges::find(group, b) != group.end();
  });
}

} // namespace tessera::schedule
