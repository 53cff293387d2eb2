// SPDX-License-Identifier: MIT
#include "engine/tune/peers.h"

#include "engine/document/schedule_source.h"
#include "engine/host/files.h"
#include "engine/open/halide_workers.h"
#include "engine/record/process_lines.h"
#include "engine/schedule/rules/legality.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace tessera::tune {

namespace {

using Clock = std::chrono::steady_clock;
using Parameters = std::vector<std::pair<std::string, std::string>>;

// An autoscheduler's search normally needs a fraction of this address space. The limit ends a
// runaway search before the machine runs out of memory.
constexpr std::size_t kAddressSpace = std::size_t{12} << 30;

constexpr std::array<std::string_view, 9> kStatusNames{"scheduled", "opaque",    "asserted",
                                                       "crashed",   "timed out", "no memory",
                                                       "missing",   "cancelled", "failed"};

std::string kilobytes(std::int64_t bytes) { return std::to_string(bytes / 1024); }

Peer peer(const host::ToolPaths &tools, std::string word, std::string name, std::string title,
          Parameters parameters) {
  std::string library = tools.halideRoot + "/lib64/libautoschedule_" + word + ".so";
  return {std::move(word),    std::move(name),       std::move(title),
          std::move(library), std::move(parameters), false};
}

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

nlohmann::json fieldsOf(const PeerRequest &request, const std::string &output) {
  const open::PipelineFiles &file = request.opened.file;
  nlohmann::json fields{
      {"path", file.pipeline},
      {"name", request.opened.pipeline->name()},
      {"estimates", open::estimateFields(file.estimates)},
      {"library", request.peer.library},
      {"autoscheduler", request.peer.name},
      {"target", request.peer.forHost ? "host" : "cuda"},
      {"capability", measure::compiledCapability(request.machine.major, request.machine.minor)},
      {"output", output},
      {"parameters", nlohmann::json::object()}};
  if (!file.sidecar.empty()) fields["sidecar"] = file.sidecar;
  for (const auto &[key, value] : request.peer.parameters)
    fields["parameters"][key] = value;
  return fields;
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

} // namespace

std::string_view name(PeerStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

std::vector<Peer> peersFor(const machine::Machine &machine, const host::ToolPaths &tools) {
  const std::string parallelism = std::to_string(machine.multiprocessors);
  const std::string shared = std::to_string(machine.limits.sharedBytesPerBlock);
  std::vector<Peer> peers{
      peer(tools, "li2018", "Li2018",
           "Li et al. 2018: no fusion; each func that is not inlined has its own kernel",
           {{"parallelism", parallelism}}),
      // When it schedules for a GPU, this autoscheduler interprets `last_level_cache_size` as the
      // size of a block's shared memory.
      peer(tools, "mullapudi2016", "Mullapudi2016",
           "Mullapudi et al. 2016: greedy grouping and tiling, in its experimental GPU mode",
           {{"parallelism", parallelism},
            {"last_level_cache_size", shared},
            {"balance", "20"},
            {"experimental_gpu_schedule", "1"}}),
      peer(tools, "anderson2021", "Anderson2021",
           "Anderson et al. 2021: beam search with a learned cost model",
           {{"parallelism", parallelism},
            {"shared_memory_limit_kb", kilobytes(machine.limits.sharedBytesPerBlock)},
            {"shared_memory_sm_limit_kb", kilobytes(machine.sm.sharedBytes)},
            {"active_block_limit", std::to_string(machine.sm.blocks)},
            {"active_warp_limit", std::to_string(machine.sm.threads / machine.limits.warpSize)}}),
      peer(tools, "adams2019", "Adams2019",
           "Adams et al. 2019: beam search with a learned cost model, for the CPU", {})};
  peers.back().forHost = true;
  return peers;
}

Result<std::vector<Peer>> chosenPeers(const std::vector<Peer> &peers,
                                      const std::vector<std::string> &words) {
  std::vector<Peer> chosen;
  for (const std::string &word : words) {
    const auto at = std::ranges::find(peers, word, &Peer::word);
    if (at == peers.end()) {
      std::string known;
      for (const Peer &one : peers)
        known += (known.empty() ? "" : ", ") + one.word;
      return Error{ErrorCode::Usage, "There is no autoscheduler '" + word + "'.",
                   "Known autoschedulers: " + known + "."};
    }
    if (std::ranges::find(chosen, word, &Peer::word) == chosen.end()) chosen.push_back(*at);
  }
  return chosen;
}

PeerRun runPeer(const PeerRequest &request, const host::ToolPaths &tools,
                open::PipelineOpener &opener, std::stop_token stop,
                const job::ProgressCallback &progress) {
  PeerRun run{.peer = request.peer};
  std::error_code ignored;
  if (!std::filesystem::exists(request.peer.library, ignored)) {
    run.status = PeerStatus::Missing;
    run.why = "its plugin '" + request.peer.library + "' is not installed";
    return run;
  }
  const std::string file = request.folder + "/" + request.peer.word + ".hlpipe";
  if (const Status made = host::makeFolder(request.folder); !made) {
    run.why = made.error().message;
    run.fault = made.error();
    return run;
  }
  job::ProcessOptions process;
  process.program = tools.halideWorker;
  process.limits.addressSpaceBytes = kAddressSpace;
  process.listener = record::processLines(tools.record, "tessera-halide");
  job::WorkerClient worker(process);
  worker.warmUp(); // loading Halide does not count as the peer's time
  const auto start = Clock::now();
  const job::Reply reply =
      worker.request("peer", fieldsOf(request, file), request.timeout, stop, progress);
  run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  run.status = statusOf(reply.outcome);
  if (reply.outcome != Outcome::Ok) {
    run.why = reply.error.message;
    if (reply.error.code == ErrorCode::System) run.fault = reply.error;
    return run;
  }
  run.seconds = reply.body.value("seconds", run.seconds);
  run.file = file;
  read(run, request, opener, stop);
  return run;
}

measure::ScheduledPipeline scheduledPipeline(const PeerRun &run,
                                             const open::OpenedPipeline &opened) {
  if (run.schedule) return measure::scheduledPipeline(opened.file, *run.schedule);
  return measure::writtenPipeline({run.file, {}, {}, nullptr}, opened);
}

} // namespace tessera::tune
