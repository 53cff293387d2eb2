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
  std::string machine; // name of a choice
};

// What the explorer needs of the engine for schedules that others have made, as functions, so that
// a test needs no worker. The second blocks; any thread.
struct OtherService {
  std::function<std::vector<tune::Other>()> list;
  std::function<tune::FoundOther(const OtherWish &, std::stop_token, const job::ProgressCallback &)>
      find;
};

OtherService otherService(const host::ToolPaths &tools,
                          std::shared_ptr<open::PipelineOpener> opener);

} // namespace tessera::views
