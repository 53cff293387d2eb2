// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::views {

// What the explorer needs from the engine for opening a pipeline, as functions, so that a test can
// replace the workers. All may be called on any thread; the first three block.
struct OpenService {
  std::function<Result<open::OpenedPipeline>(const open::OpenRequest &, std::stop_token,
                                             const job::ProgressCallback &)>
      open;
  std::function<Result<std::vector<open::Generator>>(const std::string &path,
                                                     const open::BuildOptions &, std::stop_token,
                                                     const job::ProgressCallback &)>
      generators;
  std::function<Result<std::string>(const std::string &path)> hash;
  std::function<Result<open::SourceKind>(const std::string &path)> kindOf;
  std::function<Status(const std::string &hash, const std::string &path)> trust;
  // What a compile_commands.json nearby has for a source.
  std::function<open::BuildOptions(const std::string &path)> buildNear;
};

OpenService openService(std::shared_ptr<open::PipelineOpener> opener,
                        std::shared_ptr<host::TrustStore> trust);

} // namespace tessera::views
