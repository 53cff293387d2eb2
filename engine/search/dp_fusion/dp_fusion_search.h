// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/dp_fusion/fusion_problem.h"
#include "engine/search/dp_fusion/overlapped_nest.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/search/kernels/frozen_decisions.h"
#include "engine/search/kernels/kernel_search.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tessera::search {

// The automatic fusion of Jangda and Guha 2020, "Model-Based Warp Overlapped Tiling for Image
// Processing Programs on GPUs", section 6, with an overlapped tile for each block. It serves for
// comparison, so its final result becomes the best even if Tessera's model predicts a better time
// for the start. The reported seconds are those of Tessera's model.
class DpFusionSearch : public KernelSearch {
public:
  explicit DpFusionSearch(Problem problem);

  bool step() override;
  std::string_view phase() const override;
  double progress() const override;
  std::vector<std::string> remarks() const override;

private:
  enum class Phase : std::uint8_t { Groups, Schedules, Done };
  // After the evaluations have run out, the unfinished result counts only if it is better than the
  // start.
  enum class Ending : std::uint8_t { Whole, OutOfEvaluations };

  void begin();
  bool resetTo(const std::set<pipeline::FuncId> &kept);
  bool scanMore();
  void nextGroup();
  void beginSchedules();
  void nextSchedule();
  bool write(const DpGroup &group, const std::vector<SizeScan::Choice> &choices);
  void finish(Ending ending);
  double benefitOf(const DpGrouping::Group &group) const;
  void traceGroup(const DpGrouping::Group &group, TraceOutcome outcome, const char *reason);
  void traceOthers();

  const DpParameters m_parameters;
  FrozenDecisions m_frozen;
  schedule::KnownLegality m_legality;
  std::set<pipeline::FuncId> m_kept;             // kernels that stay as they are
  std::unique_ptr<const FusionProblem> m_fusion; // null: nothing can be begun anew
  std::unique_ptr<DpGrouping> m_grouping;
  std::unique_ptr<SizeScan> m_scan; // of one group
  std::vector<DpGrouping::Group> m_chosen;
  std::size_t m_next = 0; // in m_chosen
  std::map<DpGrouping::Group, std::vector<SizeScan::Choice>> m_choices;
  std::vector<std::string> m_asStarted; // kernels whose loops are not the algorithm's
  std::size_t m_refused = 0;            // groups
  Phase m_phase = Phase::Done;
};

} // namespace tessera::search
