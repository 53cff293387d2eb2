// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/group.h"
#include "engine/search/search.h"

#include <map>
#include <set>
#include <span>
#include <utility>

namespace tessera::search {

// Our default. Starts with a kernel for each func and goes from the outputs to the inputs: each
// func is inlined, computed in the blocks or the threads of its consumer, or left alone, whatever
// our cost likes best, its kernel tiled anew each time. Then every placement is tried once more,
// every kernel gets its final tiles, and the whole its register cap.
class AutoSearch : public Search {
public:
  explicit AutoSearch(Problem problem);

  bool step() override;
  const Candidate &best() const override { return m_best; }
  std::vector<Candidate> takeCandidates() override { return std::exchange(m_fresh, {}); }
  std::string_view phase() const override;
  double progress() const override;
  std::size_t evaluations() const override { return m_evaluations; }

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

  void begin();
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
  void addTiled(Group group, const std::vector<Tile> &tiles, std::vector<Change> &changes);
  void addMeasured(Change change, std::vector<Change> &changes);
  std::vector<Group> without(pipeline::FuncId func,
                             const std::set<pipeline::FuncId> &readers) const;

  bool adoptBest(std::vector<Change> changes, double below);
  std::optional<schedule::Schedule> perform(const Change &change) const;
  double secondsOf(const schedule::Schedule &schedule, const Group &group);
  std::set<pipeline::FuncId> groupsReading(const schedule::Schedule &schedule,
                                           pipeline::FuncId func) const;
  bool isCompilable(const schedule::Schedule &schedule, std::span<const Group> groups) const;
  void report();

  Problem m_problem;
  pipeline::PipelinePtr m_pipeline;
  schedule::Schedule m_schedule;
  std::map<pipeline::FuncId, Group> m_groups;           // by output
  std::map<pipeline::FuncId, double> m_seconds;         // of each
  std::map<pipeline::FuncId, pipeline::FuncId> m_owner; // of each func that is computed
  std::set<pipeline::FuncId> m_kept;                    // funcs of kernels with a frozen decision
  std::vector<pipeline::FuncId> m_order;                // of work in this phase
  std::size_t m_next = 0;
  Phase m_phase = Phase::FirstTiles;
  double m_fromDram = 0;
  std::size_t m_evaluations = 0;
  Candidate m_best;
  std::vector<Candidate> m_fresh;
};

} // namespace tessera::search
