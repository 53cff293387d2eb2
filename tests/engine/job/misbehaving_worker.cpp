// SPDX-License-Identifier: MIT
// A worker that misbehaves in the way that the request asks for.
//
//   misbehaving_worker                 serves requests
//   misbehaving_worker --version TEXT  the same, and greets with that version
//   misbehaving_worker --parent        starts itself as a worker, prints the worker's pid and waits
//                                      for a request that never ends
//   misbehaving_worker --run-for-ever FIFO
//                                      the same with runProcess(); the pid goes to FIFO
#include "engine/job/worker_client.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::job;
using nlohmann::json;

// The pipe to the client. Some requests write to it directly instead of through serveWorker().
constexpr int kRawOutput = 100;

Reply ok(json body = json::object()) { return {Outcome::Ok, std::move(body), {}}; }

[[noreturn]] void hang() {
  while (true)
    ::pause();
}

void writeAll(int fd, const void *data, std::size_t size) {
  const char *at = static_cast<const char *>(data);
  while (size > 0) {
    const ssize_t put = ::write(fd, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    at += put, size -= static_cast<std::size_t>(put);
  }
}

Reply dieOfSignal(const WorkerRequest &request) {
  const int signal = request.fields.at("signal");
  std::fprintf(stderr, "about to raise %d\n", signal);
  std::signal(signal, SIG_DFL);
  // raise() would send a stop signal to this thread only, in some sandboxes.
  ::kill(::getpid(), signal);
  hang();
}

// Sends raw bytes to the client, and then ends, hangs or answers as the request says.
Reply say(const WorkerRequest &request) {
  const auto &bytes = request.fields.at("bytes").get_binary();
  writeAll(kRawOutput, bytes.data(), bytes.size());
  const std::string then = request.fields.at("then");
  if (then == "exit") std::_Exit(0);
  if (then == "die") ::kill(::getpid(), SIGSEGV);
  if (then == "hang") hang();
  return ok();
}

Reply hangAfterProgress(const WorkerRequest &request) {
  if (request.fields.value("ignore", "") == "SIGTERM") std::signal(SIGTERM, SIG_IGN);
  request.progress({"hanging", 0.5});
  hang();
}

Reply floodErrors(const WorkerRequest &request) {
  const std::string line(1023, 'e');
  for (int i = 0; i < request.fields.at("kilobytes"); ++i)
    std::fprintf(stderr, "%s\n", line.c_str());
  std::fprintf(stderr, "last line of the flood\n");
  if (request.fields.value("then", "") == "die") std::abort();
  return ok();
}

// Leaves behind a grandchild in this process group. The grandchild holds every stream open and
// ignores everything but SIGKILL.
Reply leaveGrandchild(const WorkerRequest &request) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (const int signal : {SIGTERM, SIGHUP, SIGINT})
      std::signal(signal, SIG_IGN);
    hang();
  }
  if (request.fields.value("then", "") == "die") {
    request.progress({std::to_string(pid), -1});
    std::abort();
  }
  return ok({{"pid", pid}});
}

std::vector<std::vector<char>> g_hoard; // a global variable, so that no optimiser drops the memory

Reply allocate(const WorkerRequest &) {
  while (true)
    g_hoard.emplace_back().reserve(std::size_t{64} << 20); // untouched pages cost no real memory
}

Reply allocateUnguarded(const WorkerRequest &request) {
  [&]() noexcept { (void)allocate(request); }();
  return ok();
}

Reply spin(const WorkerRequest &request) {
  request.progress({"spinning", -1});
  for (volatile unsigned i = 0;;)
    i = i + 1;
}

// Lists the open descriptors as the kernel sees them: number → target.
Reply descriptors(const WorkerRequest &) {
  json open = json::object();
  for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    open[entry.path().filename().string()] =
        std::filesystem::read_symlink(entry.path(), gone).string();
  }
  return ok(std::move(open));
}

Reply closeOutput(const WorkerRequest &) {
  for (int fd = 3; fd <= kRawOutput; ++fd)
    if (const int flags = ::fcntl(fd, F_GETFL); flags >= 0 && (flags & O_ACCMODE) == O_WRONLY)
      ::close(fd);
  hang();
}

Reply reportOften(const WorkerRequest &request) {
  const int count = request.fields.at("count");
  for (int i = 1; i <= count; ++i)
    request.progress({"step", static_cast<double>(i) / count});
  return ok();
}

int serve(const std::string &version = {}) {
  ::dup2(STDOUT_FILENO, kRawOutput);
  return serveWorker(
      {{
           {"echo", [](const WorkerRequest &request) { return ok(request.fields); }},
           {"pid",
            [](const WorkerRequest &) {
              return ok({{"pid", ::getpid()}});
            }},
           {"outcome",
            [](const WorkerRequest &request) {
              const auto outcome = outcomeFromName(request.fields.at("outcome").get<std::string>());
              return Reply{*outcome, json::object(), {errorCode(*outcome), "as asked", "the hint"}};
            }},
           {"signal", dieOfSignal},
           {"exit",
            [](const WorkerRequest &request) -> Reply { std::_Exit(request.fields.at("code")); }},
           {"say", say},
           {"hang", hangAfterProgress},
           {"flood errors", floodErrors},
           {"grandchild", leaveGrandchild},
           {"allocate", allocate},
           {"allocate unguarded", allocateUnguarded},
           {"spin", spin},
           {"descriptors", descriptors},
           {"close output", closeOutput},
           {"report", reportOften},
           {"print",
            [](const WorkerRequest &) {
              std::printf("a library prints this\n");
              std::fflush(stdout);
              return ok({{"next character of stdin", std::getchar()}});
            }},
           {"throw",
            [](const WorkerRequest &) -> Reply { throw std::runtime_error("thrown on purpose"); }},
           {"throw number", [](const WorkerRequest &) -> Reply { throw 42; }},
           {"too deep",
            [](const WorkerRequest &) {
              json deep = 1;
              for (int i = 0; i < 100; ++i)
                deep = json::array({std::move(deep)});
              return ok(std::move(deep));
            }},
       },
       version});
}

int beParent(const char *self) {
  ProcessOptions options;
  options.program = self;
  WorkerClient client(options);
  const Reply reply = client.request("pid", {}, std::chrono::seconds(20));
  client.request("hang", {}, std::chrono::hours(1), {}, [&](const Progress &) {
    std::printf("%d\n", reply.body.at("pid").get<int>());
    std::fflush(stdout);
  });
  return 0;
}

int runForEver(const char *self, const char *fifo) {
  ProcessOptions options;
  options.program = self;
  options.arguments = {"--write-pid", fifo};
  (void)runProcess(options, std::chrono::hours(1));
  return 0;
}

// Writes to a FIFO, because runProcess() captures the streams.
int writePid(const char *fifo) {
  const std::string text = std::to_string(::getpid()) + "\n";
  const int fd = ::open(fifo, O_WRONLY | O_CLOEXEC);
  writeAll(fd, text.data(), text.size());
  ::close(fd);
  hang();
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "--version" && argc > 2) return serve(argv[2]);
  if (mode == "--parent") return beParent(argv[0]);
  if (mode == "--run-for-ever" && argc > 2) return runForEver(argv[0], argv[2]);
  if (mode == "--write-pid" && argc > 2) return writePid(argv[2]);
  return serve();
}
