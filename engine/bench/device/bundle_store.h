// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

#include <string>

namespace tessera::bench {

// Where a worker on another machine keeps the bundles that it is sent. Each has a folder named by
// what is in it, so that one which is there already is not sent again; the oldest go.
class BundleStore {
public:
  explicit BundleStore(std::string folder) : m_folder(std::move(folder)) {}

  // "keep" {"folder", "files":[{"name","sha256"}…]} → {"path", "missing":[names]}
  job::Reply keep(const job::WorkerRequest &request);
  // "put" {"folder", "name", "offset", "bytes", "sha256"} → {}: pieces in order; the checksum is of
  // the whole file and comes with the last piece, else it is empty.
  job::Reply put(const job::WorkerRequest &request);

private:
  std::string pathOf(const std::string &folder, const std::string &name) const;
  void removeOldest() const;

  std::string m_folder;
};

} // namespace tessera::bench
