// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tessera::search {

// What a search may not change of the schedule that it starts from. Whatever it writes goes through
// held(), so that no candidate has another value of a frozen decision.
//
// A frozen place also holds what it names: the loop at which a func is computed stays a loop of
// that kind, with the same kinds of loops inside and around.
class FrozenDecisions {
public:
  FrozenDecisions() = default; // nothing is
  explicit FrozenDecisions(const schedule::Schedule &start);

  bool empty() const { return m_start == std::nullopt; }
  bool contains(pipeline::FuncId func) const { return m_keys.contains(func); }
  // Where a func has to be computed; null: anywhere.
  const schedule::Place *place(pipeline::FuncId func) const;
  // Whether a stage may be spread over threads by atomics.
  bool allowsAtomic(const pipeline::Stage &stage) const;

  // A func's plan, with the values of what is frozen. Loops that do not fit what is frozen of them
  // become those of the start, with the plan's sizes wherever the start has a loop of that kind.
  // Nothing where the plan cannot be had.
  std::optional<schedule::FuncPlan> held(pipeline::FuncId func, schedule::FuncPlan plan) const;

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

// Whether two schedules of one pipeline decide this alike.
bool decideAlike(const schedule::Schedule &a, const schedule::Schedule &b,
                 const schedule::DecisionKey &decision);

} // namespace tessera::search
