// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/tune/others.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::views {

struct OtherWish {
  std::string word;
  open::OpenRequest request;
  open::OpenedPipeline opened;
  std::string machine; // name of the chosen machine
};

// What the explorer needs from the engine for schedules of other schedulers, as functions, so that
// a test needs no worker. `find` blocks; both may be called on any thread.
struct OtherService {
  std::function<std::vector<tune::Other>()> list;
  std::function<tune::FoundOther(const OtherWish &, std::stop_token, const job::ProgressCallback &)>
      find;
};

OtherService otherService(const host::ToolPaths &tools,
                          std::shared_ptr<open::PipelineOpener> opener);

} // namespace tessera::views
