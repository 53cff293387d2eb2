// SPDX-License-Identifier: MIT
#include "engine/job/worker_client.h"

#include "engine/job/frame.h"
#include "engine/job/process_event.h"
#include "engine/job/reply.h"
#include "engine/job/worker_end.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>

namespace tessera::job {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// Time for a worker to exit by itself, at a deadline and when the client is destroyed.
constexpr std::chrono::milliseconds kGrace{100};
// How long a worker's process may live after the end of its output.
constexpr std::chrono::seconds kEndTime{1};

// A running worker, and the received bytes that are not a complete frame yet.
struct Worker {
  explicit Worker(ChildProcess child) : process(std::move(child)) {}
  ChildProcess process;
  FrameReader reader;
  Clock::time_point start = Clock::now();
  bool hasGreeted = false;
};

std::chrono::milliseconds since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
}

// What is known about the current request.
struct Call {
  std::uint64_t id = 0;
  std::string type;
  std::chrono::milliseconds timeout{0};
  Clock::time_point deadline;
  std::stop_token stop;
  const ProgressCallback &progress;
  std::string phase = {};
  std::uint64_t killsBefore = 0;
  // The members from here on are for the events that the listener gets.
  pid_t pid = -1;
  std::optional<ProcessEnd> end = {};
  bool isKilled = false;
  std::string errorText = {};
};

} // namespace

struct WorkerClient::Impl {
  ProcessOptions options;
  std::string name; // of the program, for error messages and events
  std::atomic<int> starts{0};

  std::mutex mutex;
  std::condition_variable_any turn;
  bool busy = false;

  // Used only by the thread whose turn it is.
  std::optional<Worker> worker;
  std::vector<ChildProcess> leaving; // killed, but perhaps still running; no thread waits for them
  std::uint64_t lastId = 0;

  explicit Impl(ProcessOptions given)
      : options(std::move(given)),
        name(options.remote ? options.remote->name
                            : std::filesystem::path(options.program).filename().string()) {}

  Status ensureStarted();
  Reply run(Call &call, json fields);
  Reply converse(Call &call, const std::vector<std::byte> &frame);
  std::optional<Reply> take(Call &call, json message);

  Reply cancelled(Call &call);
  Reply overdue(Call &call);
  Reply ended(Call &call);
  Reply broken(Call &call, const std::string &cause);

  void greeted(const json &message);
  void kill(Call &call);
  void killWithoutWaiting();
  std::string quoted(const Call &call) const;

  void tell(ProcessEvent event) const;
  void tellAnswered(const Call &call, const Reply &reply, Clock::time_point start) const;
  void tellLeft(std::optional<ProcessEnd> end, bool isKilled) const;
  void giveUp(Call &call, Clock::time_point start);
};

