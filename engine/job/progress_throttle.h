// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

namespace tessera::job {

// Stands between a job that reports as often as it likes and a listener that is called at most 30
// times a second. A progress that was held back is delivered when its time has come (JobQueue's
// clock thread calls deliverDue) or when the job ends, so the listener always gets the latest one.
// One call at a time.
class ProgressThrottle {
public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::nanoseconds kSpacing = std::chrono::nanoseconds(1'000'000'000 / 30);

  explicit ProgressThrottle(ProgressCallback listener);

  // Returns true if the progress is held back and none was before: then somebody must call
  // deliverDue() at the time due().
  bool report(const Progress &progress, Time now);
  void deliverDue(Time now);
  std::optional<Time> due() const;

  void finish();  // delivers what was held back, then ignores reports
  void silence(); // drops what was held back; takes no lock, so the listener may call it

private:
  void deliver(const Progress &progress, Time now);

  ProgressCallback m_listener;
  mutable std::mutex m_mutex;
  std::atomic<bool> m_silent{false};
  std::optional<Time> m_last;
  std::optional<Progress> m_held;
};

} // namespace tessera::job
