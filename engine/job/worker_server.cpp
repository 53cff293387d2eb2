// SPDX-License-Identifier: MIT
#include "engine/job/worker_client.h"

#include "engine/job/frame.h"
#include "engine/job/reply.h"
#include "engine/file/unique_fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <new>
#include <thread>

namespace tessera::job {
namespace {

using nlohmann::json;

constexpr int kExitBadFrames = 3;
constexpr int kExitNoDescriptors = 4;

// The frames use other descriptors than 0 and 1. So a library that prints writes to standard error,
// and one that reads gets nothing, and neither can damage the frames.
struct Streams {
  file::UniqueFd input;
  file::UniqueFd output;

  bool take() {
    input.reset(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
    output.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    const file::UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return input && output && nothing && ::dup2(nothing.get(), STDIN_FILENO) >= 0 &&
           ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  }
};

// Exits because the client is gone or sends garbage. Runs no destructors: other threads are still
// working, and the destructors of some libraries crash.
[[noreturn]] void leave(int code) { std::_Exit(code); }

class Server {
public:
  Server(const WorkerHandlers &handlers, Streams streams)
      : m_handlers(handlers), m_streams(std::move(streams)) {}

  int run() {
    if (!m_handlers.version.empty()) send(greeting(m_handlers.version));
    // Reads all the time, so that the end of input is noticed while a handler works.
    std::thread watcher([this] { watch(); });
    while (std::optional<json> request = nextRequest())
      answer(*request);
    watcher.join();
    return 0;
  }

private:
  void watch();
  std::optional<json> nextRequest();
  void answer(const json &request);
  Reply handle(const json &request, std::uint64_t id);
  void send(const json &message);

  const WorkerHandlers &m_handlers;
  Streams m_streams;
  std::mutex m_outputMutex;

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<json> m_requests;
  bool m_busy = false;
  bool m_inputEnded = false;
};

void Server::watch() {
  FrameReader reader;
  std::array<std::byte, std::size_t{64} << 10> chunk;
  while (true) {
    const ssize_t got = ::read(m_streams.input.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    reader.append({chunk.data(), static_cast<std::size_t>(got)});
    while (true) {
      Result<std::optional<json>> message = reader.next();
      if (!message) {
        std::fprintf(stderr, "the request cannot be read: %s\n", message.error().message.c_str());
        leave(kExitBadFrames);
      }
      if (!*message) break;
      const std::lock_guard lock(m_mutex);
      m_requests.push_back(std::move(**message));
      m_changed.notify_one();
    }
  }
  const std::lock_guard lock(m_mutex);
  if (m_busy || !m_requests.empty()) leave(0);
  m_inputEnded = true;
  m_changed.notify_one();
}

std::optional<json> Server::nextRequest() {
  std::unique_lock lock(m_mutex);
  m_busy = false;
  m_changed.wait(lock, [this] { return m_inputEnded || !m_requests.empty(); });
  if (m_requests.empty()) return std::nullopt;
  json request = std::move(m_requests.front());
  m_requests.pop_front();
  m_busy = true;
  return request;
}

void Server::answer(const json &request) {
  const auto id = request.is_object() ? request.find("id") : request.end();
  if (!request.is_object() || id == request.end() || !id->is_number_unsigned()) {
    std::fprintf(stderr, "the request has no id\n");
    leave(kExitBadFrames);
  }
  send(replyMessage(*id, handle(request, *id)));
}

Reply Server::handle(const json &request, std::uint64_t id) {
  const auto typeField = request.find("type");
  const bool named = typeField != request.end() && typeField->is_string();
  const std::string type = named ? typeField->get<std::string>() : "";
  const auto &known = m_handlers.byType;
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const auto &entry) { return entry.first == type; });
  if (found == known.end()) {
    std::string types;
    for (const auto &[knownType, handler] : known)
      types += (types.empty() ? "" : ", ") + knownType;
    return failed(Outcome::ProtocolError,
                  "The worker does not know requests of type '" + type + "'.", "It knows " + types);
  }
  WorkerRequest call{type, request,
                     [this, id](const Progress &progress) { send(progressMessage(id, progress)); }};
  call.fields.erase("id");
  call.fields.erase("type");
  try {
    return found->second(call);
  } catch (const std::bad_alloc &) {
    return failed(Outcome::HostMemory, "Out of memory during '" + type + "'.");
  } catch (const std::exception &error) {
    return failed(Outcome::Crashed, "'" + type + "' failed: " + error.what());
  } catch (...) { // Halide's errors do not derive from std::exception
    return failed(Outcome::Crashed, "'" + type + "' failed with an unknown exception.");
  }
}

void Server::send(const json &message) {
  const Result<std::vector<std::byte>> frame = encodeFrame(message);
  if (!frame) {
    const Reply instead =
        failed(Outcome::ProtocolError, "The answer cannot be sent: " + frame.error().message);
    return send(replyMessage(message["id"], instead));
  }
  const std::lock_guard lock(m_outputMutex);
  std::span<const std::byte> rest = *frame;
  while (!rest.empty()) {
    const ssize_t put = ::write(m_streams.output.get(), rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) leave(0); // the client does not read any more
    rest = rest.subspan(static_cast<std::size_t>(put));
  }
}

} // namespace

int serveWorker(const WorkerHandlers &handlers) {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error, as a full disk is
  Streams streams;
  if (!streams.take()) return kExitNoDescriptors;
  return Server(handlers, std::move(streams)).run();
}

} // namespace tessera::job
