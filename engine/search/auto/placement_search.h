// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/auto/placement_trace.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/search/kernels/frozen_decisions.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/group_timer.h"
#include "engine/search/kernels/kernel_search.h"
#include "engine/search/kernels/tile_dims.h"

#include <span>

namespace tessera::search {

// The default search. It starts with a kernel for each func and goes from the outputs to the
// inputs. Each func is inlined, computed in the blocks or the threads of its consumer, or left in
// its own kernel, depending on the predicted cost. The changed kernel is tiled again each time.
// Then every placement is tried once more, every kernel gets its final tiles, and the whole
// schedule its register cap. Other kinds of work:
//
//   Polish   Keeps the places and tiles of the start at first. Each placement is tried with tiles
//            like the present ones, and kernels that changed are tiled again.
//   Relaid   Like Polish, for a start whose funcs were given other memory layouts. Long kernels
//            are tiled again in any case.
//   Added    Funcs, such as copies, were added around some funcs and are still inlined. All kernels
//            have tiles, so only those that change are tiled.
//   Anew     Places only some funcs and what is near them, since these funcs are not well placed
//            yet. As many tiles are tried as in the default search.
//
// Kernels with a frozen decision begin as they are in the start; their other decisions are
// searched. A search around some funcs (Problem::around) begins with all kernels as in the start.
class PlacementSearch : public KernelSearch {
public:
  enum class Work : std::uint8_t { Whole, Added, Polish, Relaid, Anew };

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
    Places, // only for polishing; FinalTiles follows
    FinalTiles,
    Registers,
    Done
  };

  // A change of one func's place, with the groups after the change and their total time.
  struct Change {
    std::vector<Group> groups;
    std::vector<pipeline::FuncId> inlined;   // funcs that become inlined
    std::vector<pipeline::FuncId> separated; // funcs that get a kernel of their own
    double seconds = 0;
  };

  bool begin(schedule::Schedule schedule, const std::set<pipeline::FuncId> &asTheyAre);
  void findNear();
  void orderTiles();
  void orderPlaces();
  void orderFinalTiles();
  std::span<const Phase> phases() const; // the phases of m_work, without Done
  Phase after(Phase phase) const;
  // Whether only some funcs are to be placed (Problem::around).
  bool isAround() const { return !m_problem.around.empty(); }
  void next();
  void work(pipeline::FuncId func);

  void placeAnew(pipeline::FuncId func);
  bool isAsBefore(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers) const;
  void retile(pipeline::FuncId output, TileEffort effort);
  void chooseRegisterCap();

  void addSeparation(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers, double now,
                     std::vector<Change> &changes);
  void addInlining(pipeline::FuncId func, const std::set<pipeline::FuncId> &readers,
                   std::vector<Change> &changes);
  // Tries the given tiles, or suitable ones if `tiles` is empty.
  void addMerges(pipeline::FuncId func, const Group &into, const std::vector<Tile> &tiles,
                 double now, std::vector<Change> &changes);
  std::vector<Change> mergesInSquares(pipeline::FuncId func, const Group &into, double now);
  bool isSmall(const Group &group) const;
  std::vector<Tile> tilesToMerge(const Group &merged, const Group &into) const;
  std::vector<Tile> withSteps(const Group &group, std::span<const Tile> tiles) const;
  std::vector<Tile> fewTiles(const Group &group) const;
  void addBehindCopy(pipeline::FuncId sum, double around, std::vector<Change> &changes);
  // Returns the predicted time with the fastest tile. `now`: the predicted time without the change.
  double addTiled(Group group, const std::vector<Tile> &tiles, double now,
                  std::vector<Change> &changes);
  void addMeasured(Change change, std::vector<Change> &changes);
  std::vector<Group> without(pipeline::FuncId func,
                             const std::set<pipeline::FuncId> &readers) const;

  bool adoptBest(pipeline::FuncId func, std::vector<Change> changes, double below);
  bool adoptFastest(pipeline::FuncId placed, std::vector<Change> changes, double below,
                    PlacementTrace &trace);
  static Move moveOf(pipeline::FuncId func, const Change &change);
  std::optional<schedule::Schedule> perform(const Change &change);
  double secondsOf(schedule::Schedule schedule, const Group &group);
  double secondsNow(pipeline::FuncId output);
  double secondsOfWritten(WrittenGroup written, const Group &group);
  bool isCompilable(const schedule::Schedule &schedule, std::span<const Group> groups) const;

  const Work m_work;
  const FrozenDecisions m_frozen;
  GroupTimer m_timer;
  schedule::KnownLegality m_legality;
  schedule::ShapeRoom m_room;                   // for groups that are being written
  std::map<pipeline::FuncId, Group> m_groups;   // groups, indexed by their output
  std::map<pipeline::FuncId, double> m_seconds; // seconds of a kernel, by output, if known
  std::set<pipeline::FuncId> m_kept;            // funcs that are computed, but in no group
  std::set<pipeline::FuncId> m_near;            // if isAround(): funcs that may be placed
  std::set<pipeline::FuncId> m_tiled; // if isAround(): outputs of kernels that may be tiled
  bool m_hasMoved = false;            // true: some func has moved
  std::size_t m_changes = 0;          // number of changes so far
  // m_changes at the last change of a kernel, by output.
  std::map<pipeline::FuncId, std::size_t> m_lastChange;
  std::map<pipeline::FuncId, std::size_t> m_placed; // m_changes when the func was placed
  std::vector<pipeline::FuncId> m_order;            // funcs to work on in this phase
  std::size_t m_next = 0;
  Phase m_phase = Phase::FirstTiles;
};

} // namespace tessera::search
