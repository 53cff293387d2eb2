// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/process_options.h"
#include "engine/base/result.h"
#include "engine/file/unique_fd.h"

#include <sys/types.h>

namespace tessera::job {

// A process that has just started to run its program, and the parent's ends of its standard
// streams.
struct Spawned {
  pid_t pid = -1;
  file::UniqueFd input;
  file::UniqueFd output;
  file::UniqueFd error;
};

// What happens to the child when the *thread* that started it ends. A worker outlives the thread of
// its first request, so it watches its standard input instead (serveWorker). runProcess() stays in
// its thread until the child has ended, so the kernel can kill its child together with the thread
// (PR_SET_PDEATHSIG).
enum class ThreadEnd { Ignored, KillsChild };

// Starts a program in a process group of its own, with default signal handling, no open descriptors
// except the three streams, no core dumps, and the limits in the options. The caller owns the
// process: it must kill the group, then reap the child. An error names the program, the step and
// the cause.
Result<Spawned> spawn(const ProcessOptions &options, ThreadEnd threadEnd);

} // namespace tessera::job
