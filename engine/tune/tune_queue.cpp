// SPDX-License-Identifier: MIT
#include "engine/tune/tune_queue.h"

#include <algorithm>
#include <utility>

namespace tessera::tune {

void TuneQueue::put(TuneWork work) {
  {
    const std::lock_guard lock(m_mutex);
    m_work.push_back(std::move(work));
  }
  m_filled.notify_one();
}

std::optional<TuneWork> TuneQueue::take(const std::stop_token &stop) {
  std::unique_lock lock(m_mutex);
  if (!m_filled.wait(lock, stop, [&] { return !m_work.empty(); }) || stop.stop_requested())
    return std::nullopt;
  const auto best = std::ranges::min_element(
      m_work, {}, [](const TuneWork &work) { return work.candidate.seconds; });
  TuneWork work = std::move(*best);
  m_work.erase(best);
  return work;
}

std::size_t TuneQueue::size() const {
  const std::lock_guard lock(m_mutex);
  return m_work.size();
}

} // namespace tessera::tune
