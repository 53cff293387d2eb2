// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/candidate_kernels.h"
#include "engine/tune/tune_queue.h"
#include "engine/tune/tune_store.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tessera::tune {

// The times of kernels alone, by their content, so that each is compiled and measured once,
// whichever candidate has it. Candidates wait here until all of their kernels are known.
// Thread-safe.
class KernelTimes {
public:
  explicit KernelTimes(const std::vector<TimedKernel> &stored);

  // True for the first caller, who must see to it that finish() is called for the kernel.
  bool claim(const std::string &content);
  // Keeps the candidate until its kernels are known. Returned at once if they are.
  std::optional<TuneWork> await(TuneWork work);
  // Returns the candidates for which this was the last kernel.
  std::vector<TuneWork> finish(const TimedKernel &kernel);

  // The time of each kernel; empty if one of them is not known or has no time.
  std::vector<search::MeasuredKernel> timesOf(std::span<const CandidateKernel> kernels) const;
  // A kernel that the GPU or its worker did not survive, if there is one.
  std::optional<TimedKernel> fatalOf(std::span<const CandidateKernel> kernels) const;

private:
  bool isKnown(std::span<const CandidateKernel> kernels) const;

  mutable std::mutex m_mutex; // guards all members below
  std::map<std::string, TimedKernel> m_known;
  std::set<std::string> m_claimed;
  std::vector<TuneWork> m_waiting;
};

double secondsOf(std::span<const search::MeasuredKernel> kernels); // of all together

} // namespace tessera::tune
