// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/process_options.h"
#include "engine/job/worker_client.h"

#include <cstdint>
#include <string>

namespace tessera::job {

// A worker that ended before it answered, and what is known about it.
struct WorkerEnd {
  std::string worker;  // the program's name
  std::string request; // type of the request that it worked on
  std::string phase;   // of its last progress; may be empty
  ProcessEnd end;
  std::string errorText;
  bool kernelWasOutOfMemory = false; // the machine's out-of-memory killer was at work meanwhile
  std::string host = {};             // on which it ran through ssh; empty: here
};

// Which outcome that is, and an error that names the signal and ends with the worker's last words.
Reply describe(const WorkerEnd &end);

// The last `lines` lines, without blank ones at the end; for errors.
std::string lastLines(const std::string &text, int lines);

// How many processes the kernel has killed for lack of memory since it started.
std::uint64_t outOfMemoryKills();

} // namespace tessera::job
