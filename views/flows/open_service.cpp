// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/open_service.h"

#include <utility>

namespace tessera::views {

OpenService openService(std::shared_ptr<open::PipelineOpener> opener,
                        std::shared_ptr<host::TrustStore> trust) {
  OpenService service;
  service.open = [opener](const open::OpenRequest &request, std::stop_token stop,
                          const job::ProgressCallback &progress) {
    return opener->open(request, std::move(stop), progress);
  };
  service.generators = [opener](const std::string &path, const open::BuildOptions &build,
                                std::stop_token stop, const job::ProgressCallback &progress) {
    return opener->generators(path, build, std::move(stop), progress);
  };
  service.hash = host::fileHash;
  service.kindOf = open::detectSourceKind;
  service.trust = [trust](const std::string &hash, const std::string &path) {
    return trust->trust(hash, path);
  };
  service.buildNear = open::buildOptionsNear;
  return service;
}

} // namespace tessera::views
