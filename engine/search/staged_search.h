// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/auto_search.h"

#include <memory>

namespace tessera::search {

// auto, whole: places and tiles first; then, around what it found, copies of what kernels read
// again and again from global memory, in registers or in shared memory.
class StagedSearch : public Search {
public:
  explicit StagedSearch(Problem problem);

  bool step() override;
  const Candidate &best() const override { return m_best; }
  std::vector<Candidate> takeCandidates() override;
  std::string_view phase() const override;
  double progress() const override;
  std::size_t evaluations() const override;

private:
  bool beginCopies();
  void take(AutoSearch &search);

  const Problem m_problem;
  AutoSearch m_places;
  std::unique_ptr<AutoSearch> m_copies; // once the places are found
  bool m_isDone = false;
  Candidate m_best;
  std::vector<Candidate> m_fresh;
};

} // namespace tessera::search
