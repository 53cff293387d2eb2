// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/evaluator.h"
#include "engine/search/frozen_decisions.h"
#include "engine/search/group.h"
#include "engine/search/kernel_search.h"

#include <span>

namespace tessera::search {

// Our default. Starts with a kernel for each func and goes from the outputs to the inputs: each
// func is inlined, computed in the blocks or the threads of its consumer, or left alone, whatever
// our cost likes best, its kernel tiled anew each time. Then every placement is tried once more,
// every kernel gets its final tiles, and the whole its register cap.
//
// Kernels with a frozen decision begin as they are in the start, and everything around what is
// frozen is searched. A search around some funcs begins with all kernels as they are in the start.
class AutoSearch : public KernelSearch {
public:
  explicit AutoSearch(Problem problem);

  bool step() override;
  std::string_view phase() const override;
  double progress() const override;

private:
  enum class Phase : std::uint8_t { FirstTiles, Grouping, Refining, Tiles, Registers, Done };
  static constexpr int kPhases = 5;

  // A way to change one func's place: the groups that it changes, and what they take together.
  struct Change {
    std::vector<Group> groups;
    std::vector<pipeline::FuncId> inlined;   // funcs that are no longer computed
    std::vector<pipeline::FuncId> separated; // that get a kernel of their own
    double seconds = 0;
  };

  bool begin(schedule::Schedule schedule, const std::set<pipeline::FuncId> &asTheyAre);
  void findNear();
  void orderTiles();
  bool isAround() const { return !m_problem.around.empty(); } // some funcs alone
  void next();
  void work(pipeline::FuncId func);

  void placeAnew(pipeline::FuncId func);
  void retile(pipeline::FuncId output, TileEffort effort);
  void chooseRegisterCap();

  void addSeparation(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers,
                     std::vector<Change> &changes);
  void addInlining(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers,
                   std::vector<Change> &changes);
  void addMerges(pipeline::FuncId func, const Group &into, std::vector<Change> &changes);
  void addBehindCopy(pipeline::FuncId sum, double around, std::vector<Change> &changes);
  void addTiled(Group group, const std::vector<Tile> &tiles, std::vector<Change> &changes);
  void addMeasured(Change change, std::vector<Change> &changes);
  std::vector<Group> without(pipeline::FuncId func,
                             const std::set<pipeline::FuncId> &readers) const;

  bool adoptBest(std::vector<Change> changes, double below);
  std::optional<schedule::Schedule> perform(const Change &change);
  double secondsOf(schedule::Schedule schedule, const Group &group);
  bool isCompilable(const schedule::Schedule &schedule, std::span<const Group> groups) const;

  const FrozenDecisions m_frozen;
  cost::Evaluator m_evaluator;
  schedule::Shape m_room;                       // of groups that are written
  std::map<pipeline::FuncId, Group> m_groups;   // by output
  std::map<pipeline::FuncId, double> m_seconds; // of each
  std::set<pipeline::FuncId> m_kept;            // computed, but in no group
  std::set<pipeline::FuncId> m_near;            // around some: whose places are worked on
  std::set<pipeline::FuncId> m_tiled;           // around some: outputs of kernels that are tiled
  bool m_hasMoved = false;                      // any func, by now
  std::vector<pipeline::FuncId> m_order;        // of work in this phase
  std::size_t m_next = 0;
  Phase m_phase = Phase::FirstTiles;
  double m_fromDram = 0;
};

} // namespace tessera::search
