// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/known_legality.h"
#include "engine/search/kernels/frozen_decisions.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/group_timer.h"
#include "engine/search/kernels/tile_dims.h"
#include "engine/search/kernels/kernel_search.h"

#include <span>

namespace tessera::search {

// Our default. Starts with a kernel for each func and goes from the outputs to the inputs: each
// func is inlined, computed in the blocks or the threads of its consumer, or left alone, whatever
// our cost likes best, its kernel tiled anew each time. Then every placement is tried once more,
// every kernel gets its final tiles, and the whole its register cap.
//
// Polishing begins with a schedule as it is: each placement is tried with tiles like those that
// there are, what has changed is tiled anew.
//
// Added: funcs that nobody reads yet were added around some; the kernels have their tiles, so that
// those alone that change are tiled.
//
// Anew: around some funcs that are not well placed yet, with as many tiles as the whole.
//
// Kernels with a frozen decision begin as they are in the start, and everything around what is
// frozen is searched. A search around some funcs begins with all kernels as they are in the start.
class PlacementSearch : public KernelSearch {
public:
  enum class Work : std::uint8_t { Whole, Added, Polish, Anew };

  explicit PlacementSearch(Problem problem, Work work = Work::Whole);

  bool step() override;
  std::string_view phase() const override;
  double progress() const override;

private:
  enum class Phase : std::uint8_t {
    FirstTiles,
    Grouping,
    Refining,
    Tiles,
    Places, // of polishing, with the tiles after it
    FinalTiles,
    Registers,
    Done
  };

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
  void orderPlaces();
  std::span<const Phase> phases() const; // of this work, but for the end
  Phase after(Phase phase) const;
  bool isAround() const { return !m_problem.around.empty(); } // some funcs alone
  void next();
  void work(pipeline::FuncId func);

  void placeAnew(pipeline::FuncId func);
  bool isAsBefore(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers) const;
  void retile(pipeline::FuncId output, TileEffort effort);
  void chooseRegisterCap();

  void addSeparation(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers,
                     std::vector<Change> &changes);
  void addInlining(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers,
                   std::vector<Change> &changes);
  // With these tiles, or those that suit.
  void addMerges(pipeline::FuncId func, const Group &into, const std::vector<Tile> &tiles,
                 double now, std::vector<Change> &changes);
  std::vector<Change> mergesInSquares(pipeline::FuncId func, const Group &into, double now);
  bool isSmall(const Group &group) const;
  std::vector<Tile> tilesToMerge(const Group &merged, const Group &into) const;
  std::vector<Tile> withSteps(const Group &group, std::span<const Tile> tiles) const;
  std::vector<Tile> tilesBehindCopy(const Group &group) const;
  void addBehindCopy(pipeline::FuncId sum, double around, std::vector<Change> &changes);
  // Returns what the fastest takes; `now` is what there is.
  double addTiled(Group group, const std::vector<Tile> &tiles, double now,
                  std::vector<Change> &changes);
  void addMeasured(Change change, std::vector<Change> &changes);
  std::vector<Group> without(pipeline::FuncId func,
                             const std::set<pipeline::FuncId> &readers) const;

  bool adoptBest(std::vector<Change> changes, double below);
  std::optional<schedule::Schedule> perform(const Change &change);
  double secondsOf(schedule::Schedule schedule, const Group &group);
  double secondsNow(pipeline::FuncId output);
  double secondsOfWritten(WrittenGroup written, const Group &group);
  bool isCompilable(const schedule::Schedule &schedule, std::span<const Group> groups) const;

  const Work m_work;
  const FrozenDecisions m_frozen;
  GroupTimer m_timer;
  schedule::KnownLegality m_legality;
  schedule::ShapeRoom m_room;                   // of groups that are written
  std::map<pipeline::FuncId, Group> m_groups;   // by output
  std::map<pipeline::FuncId, double> m_seconds; // of those that were asked for
  std::set<pipeline::FuncId> m_kept;            // computed, but in no group
  std::set<pipeline::FuncId> m_near;            // around some: whose places are worked on
  std::set<pipeline::FuncId> m_tiled;           // around some: outputs of kernels that are tiled
  bool m_hasMoved = false;                      // any func, by now
  std::size_t m_changes = 0;                    // by now
  std::map<pipeline::FuncId, std::size_t> m_lastChange; // of kernels, by output
  std::map<pipeline::FuncId, std::size_t> m_placed; // changes when a func's place was looked for
  std::vector<pipeline::FuncId> m_order;            // of work in this phase
  std::size_t m_next = 0;
  Phase m_phase = Phase::FirstTiles;
};

} // namespace tessera::search
