// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/job/process_options.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tessera::job {

// Something that happened to a child process. Whoever wants to hear of it puts a listener into the
// ProcessOptions; engine/record writes it into the log.
//
// A worker (WorkerClient) is Started, may have Greeted, is Asked and has Answered again and again,
// and has Left. A program that runs to its end (runProcess) is Started and has Left.
struct ProcessEvent {
  enum class Kind {
    Started,
    NotStarted,
    Greeted,  // the worker said which version it is
    Asked,    // a request was sent
    Answered, // the request is over, also where the process was cancelled, hung or crashed
    Left,     // the process ended, or was ended, while no request was under way
  };

  Kind kind = Kind::Started;
  std::string program;               // its file's name; of a remote one, that of the program there
  bool isRemote = false;             // it runs on another machine, through ssh
  pid_t pid = -1;                    // of the process here
  std::string version;               // Greeted
  std::string request;               // Asked, Answered: the type of the request
  std::string phase;                 // Answered: of the last progress
  Outcome outcome = Outcome::Ok;     // Answered
  std::chrono::milliseconds took{0}; // Answered: since its turn came; Left: since its start
  std::optional<ProcessEnd> end;     // how it ended, where that is known
  bool isKilled = false;             // by us: cancelled, overdue, or it broke the protocol
  std::string errorText; // its last words, where it has ended, else those of its refusal
};

} // namespace tessera::job
