// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/process_options.h"
#include "engine/job/worker_client.h"

#include <cstdint>
#include <string>

namespace tessera::job {

// A worker that ended before it replied, and what is known about it.
struct WorkerEnd {
  std::string worker;  // name of the program
  std::string request; // type of the request it was working on
  std::string phase;   // phase of the last progress; may be empty
  ProcessEnd end;
  std::string errorText;
  bool kernelWasOutOfMemory = false; // this machine's out-of-memory killer was active
  std::string host = {};             // machine reached through ssh; empty: this one
};

// The outcome, and an error that names the signal and ends with the worker's last output.
Reply describe(const WorkerEnd &end);

// The last `lines` lines without trailing blank ones, for error messages.
std::string lastLines(const std::string &text, int lines);

// How many processes the kernel has killed for lack of memory since boot.
std::uint64_t outOfMemoryKills();

} // namespace tessera::job
