// SPDX-License-Identifier: MIT
#include "engine/host/files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tessera::host {
namespace {

Error systemError(const std::string &doing, const std::string &path, int cause) {
  const bool input = cause == ENOENT || cause == EACCES || cause == EISDIR || cause == ENOTDIR;
  return Error{input ? ErrorCode::InputRefused : ErrorCode::System,
               doing + " '" + path + "': " + std::strerror(cause) + ".", ""};
}

// Closes the file descriptor in its destructor.
class Descriptor {
public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  int get() const { return m_fd; }
  bool valid() const { return m_fd >= 0; }

private:
  int m_fd;
};

Result<std::string> read(const std::string &path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return systemError("Cannot open", path, errno);
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

bool writeAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

} // namespace

Result<std::string> readFile(const std::string &path) { return read(path, SIZE_MAX); }

Result<std::string> readHead(const std::string &path, std::size_t bytes) {
  return read(path, bytes);
}

Status writeFile(const std::string &path, std::string_view content) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return systemError("Cannot make the folder", folder.string(), failed.value());
  std::string temporary = path + ".XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.valid()) return systemError("Cannot write a temporary file beside", path, errno);
  if (!writeAll(file.get(), content) || ::fsync(file.get()) != 0 ||
      ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int cause = errno;
    ::unlink(temporary.c_str());
    return systemError("Cannot write", path, cause);
  }
  const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent.valid() || ::fsync(parent.get()) != 0)
    return systemError("Cannot sync the folder of", path, errno);
  return Done{};
}

Result<ScratchFolder> ScratchFolder::create(const std::string &parent) {
  std::error_code failed;
  std::filesystem::create_directories(parent, failed);
  if (failed) return systemError("Cannot make the folder", parent, failed.value());
  std::string path = parent + "/scratch-XXXXXX";
  if (!::mkdtemp(path.data())) return systemError("Cannot make a folder in", parent, errno);
  return ScratchFolder(path);
}

ScratchFolder::ScratchFolder(std::string path) : m_path(std::move(path)) {}

ScratchFolder::ScratchFolder(ScratchFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {})) {}

ScratchFolder &ScratchFolder::operator=(ScratchFolder &&other) noexcept {
  std::swap(m_path, other.m_path);
  return *this;
}

ScratchFolder::~ScratchFolder() {
  if (m_path.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

} // namespace tessera::host
