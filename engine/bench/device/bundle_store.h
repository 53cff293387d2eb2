// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

#include <string>

namespace tessera::bench {

// Where a worker on another machine keeps the bundles that it receives. Each bundle has a folder
// named after its content, so that a bundle that is already there is not sent again. Of many
// bundles, those that were used longest ago are removed.
class BundleStore {
public:
  explicit BundleStore(std::string folder) : m_folder(std::move(folder)) {}

  // "keep" {"folder", "files":[{"name","sha256"}…]} → {"path", "missing":[names]}
  job::Reply keep(const job::WorkerRequest &request);
  // "put" {"folder", "name", "offset", "bytes", "sha256"} → {}: pieces arrive in order. The
  // checksum is that of the whole file and comes with the last piece; in the other pieces it is
  // empty.
  job::Reply put(const job::WorkerRequest &request);

private:
  std::string pathOf(const std::string &folder) const;
  std::string pathOf(const std::string &folder, const std::string &name) const;
  void removeOldest() const;

  std::string m_folder;
};

} // namespace tessera::bench
