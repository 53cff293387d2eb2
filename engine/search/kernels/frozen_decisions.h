// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tessera::search {

// What a search may not change in the schedule that it starts from. Each plan that it writes goes
// through held(), so that no candidate has another value of a frozen decision.
//
// A frozen place also fixes the loop that it names: the loop at which a func is computed keeps its
// kind, the same kinds of block and thread loops lie inside it, and it stays inside or outside of
// thread loops.
class FrozenDecisions {
public:
  FrozenDecisions() = default; // nothing is frozen
  explicit FrozenDecisions(const schedule::Schedule &start);

  bool empty() const { return m_start == std::nullopt; }
  // Of the pipeline that has the funcs with these decisions.
  pipeline::IdSpace ids() const {
    return m_start ? m_start->pipeline()->ids() : pipeline::IdSpace();
  }
  bool contains(pipeline::FuncId func) const { return m_keys.contains(func); }
  // The place where a func has to be computed, or null if it may be anywhere.
  const schedule::Place *place(pipeline::FuncId func) const;
  // Whether the reduction of a stage may be spread over threads with atomics.
  bool allowsAtomic(const pipeline::Stage &stage) const;

  // The plan with the values of all frozen decisions. If its loops are not compatible with them,
  // the start's loops are used, each with the size that the plan has for a loop of the same kind.
  // Empty if the plan is impossible.
  std::optional<schedule::FuncPlan> held(pipeline::FuncId func, schedule::FuncPlan plan) const;
  // Gives the func that plan in `schedule`, if it is possible. Returns whether it is.
  bool setHeld(schedule::Schedule &schedule, pipeline::FuncId func, schedule::FuncPlan plan) const;

private:
  // A loop that a frozen place names.
  struct Named {
    schedule::LoopRef loop;
    schedule::LoopKind kind = schedule::LoopKind::Serial;
    std::set<schedule::LoopKind> inside, around;
  };

  void name(const schedule::Place &place);
  bool isFrozen(pipeline::FuncId func, schedule::DecisionKind kind, std::uint32_t stage = 0,
                std::uint16_t axis = 0) const;
  bool holdsLoops(pipeline::FuncId func) const;
  bool hold(pipeline::FuncId func, std::uint32_t stage, const schedule::Place &place,
            schedule::StagePlan &plan) const;
  std::optional<schedule::LoopNest> overlaid(pipeline::FuncId func, std::uint32_t stage,
                                             schedule::LoopNest nest) const;
  schedule::LoopNest resized(pipeline::FuncId func, std::uint32_t stage,
                             const schedule::LoopNest &sizes) const;
  bool hasNamed(pipeline::StageId stage, const schedule::LoopNest &nest) const;
  static Named describe(const schedule::LoopNest &nest, schedule::LoopRef loop);

  std::optional<schedule::Schedule> m_start;
  std::map<pipeline::FuncId, std::set<schedule::DecisionKey>> m_keys;
  std::map<pipeline::StageId, std::vector<Named>> m_named;
};

// The marks of a schedule, with every decision frozen about a stage that has opaque directives:
// what these do is known to Halide alone, so that a search keeps the stage as it is.
schedule::Marks heldMarks(const schedule::Schedule &schedule);

// Whether two schedules of the same pipeline have the same value of a decision.
bool decideAlike(const schedule::Schedule &a, const schedule::Schedule &b,
                 const schedule::DecisionKey &decision);

// Whether a changed schedule decides everything that is frozen in `start` as `start` does. A change
// of one decision can change others: a new part of a loop changes the order and the tails, a new
// tile the kind of a loop that a place names, and what an edit breaks is mended in other funcs.
bool keepsFrozen(const schedule::Schedule &start, const schedule::Schedule &changed);

} // namespace tessera::search
