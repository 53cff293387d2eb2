// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace tessera::host {

// The whole file; the error names the path and the system's reason.
Result<std::string> readFile(const std::string &path);
// The first `bytes` of it.
Result<std::string> readHead(const std::string &path, std::size_t bytes);

// Replaces a file so that a reader, or a crash at any moment, meets the old or the new content and
// nothing in between: temporary file, fsync, rename, fsync of the folder. Makes missing folders.
Status writeFile(const std::string &path, std::string_view content);

// A fresh folder below `parent`, removed with everything in it at the end of its life.
class ScratchFolder {
public:
  static Result<ScratchFolder> create(const std::string &parent);
  ScratchFolder(ScratchFolder &&other) noexcept;
  ScratchFolder &operator=(ScratchFolder &&other) noexcept;
  ~ScratchFolder();

  const std::string &path() const { return m_path; }

private:
  explicit ScratchFolder(std::string path);
  std::string m_path;
};

} // namespace tessera::host
