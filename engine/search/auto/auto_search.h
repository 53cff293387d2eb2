// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/auto/placement_search.h"
#include "engine/search/auto/partial_sums.h"

#include <memory>

namespace tessera::search {

// The whole `auto` search, in phases that each start from the best schedule so far:
//
//   places        places and tiles
//   sums          sums that threads keep to themselves behind a copy
//   parts         partial results of sums that few threads would compute
//   copies        copies, in registers or shared memory, of what kernels read repeatedly
//   staged sums   sums whose blocks fetch their reads some steps at a time
//   polish        places once more, with the tiles found so far
//   layouts       other storage orders, and places for these
class AutoSearch : public Search {
public:
  explicit AutoSearch(Problem problem);

  bool step() override;
  const Candidate &best() const override { return m_best; }
  std::vector<Candidate> takeCandidates() override;
  std::string_view phase() const override;
  double progress() const override;
  std::size_t evaluations() const override;

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
  bool beginPolish(schedule::Schedule start);
  void search(WithCopies start, PlacementSearch::Work work);
  bool isBetter(const Candidate &candidate) const;
  void take();
  void take(Candidate candidate);

  const Problem m_problem;
  Phase m_phase = Phase::Places;
  std::unique_ptr<PlacementSearch> m_search; // of this phase, if it uses one
  std::size_t m_evaluations = 0;             // of earlier phases
  Candidate m_best;
  std::vector<Candidate> m_fresh;
  std::vector<Sum> m_parted;       // sums that were tried in parts
  std::vector<WithCopies> m_forms; // forms of the last of these, still to be tried
  double m_withoutParts = 0;       // seconds of the best schedule without parts of that sum
  std::vector<Sum> m_stagedSums;   // sums that were tried with staged reads
};

} // namespace tessera::search
