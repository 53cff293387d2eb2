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
  // May be called often. Job::progress is called at most 30 times a second, but always gets the
  // last progress.
  ProgressCallback progress;
};

// Background threads for work that takes longer than a frame on the screen. Every job has a tag.
// Submitting a job cancels the running job with the same tag and replaces the waiting one, so that
// the latest request wins; two jobs with one tag never run at the same time. Jobs and their
// progress callbacks run on the queue's threads; a GUI forwards them to its own thread
// (views/flows/bridge.h).
class JobQueue {
public:
  explicit JobQueue(int threads = 2);
  ~JobQueue(); // cancels all jobs and waits

  struct Job {
    std::string tag;
    // `run` itself has to report how the job ended, even if it was stopped. It must not throw.
    std::function<void(const JobContext &)> run;
    ProgressCallback progress; // not called once a newer job has the tag; one call at a time
    // Called once if the job never ran (by the thread that replaced or cancelled it), or if it was
    // superseded while it ran (after `run` has returned).
    std::function<void()> replaced;
  };
  JobId submit(Job job);
  void cancel(JobId id);
  void cancelTag(const std::string &tag);
  bool isCurrent(JobId id) const; // false once a newer job has its tag
  void waitIdle();                // must not be called within a job

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::job
