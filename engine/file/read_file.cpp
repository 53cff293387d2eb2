// SPDX-License-Identifier: MIT
#include "engine/file/read_file.h"

#include "engine/file/system_error.h"
#include "engine/file/unique_fd.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>

namespace tessera::file {

namespace {

Result<std::string> read(const std::string &path, std::size_t limit) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return systemError("Cannot open", path, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return systemError("Cannot read", path, errno);
  if (S_ISDIR(status.st_mode)) return systemError("Cannot read", path, EISDIR);
  if (!S_ISREG(status.st_mode))
    return Error{ErrorCode::InputRefused, "Cannot read '" + path + "': it is not a regular file.",
                 ""};
  std::string content;
  content.resize(std::min<std::size_t>(limit, static_cast<std::size_t>(status.st_size)));
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = ::read(file.get(), content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return systemError("Cannot read", path, errno);
    if (n == 0) break; // the file was truncated while it was read
    done += static_cast<std::size_t>(n);
  }
  content.resize(done);
  return content;
}

} // namespace

Result<std::string> readFile(const std::string &path) { return read(path, SIZE_MAX); }

Result<std::string> readHead(const std::string &path, std::size_t bytes) {
  return read(path, bytes);
}

} // namespace tessera::file
