// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/open.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::views {

// What the explorer needs of the engine to open a pipeline, as functions, so that a test can stand
// in for the workers. All may be called from any thread; the first three block.
struct OpenService {
  std::function<Result<session::OpenedPipeline>(const session::OpenRequest &, std::stop_token,
                                                const job::ProgressCallback &)>
      open;
  std::function<Result<std::vector<session::Generator>>(const std::string &path, std::stop_token,
                                                        const job::ProgressCallback &)>
      generators;
  std::function<Result<std::string>(const std::string &path)> hash;
  std::function<Result<session::SourceKind>(const std::string &path)> kindOf;
  std::function<Status(const std::string &hash, const std::string &path)> trust;
};

OpenService openService(std::shared_ptr<session::PipelineOpener> opener,
                        std::shared_ptr<session::TrustStore> trust);

} // namespace tessera::views
