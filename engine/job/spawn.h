// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/process_options.h"
#include "engine/job/unique_fd.h"

#include <sys/types.h>

namespace tessera::job {

// A process that has just begun to run its program, and our ends of its three standard streams.
struct Spawned {
  pid_t pid = -1;
  UniqueFd input;
  UniqueFd output;
  UniqueFd error;
};

// What happens to the child when the *thread* that started it ends. A worker outlives the thread of
// its first request, so it watches its standard input instead (serveWorker); runProcess() stays in
// its thread until the child has ended, and there the kernel's own mechanism is exact.
enum class ThreadEnd { Ignored, KillsChild };

// Starts a program in a process group of its own, with default signal handling, no descriptor of
// ours but the three streams, no core dumps and the limits of the options. The caller owns the
// process: kill its group, then reap it. An error names the program, the step and the cause.
Result<Spawned> spawn(const ProcessOptions &options, ThreadEnd threadEnd);

} // namespace tessera::job
