// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace tessera::job {

enum class JobId : std::uint64_t {};

struct JobContext {
  JobId id{};
  std::stop_token stop;
  ProgressCallback progress; // throttled to 30 calls a second; the last one always arrives
};

// Background threads for work that takes longer than a frame. A job carries a tag: submitting a
// newer job with the same tag cancels the running one and replaces the waiting one, so that the
// latest wish wins. Callbacks run on the job's thread; who owns a GUI thread forwards them
// (views/models/bridge.h).
class JobQueue {
public:
  explicit JobQueue(int threads = 2);
  ~JobQueue(); // cancels everything and waits

  struct Job {
    std::string tag;
    std::function<void(const JobContext &)> run;
    ProgressCallback progress;
    std::function<void()> replaced; // called once if the job never ran or was superseded
  };
  JobId submit(Job job);
  void cancel(JobId id);
  void cancelTag(const std::string &tag);
  bool isCurrent(JobId id) const; // false once a newer job took its tag
  void waitIdle();

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::job