namespace {

class Turn {
public:
  Turn(std::mutex &mutex, std::condition_variable_any &turn, bool &busy, std::stop_token stop)
      : m_mutex(mutex), m_turn(turn), m_busy(busy) {
    std::unique_lock lock(m_mutex);
    m_taken = m_turn.wait(lock, std::move(stop), [&] { return !m_busy; });
    if (m_taken) m_busy = true;
  }
  ~Turn() {
    if (!m_taken) return;
    const std::lock_guard lock(m_mutex);
    m_busy = false;
    m_turn.notify_one();
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

  bool taken() const { return m_taken; }

private:
  std::mutex &m_mutex;
  std::condition_variable_any &m_turn;
  bool &m_busy;
  bool m_taken = false;
};

} // namespace

Status WorkerClient::Impl::ensureStarted() {
  std::erase_if(leaving, [](ChildProcess &child) { return child.wait(Clock::now()).has_value(); });
  // A worker that died or sent something between requests is not used again.
  const auto end = worker ? worker->process.wait(Clock::now()) : std::nullopt;
  if (end || (worker && worker->reader.bufferedBytes() > 0)) {
    tellLeft(end, !end);
    killWithoutWaiting();
  }
  if (worker) return Done{};
  Result<ChildProcess> child = ChildProcess::start(options);
  if (!child) {
    tell({.kind = ProcessEvent::Kind::NotStarted});
    return child.error();
  }
  worker.emplace(std::move(*child));
  ++starts;
  tell({.kind = ProcessEvent::Kind::Started, .pid = worker->process.pid()});
  return Done{};
}

// Completes the event with what does not depend on the request, and calls the listener.
void WorkerClient::Impl::tell(ProcessEvent event) const {
  if (!options.listener) return;
  event.program = name;
  event.isRemote = options.remote.has_value();
  options.listener(event);
}

void WorkerClient::Impl::tellAnswered(const Call &call, const Reply &reply,
                                      Clock::time_point start) const {
  tell({.kind = ProcessEvent::Kind::Answered,
        .pid = call.pid,
        .request = call.type,
        .phase = call.phase,
        .outcome = reply.outcome,
        .took = since(start),
        .end = call.end,
        .isKilled = call.isKilled,
        .errorText = call.end || call.isKilled ? call.errorText : reply.error.message});
}

void WorkerClient::Impl::tellLeft(std::optional<ProcessEnd> end, bool isKilled) const {
  tell({.kind = ProcessEvent::Kind::Left,
        .pid = worker->process.pid(),
        .took = since(worker->start),
        .end = end,
        .isKilled = isKilled,
        .errorText = worker->process.errorText()});
}

// Ends a request whose caller no longer waits for the reply, and the worker with it, since a late
// reply must not reach the next caller. For the listener, each request that was asked is answered.
void WorkerClient::Impl::giveUp(Call &call, Clock::time_point start) {
  const bool isAsked = call.pid > 0;
  if (worker && isAsked) {
    kill(call);
  } else if (worker) {
    tellLeft(std::nullopt, true);
    killWithoutWaiting();
  }
  if (isAsked)
    tellAnswered(call, failed(Outcome::Cancelled, "Gave up " + quoted(call) + "."), start);
}

void WorkerClient::Impl::killWithoutWaiting() {
  // Does not wait: the kernel may take long to free the memory of a large process.
  worker->process.kill();
  leaving.push_back(std::move(worker->process));
  worker.reset();
}

Reply WorkerClient::Impl::run(Call &call, json fields) {
  if (const Status started = ensureStarted(); !started)
    return failed(Outcome::ProtocolError, started.error().code, started.error().message,
                  started.error().hint);
  json message = std::move(fields);
  if (message.is_null()) message = json::object();
  if (!message.is_object())
    return failed(Outcome::ProtocolError, "the fields of a request must be a JSON object");
  message["id"] = call.id = ++lastId;
  message["type"] = call.type;
  const Result<std::vector<std::byte>> frame = encodeFrame(message);
  if (!frame) return failed(Outcome::ProtocolError, frame.error().message);

  worker->process.clearErrorText();
  if (options.limits.cpu.count() > 0) worker->process.renewCpuLimit(options.limits.cpu);
  call.killsBefore = outOfMemoryKills();
  call.pid = worker->process.pid();
  tell({.kind = ProcessEvent::Kind::Asked, .pid = call.pid, .request = call.type});
  return converse(call, *frame);
}

Reply WorkerClient::Impl::converse(Call &call, const std::vector<std::byte> &frame) {
  using Write = ChildProcess::Write;
  using Event = ChildProcess::Read::Event;
  switch (worker->process.write(frame, call.deadline, call.stop)) {
  case Write::Stopped:
    return cancelled(call);
  case Write::Deadline:
    return overdue(call);
  case Write::Closed: // read on: the worker may have sent the reason
  case Write::Done:
    break;
  }
  while (true) {
    const ChildProcess::Read read = worker->process.read(call.deadline, call.stop);
    switch (read.event) {
    case Event::Stopped:
      return cancelled(call);
    case Event::Deadline:
      return overdue(call);
    case Event::EndOfStream:
      return ended(call);
    case Event::Bytes:
      break;
    }
    worker->reader.append(read.bytes);
    while (true) {
      Result<std::optional<json>> next = worker->reader.next();
      if (!next) return broken(call, next.error().message);
      if (!*next) break;
      if (std::optional<Reply> reply = take(call, std::move(**next))) return std::move(*reply);
    }
  }
}

// Passes on a progress. Returns a reply, or the error reply for a message that is invalid.
std::optional<Reply> WorkerClient::Impl::take(Call &call, json message) {
  if (!message.is_object()) return broken(call, "a message that is not an object");
  if (isGreeting(message) && !worker->hasGreeted) return greeted(message), std::nullopt;
  const json &id = message["id"];
  if (!id.is_number_unsigned() || id.get<std::uint64_t>() != call.id)
    return broken(call, "a message with id " + id.dump() + ", but request " +
                            std::to_string(call.id) + " was sent");
  const json &type = message["type"];
  if (type == "progress") {
    const Progress progress = progressFromMessage(message);
    call.phase = progress.phase;
    if (call.progress) call.progress(progress);
    return std::nullopt;
  }
  if (type != "reply")
    return broken(call, "a message of unknown type " +
                            type.dump(-1, ' ', false, json::error_handler_t::replace));
  Result<Reply> reply = replyFromMessage(std::move(message));
  if (!reply) return broken(call, reply.error().message);
  // After bad_alloc the worker is not used again: its heap is large, and data may be half built.
  if (reply->outcome == Outcome::HostMemory) kill(call);
  return std::move(*reply);
}

void WorkerClient::Impl::greeted(const json &message) {
  worker->hasGreeted = true;
  tell({.kind = ProcessEvent::Kind::Greeted,
        .pid = worker->process.pid(),
        .version = versionFromGreeting(message)});
}

void WorkerClient::Impl::kill(Call &call) {
  call.isKilled = true;
  call.errorText = worker->process.errorText();
  killWithoutWaiting();
}

std::string WorkerClient::Impl::quoted(const Call &call) const {
  return "'" + call.type + "'" + (call.phase.empty() ? "" : ", phase '" + call.phase + "'");
}

Reply WorkerClient::Impl::cancelled(Call &call) {
  kill(call);
  return failed(Outcome::Cancelled, "Cancelled " + quoted(call) + ".");
}

Reply WorkerClient::Impl::overdue(Call &call) {
  call.end = worker->process.terminate(kGrace);
  call.isKilled = true;
  call.errorText = worker->process.errorText();
  worker.reset();
  return failed(Outcome::CompileTimeout, name + " did not answer " + quoted(call) + " within " +
                                             std::to_string(call.timeout.count()) + " ms.");
}

Reply WorkerClient::Impl::ended(Call &call) {
  const Status whole = worker->reader.finish();
  const std::optional<ProcessEnd> end = worker->process.wait(Clock::now() + kEndTime);
  if (!end) return broken(call, "its output ended, but the process is still running");
  WorkerEnd known{name, call.type, call.phase, *end, worker->process.errorText(), false};
  known.kernelWasOutOfMemory = outOfMemoryKills() > call.killsBefore;
  if (options.remote) known.host = options.remote->host;
  call.end = end;
  call.errorText = known.errorText;
  worker.reset();
  if (!whole && *end == ProcessEnd{false, 0}) // a regular exit in the middle of a frame
    return failed(Outcome::ProtocolError, name + " broke the protocol: " + whole.error().message);
  return describe(known);
}

Reply WorkerClient::Impl::broken(Call &call, const std::string &cause) {
  const std::string words = lastLines(worker->process.errorText(), 2);
  kill(call);
  return failed(Outcome::ProtocolError, name + " broke the protocol: " + cause +
                                            (words.empty() ? "" : ". It last wrote:\n" + words));
}

WorkerClient::WorkerClient(ProcessOptions options)
    : m_impl(std::make_unique<Impl>(std::move(options))) {}

WorkerClient::~WorkerClient() {
  if (!m_impl->worker) return;
  m_impl->worker->process.closeInput();
  const auto end = m_impl->worker->process.wait(Clock::now() + kGrace);
  m_impl->tellLeft(end, !end);
}

Reply WorkerClient::request(const std::string &type, json fields, std::chrono::milliseconds timeout,
                            std::stop_token stop, const ProgressCallback &progress) {
  const Turn turn(m_impl->mutex, m_impl->turn, m_impl->busy, stop);
  Call call{0, type, timeout, deadlineAfter(timeout), stop, progress};
  if (!turn.taken() || stop.stop_requested())
    return failed(Outcome::Cancelled, "Cancelled '" + type + "'.");
  const Clock::time_point start = Clock::now();
  Reply reply;
  try {
    reply = m_impl->run(call, std::move(fields));
  } catch (...) { // from the progress callback or bad_alloc
    m_impl->giveUp(call, start);
    throw;
  }
  if (call.pid > 0) m_impl->tellAnswered(call, reply, start);
  return reply;
}

void WorkerClient::warmUp() {
  const Turn turn(m_impl->mutex, m_impl->turn, m_impl->busy, {});
  if (turn.taken()) (void)m_impl->ensureStarted(); // an error is reported by the first request
}

int WorkerClient::starts() const { return m_impl->starts; }

} // namespace tessera::job
