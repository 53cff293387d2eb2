// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/compile_report.h"
#include "engine/search/tuning/kernel_tuning.h"
#include "engine/tune/tune_store.h"

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
  search::Candidate candidate; // its seconds are the model's; once compiled, with ptxas's registers
  TunedCandidate record;
  std::string bundle;
  report::CompileReport compiled;              // once it is
  std::vector<search::MeasuredKernel> kernels; // once it was measured
  int lost = 0;        // times that the device, or the connection to it, was lost with it
  int undelivered = 0; // times that its bundle did not get to the device's machine
};

// Candidates that wait for somebody: whoever takes gets the one that looks best. Thread-safe.
class TuneQueue {
public:
  void put(TuneWork work);
  // Waits; nothing once it is stopped.
  std::optional<TuneWork> take(const std::stop_token &stop);
  std::size_t size() const;

private:
  mutable std::mutex m_mutex;
  std::condition_variable_any m_filled;
  std::vector<TuneWork> m_work;
};

} // namespace tessera::tune
