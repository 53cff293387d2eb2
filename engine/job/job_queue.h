// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace tessera::job {

enum class JobId : std::uint64_t {}; // from 1

struct JobContext {
  JobId id{};
  std::stop_token stop;
  ProgressCallback progress; // throttled to 30 calls a second; the last one always arrives
};

// Background threads for work that takes longer than a frame. A job carries a tag: submitting a
// newer job with the same tag cancels the running one and replaces the waiting one, so that the
// latest wish wins; two jobs of one tag never run at the same time. Callbacks run on threads of the
// queue; who owns a GUI thread forwards them (views/flows/bridge.h).
class JobQueue {
public:
  explicit JobQueue(int threads = 2);
  ~JobQueue(); // cancels everything and waits

  struct Job {
    std::string tag;
    // A job says itself how it ended, also when it was stopped. Must not throw.
    std::function<void(const JobContext &)> run;
    ProgressCallback progress; // never after a newer job took the tag; one call at a time
    // Called once if the job never ran (by the thread that replaced or cancelled it) or was
    // superseded while it ran (after `run` has returned).
    std::function<void()> replaced;
  };
  JobId submit(Job job);
  void cancel(JobId id);
  void cancelTag(const std::string &tag);
  bool isCurrent(JobId id) const; // false once a newer job took its tag
  void waitIdle();                // not from within a job

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::job
