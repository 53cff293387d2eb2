// SPDX-License-Identifier: MIT
#include "engine/host/gpu_host.h"

#include "engine/host/files.h"
#include "engine/base/sha256.h"
#include "engine/job/child_process.h"
#include "engine/job/worker_end.h"
#include "engine/record/process_lines.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <span>
#include <sys/utsname.h>

namespace tessera::host {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kShortly{30};
constexpr std::chrono::minutes kCopyTime{5};
constexpr const char *kFolder = ".cache/tessera/gpu"; // below the home folder on the host
constexpr int kSshFailed = 255, kIsMissing = 1;

// `script` is run by sh, whatever the user's shell on the host is, and must not contain single
// quotes. A connection that breaks silently is noticed after fifteen seconds, before a measurement
// is overdue.
job::ProcessOptions onHost(const ToolPaths &tools, const std::string &host,
                           const std::string &script) {
  job::ProcessOptions options;
  options.program = tools.ssh;
  options.arguments = {"-o", "BatchMode=yes",         "-o", "ConnectTimeout=15",
                       "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=2",
                       host, "sh -c '" + script + "'"};
  options.listener = record::processLines(tools.record, "ssh");
  return options;
}

Error failed(const std::string &host, const std::string &what, const std::string &errors) {
  const std::string words = job::lastLines(errors, 3);
  return {ErrorCode::System, what + " " + host + (words.empty() ? "." : ": " + words),
          "`ssh " + host + "` must log in without a prompt."};
}

// The output of `uname -sm`.
std::string platformHere() {
  utsname here{};
  return ::uname(&here) == 0 ? std::string(here.sysname) + " " + here.machine : "";
}

// Checks the host's answer to `uname -sm`. Fails if the host is of another platform, or if its
// shell prints anything of its own before the answer, because that text would also get between the
// worker's frames.
Status checkPlatform(const std::string &host, const std::string &said) {
  const std::string there = job::lastLines(said, 1), here = platformHere();
  if (job::lastLines(said, 2) != there)
    return Error{ErrorCode::System,
                 "The shell of " + host +
                     " prints text of its own: " + said.substr(0, said.find('\n')),
                 "The shell's start-up files must print nothing when there is no terminal."};
  if (there != here)
    return Error{
        ErrorCode::System, host + " is " + there + ", but tessera-gpu here is for " + here + ".",
        "Make a bundle with bench --prepare, and measure it with Tessera built on that machine."};
  return Done{};
}

// A shell test whether the file has been copied completely: a connection may have been lost in the
// middle of a copy.
std::string isWhole(const std::string &file, const std::string &program) {
  return "test $(wc -c <" + file + ") -eq " + std::to_string(program.size());
}

// Streams the program through ssh. The host needs only a shell and the usual commands.
Status copyProgram(const ToolPaths &tools, const std::string &host, const std::string &program,
                   const std::string &target, const std::stop_token &stop) {
  const std::string part = target + ".part.$$";
  auto child = job::ChildProcess::start(
      onHost(tools, host,
             "umask 077 && mkdir -p " + std::string(kFolder) + " && cat >" + part + " && " +
                 isWhole(part, program) + " && chmod 700 " + part + " && mv -f " + part + " " +
                 target + " || { rm -f " + part + "; exit 1; }"));
  if (!child) return child.error();
  const auto deadline = Clock::now() + kCopyTime;
  const auto written = child->write(std::as_bytes(std::span(program)), deadline, stop);
  if (written == job::ChildProcess::Write::Stopped)
    return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  child->closeInput();
  const auto end = child->wait(deadline, stop);
  if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  if (end && *end == job::ProcessEnd{}) return Done{};
  return failed(host, "Cannot copy tessera-gpu to", child->errorText());
}

} // namespace

bool isHost(const std::string &host) {
  return !host.empty() && host.front() != '-' &&
         std::ranges::none_of(host, [](unsigned char c) { return std::isspace(c) || c < ' '; });
}

Result<job::ProcessOptions> gpuWorkerProcess(const ToolPaths &tools, const std::string &host,
                                             std::stop_token stop,
                                             const job::ProgressCallback &progress) {
  job::ProcessOptions here;
  here.program = tools.gpuWorker;
  here.listener = record::processLines(tools.record, "tessera-gpu");
  if (host.empty()) return here;
  if (!isHost(host))
    return Error{ErrorCode::Usage, "'" + host + "' is not a host.", "Write user@machine."};
  if (tools.ssh.empty())
    return Error{ErrorCode::System, "ssh is not installed, so no other machine can be reached.",
                 "Install OpenSSH's client."};
  const auto program = readFile(tools.gpuWorker);
  if (!program) return program.error();
  const std::string target = std::string(kFolder) + "/tessera-gpu-" +
                             sha256Hex(std::as_bytes(std::span(*program))).substr(0, 16);
  if (progress) progress({"connecting to " + host, -1});
  const auto asked = job::runProcess(
      onHost(tools, host, "uname -sm; test -x " + target + " && " + isWhole(target, *program)),
      kShortly, stop);
  if (!asked) return asked.error();
  if (asked->cancelled) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  if (asked->timedOut || asked->end.signalled || asked->end.value == kSshFailed)
    return failed(host, asked->timedOut ? "No answer in time from" : "Cannot reach", asked->errors);
  if (asked->end.value > kIsMissing)
    return failed(host, "Cannot look for tessera-gpu on", asked->errors);
  if (const Status fits = checkPlatform(host, asked->output); !fits) return fits.error();
  if (asked->end.value == kIsMissing) {
    if (progress) progress({"copying tessera-gpu to " + host, -1});
    if (const Status copied = copyProgram(tools, host, *program, target, stop); !copied)
      return copied.error();
  }
  job::ProcessOptions there = onHost(tools, host, target + "; exit $?"); // 128 + n after signal n
  there.remote = {"tessera-gpu", host};
  there.listener = here.listener;
  return there;
}

} // namespace tessera::host
