// SPDX-License-Identifier: MIT
#include "engine/halide/file_io.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera::halide {

namespace {

Error systemError(const std::string &path, const char *what) {
  const int code = errno;
  return Error{code == ENOENT || code == EISDIR ? ErrorCode::InputRefused : ErrorCode::System,
               path + ": " + what + ": " + std::strerror(code), ""};
}

class Descriptor {
public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return m_fd; }
  int close() {
    const int fd = m_fd;
    m_fd = -1;
    return ::close(fd);
  }

private:
  int m_fd;
};

bool writeAll(int fd, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

} // namespace

Result<std::vector<std::uint8_t>> readFile(const std::string &path, std::size_t maxBytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return systemError(path, "cannot be opened");
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

Status writeFile(const std::string &path, std::span<const std::uint8_t> bytes) {
  const std::string temporary = path + ".new-" + std::to_string(::getpid());
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) return systemError(temporary, "cannot be created");
  const bool written = writeAll(file.get(), bytes) && ::fsync(file.get()) == 0;
  if (!written || file.close() != 0) {
    const Error error = systemError(path, "cannot be written");
    ::unlink(temporary.c_str());
    return error;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const Error error = systemError(path, "cannot be replaced");
    ::unlink(temporary.c_str());
    return error;
  }
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const Descriptor directory(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync folders, so an error is ignored; the file itself is synced.
  if (directory.get() >= 0) ::fsync(directory.get());
  return Done{};
}

} // namespace tessera::halide
