// SPDX-License-Identifier: MIT
#include "engine/session/others.h"

#include "engine/schedule/legality.h"
#include "engine/session/files.h"
#include "engine/session/schedule_source.h"

#include <utility>

namespace tessera::session {

namespace {

constexpr const char *kManual = "manual";

FoundOther failed(const Error &error) {
  return {error.code == ErrorCode::Cancelled ? PeerStatus::Cancelled : PeerStatus::Failed,
          error.message,
          0,
          {}};
}

FoundOther findManual(const OtherRequest &request, PipelineOpener &opener,
                      const std::stop_token &stop, const job::ProgressCallback &progress) {
  auto sourced = scheduleFrom(kManual, request.request, request.opened, opener, stop, progress);
  if (!sourced) return failed(sourced.error());
  if (sourced->inOpenedFile)
    return failed({ErrorCode::InputRefused,
                   "the pipeline that is open is computed by its own schedule already", ""});
  const auto violations = schedule::check(sourced->schedule, request.machine);
  if (!violations.empty())
    return {PeerStatus::Opaque, "our rules refuse it: " + violations.front().message, 0, {}};
  return {PeerStatus::Scheduled, {}, 0, std::move(sourced->schedule)};
}

} // namespace

std::vector<Other> othersFor(const machine::Machine &machine, const ToolPaths &tools) {
  std::vector<Other> others{{kManual, kManual,
                             "By hand: of the generator, or NAME.manual.hlpipe beside NAME.hlpipe",
                             false}};
  for (const Peer &peer : peersFor(machine, tools))
    if (!peer.forHost) others.push_back({peer.word, peer.name, peer.title, true});
  return others;
}

FoundOther findOther(const OtherRequest &request, const ToolPaths &tools, PipelineOpener &opener,
                     const std::stop_token &stop, const job::ProgressCallback &progress) {
  if (request.word == kManual) return findManual(request, opener, stop, progress);
  auto peers = chosenPeers(peersFor(request.machine, tools), {request.word});
  if (!peers) return failed(peers.error());
  const auto scratch = ScratchFolder::create(tools.cacheDir);
  if (!scratch) return failed(scratch.error());
  PeerRun run = runPeer({std::move(peers->front()), request.opened, request.machine,
                         scratch->path(), request.timeout},
                        tools, opener, stop, progress);
  return {run.status, std::move(run.why), run.seconds, std::move(run.schedule)};
}

} // namespace tessera::session
