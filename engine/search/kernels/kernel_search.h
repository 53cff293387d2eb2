// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/known_legality.h"
#include "engine/search/search.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::search {

// The common part of searches that go from kernel to kernel: the present schedule, the kernel of
// each func, the number of evaluations, and the best candidate.
class KernelSearch : public Search {
public:
  const Candidate &best() const override { return m_best; }
  std::vector<Candidate> takeCandidates() override { return std::exchange(m_fresh, {}); }
  std::size_t evaluations() const override { return m_evaluations; }
  Trace trace() const override { return m_trace.trace(); }

protected:
  explicit KernelSearch(Problem problem);

  // The start with all funcs reset to defaults, except for those in `kept`.
  schedule::Schedule resetAround(const std::set<pipeline::FuncId> &kept) const;
  // The outputs of the kernels that read a func. If a reader is in no known kernel, the result has
  // the reader itself.
  std::set<pipeline::FuncId> kernelsReading(pipeline::FuncId func) const;
  // For remarks: the first few names, and how many more there are.
  static std::string listed(const std::vector<std::string> &names);
  // For traces.
  const std::string &nameOf(pipeline::FuncId func) const { return m_pipeline->func(func).name; }
  std::vector<std::string> namesOf(std::span<const pipeline::FuncId> funcs) const;
  // Why a schedule that was refused is not allowed.
  std::string refusalOf(schedule::KnownLegality &legality,
                        const schedule::Schedule &schedule) const;
  bool isOutOfEvaluations() const { return m_evaluations >= m_problem.evaluations; }

  // Makes the present schedule the best, always or only if it is better.
  enum class Report : std::uint8_t { IfBetter, Always };
  void report(Report which);

  const Problem m_problem;
  const pipeline::PipelinePtr m_pipeline;
  schedule::Schedule m_schedule;
  // Maps each func to the output of its kernel.
  std::map<pipeline::FuncId, pipeline::FuncId> m_owner;
  std::size_t m_evaluations = 0;
  TraceWriter m_trace;

private:
  Candidate m_best;
  std::vector<Candidate> m_fresh;
};

} // namespace tessera::search
