// SPDX-License-Identifier: MIT
#include "engine/job/child_process.h"

#include "engine/job/process_event.h"
#include "engine/job/spawn.h"

#include <algorithm>
#include <filesystem>

namespace tessera::job {
namespace {

constexpr std::size_t kOutputBytes = std::size_t{16} << 20;
// Enough time for a compiler to remove its temporary files.
constexpr std::chrono::milliseconds kGraceAtTimeout{200};
constexpr std::chrono::milliseconds kGraceAtCancel{20};

void keep(std::string &output, const std::vector<std::byte> &bytes) {
  const std::size_t taken = std::min(bytes.size(), kOutputBytes - output.size());
  output.append(reinterpret_cast<const char *>(bytes.data()), taken);
}

void tell(const ProcessOptions &options, ProcessEvent event) {
  if (!options.listener) return;
  event.program = options.remote ? options.remote->name
                                 : std::filesystem::path(options.program).filename().string();
  event.isRemote = options.remote.has_value();
  options.listener(event);
}

} // namespace

Result<ProcessReport> runProcess(const ProcessOptions &options, std::chrono::milliseconds timeout,
                                 std::stop_token stop) {
  using Event = ChildProcess::Read::Event;
  const auto deadline = deadlineAfter(timeout);
  const auto start = std::chrono::steady_clock::now();
  Result<Spawned> spawned = spawn(options, ThreadEnd::KillsChild);
  if (!spawned) {
    tell(options, {.kind = ProcessEvent::Kind::NotStarted});
    return spawned.error();
  }
  ChildProcess child(std::move(*spawned));
  tell(options, {.kind = ProcessEvent::Kind::Started, .pid = child.pid()});
  child.closeInput();

  ProcessReport report;
  ChildProcess::Read read;
  while ((read = child.read(deadline, stop)).event == Event::Bytes)
    keep(report.output, read.bytes);
  std::optional<ProcessEnd> end;
  // A child may close its output and keep running. Then this waits for its exit, the deadline or a
  // stop.
  if (read.event == Event::EndOfStream) end = child.wait(deadline, stop);
  report.cancelled = !end && stop.stop_requested();
  report.timedOut = !end && !report.cancelled;
  report.end = child.terminate(report.cancelled ? kGraceAtCancel : kGraceAtTimeout);
  report.errors = child.errorText();
  tell(options, {.kind = ProcessEvent::Kind::Left,
                 .pid = child.pid(),
                 .took = std::chrono::duration_cast<std::chrono::milliseconds>(
                     std::chrono::steady_clock::now() - start),
                 .end = report.end,
                 .isKilled = report.cancelled || report.timedOut,
                 .errorText = report.errors});
  return report;
}

} // namespace tessera::job
