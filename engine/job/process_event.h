// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/process_options.h"
#include "engine/base/outcome.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tessera::job {

// An event of a child process, for the listener in ProcessOptions; engine/record writes it into the
// log.
//
// A worker (WorkerClient) is Started, may have Greeted, is Asked and has Answered any number of
// times, and has Left. If it ends during a request, Answered is its last event. A program that runs
// to its end (runProcess) is Started and has Left.
struct ProcessEvent {
  enum class Kind {
    Started,
    NotStarted,
    Greeted,  // the worker has sent its version
    Asked,    // a request was sent
    Answered, // the request is over, even by cancellation, deadline or crash
    Left,     // the process ended or was killed; for a worker: outside a request
  };

  Kind kind = Kind::Started;
  std::string program;           // file name of the program, here or on the other machine
  bool isRemote = false;         // on another machine, through ssh
  pid_t pid = -1;                // of the local process
  std::string version;           // Greeted
  std::string request;           // Asked, Answered: type of the request
  std::string phase;             // Answered: phase of the last progress
  Outcome outcome = Outcome::Ok; // Answered
  // Answered: since the worker was free for the request; Left: since the process started.
  std::chrono::milliseconds took{0};
  std::optional<ProcessEnd> end; // how it ended, if known
  // Whether this program killed the process, for example after a cancellation or a missed deadline,
  // or because the process broke the protocol.
  bool isKilled = false;
  std::string errorText; // last error output of an ended process, else the text of its error reply
};

} // namespace tessera::job
