// SPDX-License-Identifier: MIT
#include "engine/halide/file_io.h"

#include "engine/file/unique_fd.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera::halide {

namespace {

Error systemError(const std::string &path, const char *what) {
  const int code = errno;
  return Error{code == ENOENT || code == EISDIR ? ErrorCode::InputRefused : ErrorCode::System,
               path + ": " + what + ": " + std::strerror(code), ""};
}

} // namespace

Result<std::vector<std::uint8_t>> readFile(const std::string &path, std::size_t maxBytes) {
  const file::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return systemError(path, "cannot be opened");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return systemError(path, "cannot be examined");
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::InputRefused, path + ": not a file", ""};
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > maxBytes)
    return Error{ErrorCode::InputRefused,
                 path + ": " + std::to_string(size) + " bytes; at most " +
                     std::to_string(maxBytes) + " are read",
                 ""};
  std::vector<std::uint8_t> bytes(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(file.get(), bytes.data() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return systemError(path, "cannot be read");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

} // namespace tessera::halide
