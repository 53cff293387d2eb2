// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <mutex>
#include <string>
#include <vector>

namespace tessera::host {

// The SHA-256 of a file's content, as 64 hex digits.
Result<std::string> fileHash(const std::string &path);

// Which of the user's generators and libraries may run, by content hash. The user is asked once,
// and the answer is kept in trust.json in the configuration folder. A changed file counts as a new
// one. A trust.json that somebody else can have written is not believed. Thread-safe.
class TrustStore {
public:
  // Without a file, permissions are for this run alone.
  explicit TrustStore(std::string file);

  bool isTrusted(const std::string &hash) const;
  // After an error the file may run, but the permission was not kept for the next run.
  Status trust(const std::string &hash, const std::string &path);

private:
  struct Entry {
    std::string hash;
    std::string path; // only for human readers of trust.json
  };

  std::string m_file;
  mutable std::mutex m_mutex;
  std::vector<Entry> m_entries;
};

} // namespace tessera::host
