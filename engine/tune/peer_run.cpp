// SPDX-License-Identifier: MIT
#include "engine/tune/peer_run.h"

#include "engine/document/schedule_source.h"
#include "engine/host/files.h"
#include "engine/schedule/rules/legality.h"

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

namespace tessera::tune {

namespace {

constexpr std::array<std::string_view, 9> kStatusNames{"scheduled", "opaque",    "asserted",
                                                       "crashed",   "timed out", "no memory",
                                                       "missing",   "cancelled", "failed"};

// What a captured pipeline consists of: the file, and the sizes beside it.
constexpr std::string_view kPipeline = ".hlpipe", kSidecar = ".estimates.json";

PeerStatus statusOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Ok:
    return PeerStatus::Opaque; // until read() finds out more
  case Outcome::CompileError:
    return PeerStatus::Asserted;
  case Outcome::CompileTimeout:
    return PeerStatus::TimedOut;
  case Outcome::HostMemory:
    return PeerStatus::OutOfMemory;
  case Outcome::Crashed:
    return PeerStatus::Crashed;
  case Outcome::Cancelled:
    return PeerStatus::Cancelled;
  case Outcome::WrongOutput:
  case Outcome::LaunchError:
  case Outcome::RunTimeout:
  case Outcome::DeviceMemory:
  case Outcome::DeviceLost:
  case Outcome::ConnectionLost:
  case Outcome::ProtocolError:
  case Outcome::SkippedKnownBad:
    break;
  }
  return PeerStatus::Failed;
}

// Marks all decisions as imported, so that the user sees that Tessera did not make them.
void markImported(schedule::Schedule &schedule) {
  using schedule::DecisionKind;
  constexpr schedule::Mark kImported{schedule::Origin::Imported, false};
  const auto &pipeline = *schedule.pipeline();
  schedule::Marks marks = schedule.marks();
  for (std::size_t f = 0; f < pipeline.funcs().size(); ++f) {
    const auto func = static_cast<pipeline::FuncId>(f);
    const schedule::FuncPlan &plan = schedule.plan(func);
    marks[{func, 0, DecisionKind::Compute, 0}] = kImported;
    if (plan.isInline()) continue; // an inlined func has no other decisions
    marks[{func, 0, DecisionKind::Storage, 0}] = kImported;
    for (std::uint32_t s = 0; s < plan.stages.size(); ++s) {
      marks[{func, s, DecisionKind::Order, 0}] = kImported;
      for (std::uint16_t axis = 0; axis < plan.stages[s].nest.axes.size(); ++axis)
        marks[{func, s, DecisionKind::Factors, axis}] = kImported;
    }
  }
  schedule.setMarks(std::move(marks));
}

// Reads the file that the peer wrote and turns it into decisions if possible.
void read(PeerRun &run, const PeerRequest &request, open::PipelineOpener &opener,
          const std::stop_token &stop) {
  auto scheduled = opener.open({.path = run.file, .ownSchedule = open::OwnSchedule::Leave}, stop);
  if (!scheduled) {
    run.status = PeerStatus::Failed;
    run.why = scheduled.error().message;
    return;
  }
  scheduled->path = request.peer.name; // errors name the peer, not the temporary file
  auto schedule = document::scheduleIn(*scheduled, request.opened, opener, stop);
  if (!schedule) {
    run.why = schedule.error().message;
    return;
  }
  // The legality rules are for GPUs, so a schedule for the CPU is not checked.
  const auto violations = request.peer.forHost ? std::vector<schedule::Violation>()
                                               : schedule::check(*schedule, request.machine);
  if (!violations.empty()) {
    run.why = "Tessera's rules refuse this schedule: " + violations.front().message;
    return;
  }
  run.status = PeerStatus::Scheduled;
  markImported(*schedule);
  run.schedule = std::move(*schedule);
}

