// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/other_service.h"

#include "engine/session/machines.h"

namespace tessera::views {

OtherService otherService(const session::ToolPaths &tools,
                          std::shared_ptr<session::PipelineOpener> opener) {
  OtherService service;
  service.list = [tools] { return session::othersFor(machine::Machine(), tools); };
  service.find = [tools, opener](const OtherWish &wish, const std::stop_token &stop,
                                 const job::ProgressCallback &progress) -> session::FoundOther {
    const auto machine = session::machineFor(wish.machine, tools);
    if (!machine) return {session::PeerStatus::Failed, machine.error().message, 0, {}};
    return session::findOther({wish.word, wish.request, wish.opened, *machine}, tools, *opener,
                              stop, progress);
  };
  return service;
}

} // namespace tessera::views
