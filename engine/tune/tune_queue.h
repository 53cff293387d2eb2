// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/candidate_kernels.h"
#include "engine/tune/tune_store.h"
#include "engine/report/compile_report.h"
#include "engine/search/tuning/kernel_tuning.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// A candidate on its way through a tuning.
struct TuneWork {
  search::Candidate candidate; // its seconds are predicted; once compiled, with ptxas's registers
  TunedCandidate record;
  std::string bundle;
  report::CompileReport compiled;              // set once it is compiled
  std::vector<search::MeasuredKernel> kernels; // set once it is measured
  int lost = 0;        // how often the device or the connection was lost during its measurement
  int undelivered = 0; // how often its bundle could not be delivered
  // Where kernels are timed alone: those of the candidate, and whether it goes on as a whole.
  std::vector<CandidateKernel> parts;
  bool isWhole = false;
  // Not empty: the bundle is not the candidate's but that of one of its kernels, of this content.
  TimedKernel alone;
  bool isAlone() const { return !alone.content.empty(); }
};

// A queue of waiting candidates. take() returns the one with the least predicted time. Thread-safe.
class TuneQueue {
public:
  void put(TuneWork work);
  // Waits for a candidate; nullopt once `stop` is requested.
  std::optional<TuneWork> take(const std::stop_token &stop);
  std::size_t size() const;

private:
  mutable std::mutex m_mutex;
  std::condition_variable_any m_filled;
  std::vector<TuneWork> m_work;
};

} // namespace tessera::tune
