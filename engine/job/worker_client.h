// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/child_process.h"
#include "engine/base/outcome.h"
#include "engine/base/result.h"

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

// The progress of a job: `phase` is a word for the user ("reading", "bounds"), `fraction` is in
// 0…1, or negative if unknown, and `item` tells which of several things is being processed, from 0.
struct Progress {
  std::string phase;
  double fraction = -1;
  std::optional<std::size_t> item;
};
using ProgressCallback = std::function<void(const Progress &)>;

// The result of a request. `body` is the payload if the outcome is Ok; otherwise `error` describes
// what happened.
struct Reply {
  Outcome outcome = Outcome::ProtocolError;
  nlohmann::json body;
  Error error;
};

// One worker process (`tessera-halide`, `tessera-layout` or `tessera-gpu`): started on the first
// request, killed on cancel or deadline, restarted after a crash. It handles one request at a
// time; a second thread waits its turn, and waiting does not count against its deadline. Several
// workers need several clients.
//
// Wire: request  {"id":n, "type":"…", …}
//       progress {"id":n, "type":"progress", "phase":"…", "fraction":f}, perhaps with "item":i
//       reply    {"id":n, "type":"reply", "outcome":"ok", "body":{…}}
//             or {"id":n, "type":"reply", "outcome":"…", "error":{"code","message","hint"}},
//                perhaps with a "remedy" in the error
//       greeting {"type":"hello", "version":"…"}, at most once and before anything else
class WorkerClient {
public:
  explicit WorkerClient(ProcessOptions options);
  ~WorkerClient();

  // `fields` must be an object. `progress` is called in this thread.
  Reply request(const std::string &type, nlohmann::json fields, std::chrono::milliseconds timeout,
                std::stop_token stop = {}, const ProgressCallback &progress = {});

  // Starts the process before the first request, to hide its loading time.
  void warmUp();

  int starts() const; // how often a process was started: 1 + restarts

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

// The worker's end: reads requests from standard input until it closes, calls the handler for the
// request's type and writes the reply. An unknown type is refused with an error that names it; an
// exception from a handler becomes a reply. Returns the exit code for main(). If the parent dies,
// the input closes and the process exits at once, even during a request (a thread watches).
//
// The program loses descriptors 0 and 1: what a library prints goes to standard error.
struct WorkerRequest {
  std::string type;
  nlohmann::json fields;
  std::function<void(const Progress &)> progress;
};
using WorkerHandler = std::function<Reply(const WorkerRequest &)>;
struct WorkerHandlers {
  std::vector<std::pair<std::string, WorkerHandler>> byType;
  std::string version = {}; // of the program, sent as a greeting; empty: no greeting
};
int serveWorker(const WorkerHandlers &handlers);

} // namespace tessera::job
