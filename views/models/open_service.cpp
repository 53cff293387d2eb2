// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/open_service.h"

#include <utility>

namespace tessera::views {

OpenService openService(std::shared_ptr<session::PipelineOpener> opener,
                        std::shared_ptr<session::TrustStore> trust) {
  OpenService service;
  service.open = [opener](const session::OpenRequest &request, std::stop_token stop,
                          const job::ProgressCallback &progress) {
    return opener->open(request, std::move(stop), progress);
  };
  service.generators = [opener](const std::string &path, std::stop_token stop,
                                const job::ProgressCallback &progress) {
    return opener->generators(path, std::move(stop), progress);
  };
  service.hash = session::fileHash;
  service.kindOf = session::detectSourceKind;
  service.trust = [trust](const std::string &hash, const std::string &path) {
    return trust->trust(hash, path);
  };
  return service;
}

} // namespace tessera::views
