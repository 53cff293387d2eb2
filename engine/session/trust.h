// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace tessera::session {

// SHA-256 of a file's content, as 64 hex digits.
Result<std::string> fileHash(const std::string &path);

// Which of the user's generators and libraries may run, by content hash: asked once, remembered in
// trust.json in the configuration folder. A changed file is another file. Thread-safe.
class TrustStore {
public:
  explicit TrustStore(std::string file);

  bool isTrusted(const std::string &hash) const;
  Status trust(const std::string &hash, const std::string &path);

private:
  std::string m_file;
  mutable std::mutex m_mutex;
  std::set<std::string> m_hashes;
};

} // namespace tessera::session