// The chosen sample, beside the folder with all of them, under the peer's name.
Result<std::string> placed(const PeerSample &sample, const PeerRequest &request) {
  if (request.peer.samples == 1) return sample.file;
  const std::string stem =
      request.folder + "/" + request.peer.word +
      (request.rank == 0 ? std::string() : "-" + std::to_string(request.rank + 1));
  const std::string from = sample.file.substr(0, sample.file.size() - kPipeline.size());
  constexpr auto kReplace = std::filesystem::copy_options::overwrite_existing;
  for (const std::string_view ending : {kPipeline, kSidecar}) {
    std::error_code error;
    std::string file = stem + std::string(ending);
    std::filesystem::copy_file(from + std::string(ending), file, kReplace, error);
    if (error)
      return Error{ErrorCode::System, "Cannot write '" + file + "': " + error.message(), ""};
  }
  return stem + std::string(kPipeline);
}

// One digit behind the point.
std::string tenths(double value) {
  const long long rounded = std::llround(value * 10);
  return std::to_string(rounded / 10) + "." + std::to_string(rounded % 10);
}

// What the peer was given, for whoever asks why there is no schedule.
std::string givenText(const PeerSamples &samples, const PeerRequest &request) {
  constexpr double kGiga = 1 << 30;
  std::string text =
      std::to_string(samples.made()) + " of " + std::to_string(request.peer.samples) +
      (request.peer.samples == 1 ? " schedule in " : " samples in ") + tenths(samples.seconds) +
      " s, with " + tenths(std::chrono::duration<double>(request.timeout).count()) + " s and " +
      tenths(static_cast<double>(samples.memoryLimit) / kGiga) + " GiB at most; " +
      parameterText(request.peer);
  if (!samples.weights.empty()) text += "; weights of " + samples.weights;
  return text;
}

PeerRun runOf(const PeerSamples &samples, const PeerRequest &request, open::PipelineOpener &opener,
              const std::stop_token &stop) {
  PeerRun run{.peer = request.peer};
  run.seconds = samples.seconds;
  run.made = samples.made();
  run.memoryLimit = samples.memoryLimit;
  run.weights = samples.weights;
  run.remark = givenText(samples, request);
  const std::vector<PeerSample> different = samples.different();
  if (different.empty()) {
    const PeerSample &first = samples.samples.front();
    run.status = statusOf(first.outcome);
    run.why = first.error.message;
    run.fault = samples.fault;
    if (first.error.code == ErrorCode::System) run.fault = first.error;
  } else if (request.rank >= different.size()) {
    run.why = "its samples are " + std::to_string(different.size()) + " different schedules";
  } else {
    auto file = placed(different[request.rank], request);
    if (file) {
      run.status = PeerStatus::Opaque;
      run.file = std::move(*file);
      read(run, request, opener, stop);
    } else {
      run.why = file.error().message;
      run.fault = file.error();
    }
  }
  if (!run.hasSchedule()) run.why += " (" + run.remark + ")";
  return run;
}

} // namespace

std::string_view name(PeerStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

PeerRun PeerRunner::run(const PeerRequest &request, const host::ToolPaths &tools,
                        open::PipelineOpener &opener, const std::stop_token &stop,
                        const job::ProgressCallback &progress) {
  std::error_code ignored;
  if (!std::filesystem::exists(request.peer.library, ignored)) {
    PeerRun run{.peer = request.peer, .status = PeerStatus::Missing};
    run.why = "its plugin '" + request.peer.library + "' is not installed";
    return run;
  }
  auto at = m_samples.find(request.peer.word);
  if (at == m_samples.end())
    at = m_samples.emplace(request.peer.word, makeSamples(request, tools, stop, progress)).first;
  return runOf(at->second, request, opener, stop);
}

PeerRun runPeer(const PeerRequest &request, const host::ToolPaths &tools,
                open::PipelineOpener &opener, const std::stop_token &stop,
                const job::ProgressCallback &progress) {
  return PeerRunner().run(request, tools, opener, stop, progress);
}

measure::ScheduledPipeline scheduledPipeline(const PeerRun &run,
                                             const open::OpenedPipeline &opened) {
  if (run.schedule) return measure::scheduledPipeline(opened.file, *run.schedule);
  return measure::writtenPipeline({run.file, {}, {}, nullptr}, opened);
}

} // namespace tessera::tune
