// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"
#include "engine/search/search.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tessera::tune {

// Runs `count` searches, one after another, each for a copy of the machine with modified rates. The
// cost model is off by about a third, so its second choice may be the fastest. On an H200, the
// fastest schedule of 24 such searches took 0.79 of the time of the schedule of a single search, in
// the mean over seventeen samples. The seed of `problem` determines the rates.
//
// Returns the best candidate of each search, possibly with duplicates. Their predicted times are
// for the unmodified machine.
std::vector<search::Candidate> searchedOtherwise(const std::string &algorithm,
                                                 const search::Problem &problem, std::size_t count,
                                                 const std::stop_token &stop,
                                                 const job::ProgressCallback &progress = {});

inline constexpr std::size_t kOtherSearches = 24; // more searches find hardly anything new

// Runs searchedOtherwise() in its own thread.
class OtherSearches {
public:
  // At `until`, the running search ends early and no other starts.
  OtherSearches(std::string algorithm, search::Problem problem, std::size_t count,
                std::chrono::steady_clock::time_point until);

  // Returns the candidates found since the last call.
  std::vector<search::Candidate> take();
  bool isOver() const { return m_isOver.load(); }

private:
  std::atomic<bool> m_isOver = false;
  std::mutex m_mutex;
  std::vector<search::Candidate> m_found;
  std::jthread m_thread; // last member: it uses all others
};

} // namespace tessera::tune
