// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/search.h"

#include <map>
#include <set>
#include <utility>

namespace tessera::search {

// What searches that go from kernel to kernel have in common: the schedule that they are at, whose
// kernel each func is in, how much they asked, and the best of it.
class KernelSearch : public Search {
public:
  const Candidate &best() const override { return m_best; }
  std::vector<Candidate> takeCandidates() override { return std::exchange(m_fresh, {}); }
  std::size_t evaluations() const override { return m_evaluations; }

protected:
  explicit KernelSearch(Problem problem);

  // The start, with a default for each func but these.
  schedule::Schedule resetAround(const std::set<pipeline::FuncId> &kept) const;
  // The kernels that read a func, by output; one that nobody owns is named by the func that reads.
  std::set<pipeline::FuncId> kernelsReading(pipeline::FuncId func) const;
  bool isOutOfEvaluations() const { return m_evaluations >= m_problem.evaluations; }

  // The schedule that it is at becomes the best: if it is, or in any case.
  enum class Report : std::uint8_t { IfBetter, Always };
  void report(Report which);

  const Problem m_problem;
  const pipeline::PipelinePtr m_pipeline;
  schedule::Schedule m_schedule;
  std::map<pipeline::FuncId, pipeline::FuncId> m_owner; // the output, of each func that is computed
  std::size_t m_evaluations = 0;

private:
  Candidate m_best;
  std::vector<Candidate> m_fresh;
};

} // namespace tessera::search
