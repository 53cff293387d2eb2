// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/search.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tessera::session {

// Searches for the machine with other rates, one after another in a thread of its own: our cost is
// wrong by a third, and what it likes second best may be what is fastest. Of those that were tried
// on an H200 the fastest of 24 took 0.79 of what the one search took, in the mean.
class OtherSearches {
public:
  // `problem`: its seed says which rates. At most `count` searches, none beyond `until`.
  OtherSearches(std::string algorithm, search::Problem problem, std::size_t count,
                std::chrono::steady_clock::time_point until);

  // What was found since it was last asked; its seconds are of the machine as it is.
  std::vector<search::Candidate> take();
  bool isOver() const { return m_isOver.load(); }

private:
  void searchAll(const std::stop_token &stop);

  const std::string m_algorithm;
  const search::Problem m_problem;
  const std::size_t m_count;
  const std::chrono::steady_clock::time_point m_until;
  std::atomic<bool> m_isOver = false;
  std::mutex m_mutex;
  std::vector<search::Candidate> m_found;
  std::jthread m_thread; // last: it uses all of these
};

} // namespace tessera::session
