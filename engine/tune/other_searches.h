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

// Searches for the machine with other rates, one after another: our cost is wrong by a third, and
// what it likes second best may be what is fastest. On an H200 the fastest of 24 took 0.79 of what
// the one search took, in the mean of seventeen samples. The seed of `problem` says which rates.
//
// The best that each found, some of them alike; what they take is of the machine as it is.
std::vector<search::Candidate> searchedOtherwise(const std::string &algorithm,
                                                 const search::Problem &problem, std::size_t count,
                                                 const std::stop_token &stop,
                                                 const job::ProgressCallback &progress = {});

inline constexpr std::size_t kOtherSearches = 24; // more find little that is new

// The same in a thread of its own.
class OtherSearches {
public:
  // None beyond `until`.
  OtherSearches(std::string algorithm, search::Problem problem, std::size_t count,
                std::chrono::steady_clock::time_point until);

  // What was found since it was last asked.
  std::vector<search::Candidate> take();
  bool isOver() const { return m_isOver.load(); }

private:
  std::atomic<bool> m_isOver = false;
  std::mutex m_mutex;
  std::vector<search::Candidate> m_found;
  std::jthread m_thread; // last: it uses all of these
};

} // namespace tessera::tune
