// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/merge_scan.h"
#include "engine/search/mullapudi/mullapudi_nest.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/search/kernels/frozen_decisions.h"
#include "engine/search/kernels/kernel_search.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tessera::search {

// The three schedulers that the paper compares (section 5.1).
enum class MullapudiKind : std::uint8_t {
  Mullapudi,    // all of section 4
  Baseline,     // inlines where nothing is computed again; no groups, no order of loops
  PolymageLike, // groups with one tile in two dimensions
};

// The algorithm of Mullapudi et al. 2016, "Automatically Scheduling Halide Image Processing
// Pipelines", section 4, for a GPU as in section 5.4, with the costs of that paper. It serves for
// comparison, so its final result becomes the best even if Tessera's model predicts a better time
// for the start. The reported seconds are those of Tessera's model.
class MullapudiSearch : public KernelSearch {
public:
  MullapudiSearch(Problem problem, MullapudiKind kind);

  bool step() override;
  std::string_view phase() const override;
  double progress() const override;
  std::vector<std::string> remarks() const override;

private:
  enum class Phase : std::uint8_t { Inlining, Kernels, Grouping, Schedules, Done };
  static constexpr int kPhases = 4;

  // A func that may be inlined, or a group that may be merged into its only consumer.
  struct Change {
    double benefit = 0;
    double before = 0; // of a merge: the cost of both groups
    bool isKnown = false;
    bool isByRule = false; // true: the rule of the baseline, which knows no benefit
    std::vector<MergeScan::Tiling> tilings; // of a merge, the best first
  };
  // After the evaluations have run out, the unfinished result counts only if it is better than the
  // start.
  enum class Ending : std::uint8_t { Whole, OutOfEvaluations };

  void begin();
  bool resetTo(const std::set<pipeline::FuncId> &kept);
  void listKernels();
  void enter(Phase phase);
  void work();
  void finish(Ending ending);
  bool isAllowed(const schedule::Schedule &schedule);

  std::optional<std::vector<pipeline::FuncId>> consumersOf(pipeline::FuncId func) const;
  bool mayInline(pipeline::FuncId func) const;
  bool inlinesAsBaseline(const MullapudiKernel &producer,
                         const std::vector<const MullapudiKernel *> &consumers) const;
  bool mayMerge(pipeline::FuncId func) const;
  void listChange(pipeline::FuncId func);
  void listAgain(const std::set<pipeline::FuncId> &changed);
  void nextChange();
  void valueInlining(pipeline::FuncId func, Change &change);
  void scanMerge(pipeline::FuncId func);
  void adoptInlining(pipeline::FuncId func, const Change &change);
  void adoptMerge(pipeline::FuncId func, const Change &change);
  void traceInlining(pipeline::FuncId func, const Change &change, std::string_view refusal);
  void traceMerge(pipeline::FuncId func, const Change &change, const MergeScan::Tiling *tiling,
                  std::string_view refusal);
  void traceSchedule(const MullapudiKernel &kernel, TraceOutcome outcome, const char *reason);

  void nextKernel();
  void nextSchedule();
  std::vector<MullapudiKernel> formsOf(const MullapudiKernel &kernel) const;
  bool write(const MullapudiKernel &kernel, NestForm form);
  std::vector<double> reuseOf(const MullapudiGroup &group) const;

  const MullapudiKind m_kind;
  FittedParameters m_fitted;
  const MullapudiParameters &m_parameters;
  FrozenDecisions m_frozen;
  schedule::KnownLegality m_legality;
  std::set<pipeline::FuncId> m_kept;                     // kernels that stay as they are
  std::map<pipeline::FuncId, MullapudiKernel> m_kernels; // by output
  std::map<pipeline::FuncId, Change> m_changes;          // by the func that is inlined or merged
  std::optional<SingletonScan> m_singleton;
  std::optional<MergeScan> m_merge;
  pipeline::FuncId m_merged{};           // what m_merge is about
  std::vector<pipeline::FuncId> m_order; // outputs to work on in this phase
  std::size_t m_next = 0;
  std::vector<std::string> m_otherwise, m_asStarted; // kernels whose loops are not the paper's
  std::size_t m_refusedInlinings = 0, m_refusedMerges = 0;
  Phase m_phase = Phase::Done;
};

} // namespace tessera::search
