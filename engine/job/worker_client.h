// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/base/result.h"
#include "engine/job/child_process.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace tessera::job {

// Where the work of a job stands: `phase` is a word for a person ("reading", "bounds"), `fraction`
// in 0…1, negative where nobody knows; `item` tells which of several things is worked on, from 0.
struct Progress {
  std::string phase;
  double fraction = -1;
  std::optional<std::size_t> item;
};
using ProgressCallback = std::function<void(const Progress &)>;

// What came back for one request. `body` is the reply's payload when the outcome is Ok; otherwise
// `error` says what happened in words.
struct Reply {
  Outcome outcome = Outcome::ProtocolError;
  nlohmann::json body;
  Error error;
};

// One worker process (`tessera-halide`, `tessera-layout`, later `tessera-gpu`): started on the
// first request, killed on cancel or deadline, started anew after a crash. One request at a time; a
// second thread waits its turn, and waiting does not count against its deadline. Several workers at
// once are several clients.
//
// Wire: request  {"id":n, "type":"…", …}
//       progress {"id":n, "type":"progress", "phase":"…", "fraction":f}
//       reply    {"id":n, "type":"reply", "outcome":"ok", "body":{…}}
//             or {"id":n, "type":"reply", "outcome":"…", "error":{"code","message","hint"}}
//       greeting {"type":"hello", "version":"…"}, at most once and before anything else
class WorkerClient {
public:
  explicit WorkerClient(ProcessOptions options);
  ~WorkerClient();

  // `fields` is an object; `progress` is called in this thread.
  Reply request(const std::string &type, nlohmann::json fields, std::chrono::milliseconds timeout,
                std::stop_token stop = {}, const ProgressCallback &progress = {});

  // Starts the process ahead of the first request, so that its loading time is not felt.
  void warmUp();

  int starts() const; // how often a process had to be started: 1 + restarts

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

// The other end: reads requests from standard input until it closes, calls `handle`, writes the
// reply. Unknown types are refused by name; an exception of a handler becomes a reply. Returns the
// exit code for main(). If the parent dies, input closes and the process leaves at once, also in
// the middle of a request (a thread watches).
//
// Descriptors 0 and 1 are taken away from the program: what a library prints goes to standard
// error.
struct WorkerRequest {
  std::string type;
  nlohmann::json fields;
  std::function<void(const Progress &)> progress;
};
using WorkerHandler = std::function<Reply(const WorkerRequest &)>;
struct WorkerHandlers {
  std::vector<std::pair<std::string, WorkerHandler>> byType;
  std::string version = {}; // of the program, which it greets with; empty: it does not greet
};
int serveWorker(const WorkerHandlers &handlers);

} // namespace tessera::job
