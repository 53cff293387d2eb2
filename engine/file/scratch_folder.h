// SPDX-License-Identifier: MIT
#pragma once

#include "engine/file/unique_fd.h"
#include "engine/base/result.h"

#include <string>

namespace tessera::file {

// A new folder below `parent`. The destructor removes it with everything in it. A process that is
// killed leaves it; since the kernel then releases the lock on it, the next one that makes a folder
// there removes it.
class ScratchFolder {
public:
  static Result<ScratchFolder> create(const std::string &parent);
  ScratchFolder(ScratchFolder &&other) noexcept;
  ScratchFolder &operator=(ScratchFolder &&other) noexcept;
  ~ScratchFolder();

  const std::string &path() const { return m_path; }

private:
  ScratchFolder(std::string path, UniqueFd lock);
  std::string m_path;
  UniqueFd m_lock; // shared, on the folder itself: code in a sandbox can remove any file in it
};

// Removes this user's scratch folders in `parent` whose processes have ended.
void sweepScratch(const std::string &parent);

} // namespace tessera::file
