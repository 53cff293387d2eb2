// SPDX-License-Identifier: MIT
#include "engine/session/gpu_host.h"

#include "engine/base/sha256.h"
#include "engine/job/child_process.h"
#include "engine/job/worker_end.h"
#include "engine/session/files.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <span>

namespace tessera::session {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kShortly{30};
constexpr std::chrono::minutes kCopyTime{5};
constexpr const char *kFolder = ".cache/tessera/gpu"; // below the home there
constexpr int kSshFailed = 255;

// A word that ssh takes for a host and for nothing else.
bool isHost(const std::string &host) {
  return !host.empty() && host.front() != '-' &&
         std::ranges::none_of(host, [](unsigned char c) { return std::isspace(c) || c < ' '; });
}

job::ProcessOptions onHost(const ToolPaths &tools, const std::string &host, std::string command) {
  job::ProcessOptions options;
  options.program = tools.ssh;
  options.arguments = {"-o", "BatchMode=yes", "-o", "ConnectTimeout=15", host, std::move(command)};
  return options;
}

Error failed(const std::string &host, const std::string &what, const std::string &errors) {
  const std::string words = job::lastLines(errors, 3);
  return {ErrorCode::System, what + " " + host + (words.empty() ? "." : ": " + words),
          "`ssh " + host + "` has to log in without asking for anything."};
}

// Streams the program through ssh: nothing but a shell has to be there.
Status copyProgram(const ToolPaths &tools, const std::string &host, const std::string &program,
                   const std::string &target, const std::stop_token &stop) {
  const std::string part = target + ".part.$$";
  auto child = job::ChildProcess::start(onHost(tools, host,
                                               "umask 077 && mkdir -p " + std::string(kFolder) +
                                                   " && cat >" + part + " && chmod 700 " + part +
                                                   " && mv -f " + part + " " + target));
  if (!child) return child.error();
  const auto deadline = Clock::now() + kCopyTime;
  const auto written = child->write(std::as_bytes(std::span(program)), deadline, stop);
  if (written == job::ChildProcess::Write::Stopped)
    return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  child->closeInput();
  const auto end = child->wait(deadline, stop);
  if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  if (end && *end == job::ProcessEnd{}) return Done{};
  return failed(host, "tessera-gpu could not be copied to", child->errorText());
}

} // namespace

Result<job::ProcessOptions> gpuWorkerProcess(const ToolPaths &tools, const std::string &host,
                                             std::stop_token stop,
                                             const job::ProgressCallback &progress) {
  job::ProcessOptions here;
  here.program = tools.gpuWorker;
  if (host.empty()) return here;
  if (!isHost(host))
    return Error{ErrorCode::Usage, "'" + host + "' is no host.", "Write user@machine."};
  if (tools.ssh.empty())
    return Error{ErrorCode::System, "ssh is not installed, so no other machine can be reached.",
                 "Install OpenSSH's client."};
  const auto program = readFile(tools.gpuWorker);
  if (!program) return program.error();
  const std::string target = std::string(kFolder) + "/tessera-gpu-" +
                             sha256Hex(std::as_bytes(std::span(*program))).substr(0, 16);
  if (progress) progress({"connecting to " + host, -1});
  const auto asked = job::runProcess(onHost(tools, host, "test -x " + target), kShortly, stop);
  if (!asked) return asked.error();
  if (asked->cancelled) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  if (asked->timedOut || asked->end.signalled || asked->end.value == kSshFailed)
    return failed(host, asked->timedOut ? "No answer in time from" : "Cannot reach", asked->errors);
  if (asked->end.value != 0) {
    if (progress) progress({"copying tessera-gpu to " + host, -1});
    if (const Status copied = copyProgram(tools, host, *program, target, stop); !copied)
      return copied.error();
  }
  return onHost(tools, host, "exec " + target);
}

} // namespace tessera::session
