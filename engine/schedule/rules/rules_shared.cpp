// SPDX-License-Identifier: MIT
// Two funcs in one place of shared memory, where a loop reads the first one again.
//
// Halide 21 gives two funcs of a block the same memory when one is read for the last time before
// the other is computed. It decides this in one pass through the text of the kernel. In a loop
// inside of the block this is wrong: the next iteration reads the first func again, after the
// second one has overwritten it.
#include "engine/schedule/rules/rules_shared.h"

#include "engine/schedule/rules/shared_layout.h"

#include <algorithm>
#include <map>
#include <vector>

namespace tessera::schedule {

using pipeline::EdgeId;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::StageId;

namespace {

class SharedRules {
public:
  SharedRules(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept)
      : m_context(context), m_pipeline(context.pipeline), m_bounds(bounds), m_kept(kept) {}

  void check() {
    for (const FuncId func : m_context.funcs)
      if (isShared(func)) m_shared.push_back(func);
    for (const FuncId later : m_shared)
      for (const Place &loop : loopsAround(later))
        for (const FuncId earlier : m_shared)
          if (earlier != later && mayReuse(earlier, later, loop) && isReused(earlier, later)) {
            refuse(earlier, later, loop);
            return;
          }
  }

private:
  bool isShared(FuncId id) const {
    const FuncPlan &plan = m_context.schedule.plan(id);
    return !plan.isInline() && m_bounds.of(id).storeDepth == Depth::Block &&
           (plan.storage == Storage::Auto || plan.storage == Storage::Shared);
  }

  // The serial loops with several iterations that are around a func and inside of a block, from the
  // inside out.
  std::vector<Place> loopsAround(FuncId id) const {
    std::vector<Place> loops;
    Place place = m_context.schedule.plan(id).storePlace();
    while (place.kind == Place::Kind::At) {
      const LoopNest &nest = m_context.schedule.plan(place.stage).nest;
      for (std::size_t l = *nest.find(place.loop); l < nest.loops.size(); ++l) {
        if (nest.loops[l].kind == LoopKind::Block) return loops;
        if (nest.loops[l].kind == LoopKind::Serial && mayComeRound(place.stage, l))
          loops.push_back(Place::at(place.stage, nest.loops[l].ref));
      }
      place = planAround(place).compute;
    }
    return loops;
  }

  // Whether a loop may have several iterations in some tile. A tile may be longer than the measured
  // one in the middle, but no longer than the storage of its func.
  bool mayComeRound(StageId id, std::size_t loop) const {
    if (m_bounds.of(id).loops[loop] > 1) return true;
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    const LoopRef ref = nest.loops[loop].ref;
    const Axis &axis = nest.axes[ref.axis];
    if (ref.part > 0 || !axis.fused.empty()) return false;
    const pipeline::Stage &stage = m_pipeline.stage(id);
    const auto argument = stage.loops[ref.axis].argument;
    return argument && m_bounds.of(stage.func).stored[*argument].extent() > axis.inside(0);
  }

  const FuncPlan &planAround(const Place &place) const {
    return m_context.schedule.plan(m_pipeline.stage(place.stage).func);
  }

  bool isInside(Place place, const Place &loop) const {
    for (; place.kind == Place::Kind::At; place = planAround(place).compute) {
      if (place.stage != loop.stage) continue;
      const LoopNest &nest = m_context.schedule.plan(place.stage).nest;
      return *nest.find(place.loop) <= *nest.find(loop.loop);
    }
    return false;
  }

  bool mayReuse(FuncId earlier, FuncId later, const Place &loop) {
    if (m_bounds.of(earlier).kernel != m_bounds.of(later).kernel ||
        isInside(m_context.schedule.plan(earlier).storePlace(), loop))
      return false;
    const FuncId around = m_pipeline.stage(loop.stage).func;
    bool readInside = false;
    for (const StageId reader : readersOf(m_context.schedule, earlier)) {
      const FuncId func = m_pipeline.stage(reader).func;
      // If the stage of the loop reads `earlier`, it does so at the end of each iteration; later
      // stages read it after the loop. In both cases Halide does not free the memory of `earlier`
      // inside of the loop.
      if (reader == loop.stage || index(func) > index(around)) return false;
      if (!isInside(m_context.schedule.plan(func).compute, loop)) continue;
      if (func == later || dependsOn(func, later)) return false;
      readInside = true;
    }
    return readInside;
  }

  bool isReused(FuncId earlier, FuncId later) {
    const StageId kernel = stageOnHost(m_context, m_bounds, m_pipeline.func(later).firstStage);
    const auto layout =
        m_layouts.try_emplace(kernel, m_context.schedule, m_bounds, m_kept, kernel).first;
    return layout->second.overlap(earlier, later);
  }

  // Whether `func` is computed from `on`, directly or through other funcs, and so comes later.
  bool dependsOn(FuncId func, FuncId on) const {
    std::vector<bool> known(m_pipeline.funcs().size());
    known[index(on)] = true;
    for (std::size_t f = index(on) + 1; f <= index(func); ++f) // producers first
      for (const StageId stage : m_pipeline.stageIdsOf(static_cast<FuncId>(f)))
        for (const EdgeId edge : m_pipeline.edgesInto(stage)) {
          const Producer &producer = m_pipeline.edge(edge).producer;
          if (producer.kind == Producer::Kind::Func && known[producer.index]) known[f] = true;
        }
    return known[index(func)];
  }

  void refuse(FuncId earlier, FuncId later, const Place &loop) const {
    const std::string &kept = m_pipeline.func(earlier).name, &name = m_pipeline.func(later).name;
    m_context.refuse(Rule::SharedReuse, later, DecisionKind::Compute,
                     "in each iteration of a loop of " + m_pipeline.stageName(loop.stage) + ", " +
                         name + " is computed after the last use of " + kept +
                         ", so Halide would overwrite " + kept + " with " + name +
                         " although the next iteration reads " + kept + " again",
                     "the compute place of " + kept + ", or another storage for one of the two");
  }

  const RuleContext &m_context;
  const Pipeline &m_pipeline;
  const Bounds &m_bounds;
  const KeptStorage &m_kept;
  std::vector<FuncId> m_shared;
  std::map<StageId, SharedLayout> m_layouts; // by kernel, made when it is needed
};

} // namespace

void checkShared(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept) {
  SharedRules(context, bounds, kept).check();
}

} // namespace tessera::schedule
