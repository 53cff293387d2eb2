// SPDX-License-Identifier: MIT
#include "engine/job/spawn.h"

#include "engine/job/all_signals_blocked.h"
#include "engine/job/sanitized.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

namespace tessera::job {
namespace {

enum class Step : int { Folder, Limits, Exec };

// Sent by the child through a pipe that closes by itself when exec succeeds.
struct Failure {
  Step step = Step::Exec;
  int cause = 0;
};

// Everything that the child needs, prepared before the fork. Between vfork and exec the child
// shares the parent's memory (and after a plain fork any lock may be held), so it must not
// allocate.
struct ChildPlan {
  const char *program;
  char *const *arguments;
  char *const *environment;
  const char *workingDirectory;
  ProcessLimits limits;
  ThreadEnd threadEnd;
  pid_t parent;
  int input, output, error, failure;
};

[[noreturn]] void fail(const ChildPlan &plan, Step step) {
  const Failure failure{step, errno};
  [[maybe_unused]] const auto written = ::write(plan.failure, &failure, sizeof failure);
  ::_exit(127);
}

bool limit(__rlimit_resource resource, rlim_t value) {
  rlimit limits{};
  if (::getrlimit(resource, &limits) != 0) return false;
  limits.rlim_cur = value < limits.rlim_max ? value : limits.rlim_max;
  return ::setrlimit(resource, &limits) == 0;
}

// From here to exec, only async-signal-safe calls are allowed.
[[noreturn]] void runChild(const ChildPlan &plan) {
  ::setpgid(0, 0);
  if (plan.threadEnd == ThreadEnd::KillsChild) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != plan.parent) ::_exit(127); // the parent ended before prctl()
  }
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal)
    ::sigaction(signal, &standard, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  ::dup2(plan.input, STDIN_FILENO);
  ::dup2(plan.output, STDOUT_FILENO);
  ::dup2(plan.error, STDERR_FILENO);
  // This program's descriptors are close-on-exec already; this covers those that libraries have
  // opened.
  ::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);

  if (plan.workingDirectory && ::chdir(plan.workingDirectory) != 0) fail(plan, Step::Folder);
  limit(RLIMIT_CORE, 0); // writing the core of a crashed compiler takes seconds
  const auto cpu = static_cast<rlim_t>(plan.limits.cpu.count());
  if (cpu > 0 && !limit(RLIMIT_CPU, cpu)) fail(plan, Step::Limits);
  const rlim_t space = plan.limits.addressSpaceBytes;
  if (space > 0 && !kSanitized && !limit(RLIMIT_AS, space)) fail(plan, Step::Limits);

  ::execve(plan.program, plan.arguments, plan.environment);
  fail(plan, Step::Exec);
}

// vfork is used because a fork of a large multi-threaded parent copies its page tables while every
// allocator lock is held, and posix_spawn cannot set limits. The child never returns from this
// frame.
__attribute__((noinline)) pid_t forkInto(const ChildPlan &plan) {
  const pid_t pid = ::vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork): see above
  if (pid == 0) runChild(plan);
  return pid;
}

struct Pipe {
  file::UniqueFd readEnd;
  file::UniqueFd writeEnd;
};

// Moves a descriptor above 2. If this program runs with closed standard streams, pipes could get
// the numbers 0 to 2, and the dup2 calls above would overwrite one pipe by another.
bool aboveStandardStreams(file::UniqueFd &fd) {
  if (fd.get() > STDERR_FILENO) return true;
  fd.reset(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  return bool(fd);
}

bool makePipe(Pipe &pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe.readEnd.reset(ends[0]);
  pipe.writeEnd.reset(ends[1]);
  return aboveStandardStreams(pipe.readEnd) && aboveStandardStreams(pipe.writeEnd);
}

void makeNonBlocking(const file::UniqueFd &fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

Error cannotStart(const ProcessOptions &options, const std::string &step, int cause) {
  return {ErrorCode::System,
          "cannot start " + options.program + ": " + step + ": " + std::strerror(cause), ""};
}

std::string describe(Step step, const ProcessOptions &options) {
  switch (step) {
  case Step::Folder:
    return "entering folder " + options.workingDirectory;
  case Step::Limits:
    return "setting its limits";
  case Step::Exec:
    break;
  }
  return "running it";
}

// The path is absolute, because the child may change its folder before exec.
std::string findProgram(const std::string &program) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (program.find('/') != std::string::npos) return fs::absolute(program, ignored).string();
  const char *path = ::getenv("PATH");
  std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    std::string candidate =
        fs::absolute(fs::path(folders.substr(begin, end - begin)) / program, ignored).string();
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, ignored))
      return candidate;
    begin = end + 1;
  }
  return {};
}

std::vector<std::string> environmentOf(const ProcessOptions &options) {
  std::vector<std::string> variables;
  for (char **variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    const std::string_view key = text.substr(0, text.find('='));
    const auto sameKey = [&](const auto &added) { return added.first == key; };
    if (std::none_of(options.environment.begin(), options.environment.end(), sameKey))
      variables.emplace_back(text);
  }
  for (const auto &[key, value] : options.environment)
    variables.push_back(key + "=" + value);
  return variables;
}

std::vector<char *> pointersTo(std::vector<std::string> &strings) {
  std::vector<char *> pointers;
  for (std::string &text : strings)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace

Result<Spawned> spawn(const ProcessOptions &options, ThreadEnd threadEnd) {
  const std::string program = findProgram(options.program);
  if (program.empty()) return cannotStart(options, "searching for it in PATH", ENOENT);
  std::vector<std::string> arguments{options.program};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> variables = environmentOf(options);
  const std::vector<char *> argumentPointers = pointersTo(arguments);
  const std::vector<char *> variablePointers = pointersTo(variables);

  Pipe input, output, error, failure;
  if (!makePipe(input) || !makePipe(output) || !makePipe(error) || !makePipe(failure))
    return cannotStart(options, "creating pipes to it", errno);

  const ChildPlan plan{
      .program = program.c_str(),
      .arguments = argumentPointers.data(),
      .environment = variablePointers.data(),
      .workingDirectory =
          options.workingDirectory.empty() ? nullptr : options.workingDirectory.c_str(),
      .limits = options.limits,
      .threadEnd = threadEnd,
      .parent = ::getpid(),
      .input = input.readEnd.get(),
      .output = output.writeEnd.get(),
      .error = error.writeEnd.get(),
      .failure = failure.writeEnd.get(),
  };
  pid_t pid = -1;
  int forkError = 0;
  {
    const AllSignalsBlocked blocked; // no signal handler of the parent may run in the child
    pid = forkInto(plan);
    forkError = errno;
  }
  if (pid < 0) return cannotStart(options, "creating a process", forkError);

  failure.writeEnd.reset();
  Failure why;
  ssize_t got = 0;
  do
    got = ::read(failure.readEnd.get(), &why, sizeof why);
  while (got < 0 && errno == EINTR);
  if (got == sizeof why) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return cannotStart(options, describe(why.step, options), why.cause);
  }
  makeNonBlocking(input.writeEnd);
  makeNonBlocking(output.readEnd);
  makeNonBlocking(error.readEnd);
  return Spawned{pid, std::move(input.writeEnd), std::move(output.readEnd),
                 std::move(error.readEnd)};
}

} // namespace tessera::job
