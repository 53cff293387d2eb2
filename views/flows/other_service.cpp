// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/other_service.h"

#include "engine/host/machines.h"

namespace tessera::views {

OtherService otherService(const host::ToolPaths &tools,
                          std::shared_ptr<open::PipelineOpener> opener) {
  OtherService service;
  service.list = [tools] { return tune::othersFor(machine::Machine(), tools); };
  service.find = [tools, opener](const OtherWish &wish, const std::stop_token &stop,
                                 const job::ProgressCallback &progress) -> tune::FoundOther {
    const auto machine = host::machineFor(wish.machine, tools);
    if (!machine) return {tune::PeerStatus::Failed, machine.error().message, 0, {}};
    return tune::findOther({wish.word, wish.request, wish.opened, *machine}, tools, *opener, stop,
                           progress);
  };
  return service;
}

} // namespace tessera::views
