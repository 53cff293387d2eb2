// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/tuning/kernel_tuning.h"
#include "engine/search/tuning/neighbours.h"
#include "engine/tune/tune.h"
#include "engine/tune/tune_queue.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// What was measured of a candidate: what it took, and each of its kernels where that is known.
struct TuneLesson {
  search::Candidate candidate;
  std::vector<search::MeasuredKernel> kernels;
};

// The kernels of a candidate that was compiled and measured, by the funcs that own their blocks.
std::vector<search::MeasuredKernel> measuredKernels(const schedule::Schedule &schedule,
                                                    const report::CompileReport &report,
                                                    const bench::Measurement &measurement);

// Decides what a tuning tries next: what an earlier run left undone, the schedule that it was given
// to start from, what a search finds, then the kernels of the best that were measured written
// otherwise, and neighbours of these. Never the same twice. For one thread.
class TuneProposer {
public:
  // `stored`: all that is known of this pipeline on this device.
  TuneProposer(const TuneRequest &request, const std::vector<TunedCandidate> &stored);

  // Of an earlier run, to be done now.
  std::vector<TuneWork> takeUndone() { return std::exchange(m_undone, {}); }
  // Of an earlier run, twice begun to be measured and never ended.
  std::vector<TunedCandidate> takeSuspects() { return std::exchange(m_suspects, {}); }

  // What to start from, where it is to be measured and is not known.
  std::vector<TuneWork> started();
  // What the search finds until then; nothing where an earlier run has its result.
  std::vector<TuneWork> searched(std::chrono::steady_clock::time_point until,
                                 const std::stop_token &stop);
  // What other searches found: all that is not known and not hopeless by our cost.
  std::vector<TuneWork> found(std::vector<search::Candidate> candidates);
  // Around what is known to be fast; none as long as nothing is.
  std::vector<TuneWork> around(std::size_t most);

  void learn(const TuneLesson &lesson);
  void fail(std::uint64_t hash) { m_kernels.fail(hash); }
  std::optional<search::Candidate> best() const;
  std::size_t knownBefore() const { return m_knownBefore; }

private:
  void recall(const TunedCandidate &stored);
  std::vector<TuneWork> neighbours(std::size_t most);
  TuneWork workOf(search::Candidate candidate, const std::string &origin,
                  std::optional<std::uint64_t> parent);

  const TuneRequest &m_request;
  search::Neighbours m_neighbours;
  search::KernelTuning m_kernels;
  std::set<std::uint64_t> m_known;
  std::vector<search::Candidate> m_fastest; // measured, the best first
  std::vector<TuneWork> m_undone;
  std::vector<TunedCandidate> m_suspects;
  double m_predictedBest = 0; // of the search; 0: it was made in an earlier run
  std::size_t m_knownBefore = 0, m_turn = 0, m_proposals = 0;
  bool m_isSearched = false;
};

} // namespace tessera::tune
