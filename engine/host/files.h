// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace tessera::host {

// Reads the whole file. The error names the path and the system's reason.
Result<std::string> readFile(const std::string &path);
// Reads the first `bytes` of the file.
Result<std::string> readHead(const std::string &path, std::size_t bytes);

// Replaces a file so that a reader, or a crash at any moment, finds either the old or the new
// content: temporary file, fsync, rename, fsync of the folder. Creates missing folders.
Status writeFile(const std::string &path, std::string_view content);

// A new folder below `parent`. The destructor removes it with everything in it.
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
