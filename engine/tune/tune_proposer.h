// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/beam_batches.h"
#include "engine/tune/dropped_proposals.h"
#include "engine/tune/tune.h"
#include "engine/tune/tune_queue.h"
#include "engine/search/tuning/kernel_tuning.h"
#include "engine/search/tuning/neighbours.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// The measurement of a candidate: its time, and the time of each kernel if known.
struct TuneLesson {
  search::Candidate candidate;
  std::vector<search::MeasuredKernel> kernels;
  bool isMeasured = true; // false: the time follows from its kernels, and nobody saw its outputs
};

// Of each kernel that was measured, the stage that owns its blocks and the seconds of a run.
struct StageSeconds {
  report::KernelStage stage;
  double seconds = 0;
};
std::vector<StageSeconds> secondsByStage(const report::CompileReport &report,
                                         const bench::Measurement &measurement);

// The kernel times of a candidate that was compiled and measured. Each kernel is identified by the
// func that owns its blocks.
std::vector<search::MeasuredKernel> measuredKernels(const schedule::Schedule &schedule,
                                                    const report::CompileReport &report,
                                                    const bench::Measurement &measurement);

// Decides what a tuning tries next: what an earlier run left undone, the given start, the results
// of a search, then variants of the kernels of the best measured schedules, and neighbours of these
// schedules. It never proposes a schedule twice. For use by one thread.
class TuneProposer {
public:
  // `stored` is everything known about this pipeline on this device.
  TuneProposer(const TuneRequest &request, const std::vector<TunedCandidate> &stored);

  // Candidates that an earlier run left undone, to be measured now.
  std::vector<TuneWork> takeUndone() { return std::exchange(m_undone, {}); }
  // Candidates whose measurement an earlier run began twice and never finished.
  std::vector<TunedCandidate> takeSuspects() { return std::exchange(m_suspects, {}); }

  // The start, if it is to be measured and is not known yet.
  std::vector<TuneWork> started();
  // What the search finds until the given time; empty if an earlier run has measured a result of
  // the search.
  std::vector<TuneWork> searched(std::chrono::steady_clock::time_point until,
                                 const std::stop_token &stop);
  // What the search finds with the next point of the grid that gives something new. Empty if there
  // is none, or if its search has not ended by the given time.
  std::vector<TuneWork> ofGrid(std::chrono::steady_clock::time_point until,
                               const std::stop_token &stop);
  // The next batch of `beam` that has something new. Empty if there is none, or if it is not made
  // by the given time.
  std::vector<TuneWork> ofBeam(std::chrono::steady_clock::time_point until,
                               const std::stop_token &stop);
  std::vector<TrainedBatch> trained() const;
  // The results of other searches, without those that are known, illegal, or hopeless by the cost
  // model.
  std::vector<TuneWork> found(std::vector<search::Candidate> candidates);
  // Candidates around those known to be fast; empty as long as none is known.
  std::vector<TuneWork> around(std::size_t most);

  void learn(const TuneLesson &lesson);
  void fail(std::uint64_t hash) { m_kernels.fail(hash); }
  std::optional<search::Candidate> best() const;
  std::size_t knownBefore() const { return m_knownBefore; }
  // Why proposals were dropped, if a fault of the program was the cause.
  const std::set<std::string> &causesOfDropped() const { return m_dropped.causes(); }

private:
  void beginBeam(const std::vector<TunedCandidate> &stored);
  void recall(const TunedCandidate &stored);
  std::vector<TuneWork> kernels(std::size_t most);
  std::vector<TuneWork> neighbours(std::size_t most);
  TuneWork workOf(search::Candidate candidate, const std::string &origin,
                  std::optional<std::uint64_t> parent);

  const TuneRequest &m_request;
  search::Neighbours m_neighbours;
  search::KernelTuning m_kernels;
  DroppedProposals m_dropped;
  std::optional<BeamBatches> m_beam;
  std::set<std::uint64_t> m_known;
  std::vector<search::Candidate> m_fastest; // measured, fastest first
  std::vector<TuneWork> m_undone;
  std::vector<TunedCandidate> m_suspects;
  double m_predictedBest = 0; // best predicted time of the search; 0: this run has not searched
  std::size_t m_knownBefore = 0, m_turn = 0, m_proposals = 0;
  std::size_t m_nextOfGrid = 0;
  bool m_isSearched = false;
};

} // namespace tessera::tune
