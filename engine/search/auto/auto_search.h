// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/auto/placement_search.h"
#include "engine/search/auto/partial_sums.h"

#include <memory>

namespace tessera::search {

// auto, whole: places and tiles first; then, around what it found, sums that threads keep to
// themselves behind a copy; partial results of sums that few threads would make; then copies of
// what kernels read again and again from global memory, in registers or in shared memory; then sums
// whose blocks fetch what they read some steps at a time; then places once more, with the tiles
// that there are by now; in the end what is stored in another order, and places with that.
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
    Layouts, // which are polished again
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
  std::unique_ptr<PlacementSearch> m_search; // of this phase, where it is one
  std::size_t m_evaluations = 0;             // of the phases before
  Candidate m_best;
  std::vector<Candidate> m_fresh;
  std::vector<Sum> m_parted;       // sums that were tried in parts,
  std::vector<WithCopies> m_forms; // the last of them, in what ways yet
  double m_withoutParts = 0;       // seconds, of the best before that
  std::vector<Sum> m_stagedSums;   // sums whose reads were tried in stages
};

} // namespace tessera::search
