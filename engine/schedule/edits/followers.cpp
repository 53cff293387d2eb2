// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/followers.h"

#include <cstdint>
#include <utility>

namespace tessera::schedule {

using pipeline::FuncId;

namespace {

// Moves the changed func and the funcs in its loops to places that are still possible.
class Followers {
public:
  explicit Followers(Schedule &schedule) : m_schedule(schedule) {}

  void follow(FuncId changed) {
    follow(changed, changed);
    for (std::uint32_t f = 0; f < index(changed); ++f) // producers first
      follow(FuncId{f}, changed);
  }

private:
  void follow(FuncId id, FuncId changed) {
    const FuncPlan &plan = m_schedule.plan(id);
    const Place &place = plan.compute;
    if (place.kind != Place::Kind::At || plan.store || plan.hoist) return;
    if (id != changed && m_schedule.pipeline()->stage(place.stage).func != changed) return;
    if (m_schedule.mark({id, 0, DecisionKind::Compute, 0}).frozen) return;
    const LoopNest &nest = m_schedule.plan(place.stage).nest;
    const auto at = nest.find(place.loop);
    if (!at || tenableLoop(nest, *at) == *at) return;
    FuncPlan moved = plan;
    moved.compute.loop = nest.loops[tenableLoop(nest, *at)].ref;
    m_schedule.set(id, std::move(moved));
  }

  Schedule &m_schedule;
};

} // namespace

std::size_t tenableLoop(const LoopNest &nest, std::size_t at) {
  const auto isThread = [&](std::size_t l) { return nest.loops[l].kind == LoopKind::Thread; };
  for (std::size_t l = nest.loops.size(); l-- > at;)
    if (nest.loops[l].kind == LoopKind::Vectorized) {
      at = l + 1 < nest.loops.size() ? l + 1 : at;
      break;
    }
  std::size_t innermost = 0, outside = nest.loops.size();
  while (innermost < at && !isThread(innermost))
    ++innermost;
  while (outside-- > at)
    if (isThread(outside)) return innermost;
  return at;
}

void follow(Schedule &schedule, FuncId changed) { Followers(schedule).follow(changed); }

} // namespace tessera::schedule
