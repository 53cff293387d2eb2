// SPDX-License-Identifier: MIT
#include "engine/tune/others.h"

#include "engine/host/files.h"

#include <utility>

namespace tessera::tune {

namespace {

FoundOther failed(const Error &error) {
  return {error.code == ErrorCode::Cancelled ? PeerStatus::Cancelled : PeerStatus::Failed,
          error.message,
          0,
          {}};
}

FoundOther findManual(const OtherRequest &request, open::PipelineOpener &opener,
                      const std::stop_token &stop, const job::ProgressCallback &progress) {
  auto sourced = document::scheduleFrom(document::kManual, request.request, request.opened, opener,
                                        stop, progress);
  if (!sourced) return failed(sourced.error());
  if (sourced->inOpenedFile)
    return failed({ErrorCode::InputRefused, "the open pipeline already uses its own schedule", ""});
  return {PeerStatus::Scheduled, {}, 0, std::move(*sourced)};
}

} // namespace

std::vector<Other> othersFor(const machine::Machine &machine, const host::ToolPaths &tools) {
  const std::string manual(document::kManual);
  std::vector<Other> others{{manual, manual,
                             "Hand-written: the generator's own schedule, or the one in "
                             "NAME.manual.hlpipe beside NAME.hlpipe",
                             false}};
  for (const Peer &peer : peersFor(machine, tools))
    if (!peer.forHost) others.push_back({peer.word, peer.label, peer.title, true});
  return others;
}

FoundOther findOther(const OtherRequest &request, const host::ToolPaths &tools,
                     open::PipelineOpener &opener, const std::stop_token &stop,
                     const job::ProgressCallback &progress) {
  if (request.word == document::kManual) return findManual(request, opener, stop, progress);
  auto peers = chosenPeers(peersFor(request.machine, tools), {request.word});
  if (!peers) return failed(peers.error());
  const auto scratch = host::ScratchFolder::create(tools.cacheDir);
  if (!scratch) return failed(scratch.error());
  PeerRun run = runPeer({std::move(peers->front()), request.opened, request.machine,
                         scratch->path(), request.timeout},
                        tools, opener, stop, progress);
  FoundOther found{run.status, std::move(run.why), run.seconds, {}};
  if (run.schedule) found.sourced = document::SourcedSchedule{std::move(*run.schedule)};
  return found;
}

} // namespace tessera::tune
