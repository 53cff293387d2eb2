// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/auto/partial_sums.h"
#include "engine/search/auto/placement_search.h"

#include <memory>
#include <optional>
#include <string_view>

namespace tessera::search {

// The whole `auto` search, in phases that each start from the best schedule so far:
//
//   places        places where funcs are computed, and tiles
//   sums          sums that each thread keeps in registers; a copy of the sum writes the results
//   parts         partial results of sums that few threads would compute
//   copies        copies, in registers or shared memory, of what kernels read repeatedly
//   staged sums   sums whose blocks fetch their reads some steps at a time
//   polish        places again, with the tiles found so far
//   layouts       other storage orders, and places again with these orders
class AutoSearch : public Search {
public:
  explicit AutoSearch(Problem problem);

  bool step() override;
  const Candidate &best() const override { return m_best; }
  std::vector<Candidate> takeCandidates() override;
  std::string_view phase() const override;
  double progress() const override;
  std::size_t evaluations() const override;
  Trace trace() const override;

private:
  enum class Phase : std::uint8_t {
    Places,
    Sums,
    Parts,
    Copies,
    StagedSums,
    Polish,
    Layouts, // followed by polishing again
    Done
  };

  bool beginCopies(Phase phase);
  bool beginParts();
  bool beginLayouts();
  bool beginStagedSum();
  bool beginPolish(schedule::Schedule start, PlacementSearch::Work work);
  void search(WithCopies start, PlacementSearch::Work work);
  bool isBetter(const Candidate &candidate) const;
  // For the trace: what the search of this phase is about, and its rows at its end.
  void beginTrying(std::string_view what, const WithCopies &start);
  void traceSearch();
  void take();
  void take(Candidate candidate);

  const Problem m_problem;
  Phase m_phase = Phase::Places;
  std::unique_ptr<PlacementSearch> m_search; // the search of this phase, if it uses one
  std::size_t m_evaluations = 0;             // evaluations in earlier phases
  Candidate m_best;
  std::vector<Candidate> m_fresh;
  TraceWriter m_trace;
  std::optional<TraceRow> m_trying; // its cost is that of the best schedule without it
  std::vector<Sum> m_parted;        // sums that were tried with partial results
  std::vector<WithCopies> m_forms;  // schedules for the last sum of m_parted, still to be tried
  double m_withoutParts = 0;     // seconds of the best schedule without partial results of that sum
  std::vector<Sum> m_stagedSums; // sums that were tried with staged reads
};

} // namespace tessera::search
