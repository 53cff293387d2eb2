// SPDX-License-Identifier: MIT
#include "engine/file/write_file.h"

#include "engine/file/destination.h"
#include "engine/file/streamed.h"
#include "engine/file/system_error.h"
#include "engine/file/unique_fd.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <random>
#include <utility>

namespace tessera::file {

namespace {

namespace fs = std::filesystem;

// What is written goes here first. The file is removed again unless it takes its place.
class Temporary {
public:
  // The permissions of a new file are the usual ones. Those of a file that stands come at the end,
  // and until then nobody else may read the content.
  static Result<Temporary> beside(const Destination &to) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
    constexpr std::size_t kRandomLetters = 6;
    constexpr int kMostNames = 100;
    std::random_device random;
    std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
    for (int i = 0; i < kMostNames; ++i) {
      std::string path = to.path + ".";
      for (std::size_t l = 0; l < kRandomLetters; ++l)
        path += kLetters[letter(random)];
      UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                           to.kind == Kind::Nothing ? 0666 : 0600));
      if (file) return Temporary(std::move(path), std::move(file));
      if (errno != EEXIST) break;
    }
    return systemError("Cannot write a temporary file beside", to.path, errno);
  }

  Temporary(Temporary &&other) noexcept
      : m_path(std::exchange(other.m_path, {})), m_file(std::move(other.m_file)) {}
  Temporary &operator=(Temporary &&) = delete;
  ~Temporary() {
    if (!m_path.empty()) ::unlink(m_path.c_str());
  }

  // Returns false if this user may not give files away to that owner.
  bool takeOwnerAndMode(const struct stat &old) const {
    struct stat made {};
    if (::fstat(m_file.get(), &made) != 0) return false;
    const bool isSame = made.st_uid == old.st_uid && made.st_gid == old.st_gid;
    if (!isSame && ::fchown(m_file.get(), old.st_uid, old.st_gid) != 0) return false;
    return ::fchmod(m_file.get(), old.st_mode & 07777U) == 0;
  }

  bool write(std::string_view content, Durability durability) {
    return writeAll(m_file.get(), content) &&
           (durability == Durability::Rebuildable || ::fsync(m_file.get()) == 0) && m_file.close();
  }

  bool moveTo(const std::string &path) {
    if (::rename(m_path.c_str(), path.c_str()) != 0) return false;
    m_path.clear();
    return true;
  }

private:
  Temporary(std::string path, UniqueFd file) : m_path(std::move(path)), m_file(std::move(file)) {}

  std::string m_path;
  UniqueFd m_file;
};

// A file that belongs to somebody else keeps its owner only if it is not replaced. A crash may then
// leave it half written.
Status overwrite(const Destination &to, std::string_view content) {
  UniqueFd file(::open(to.path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  const bool isWritten = file && writeAll(file.get(), content) && ::fsync(file.get()) == 0;
  if (!isWritten || !file.close()) return systemError("Cannot write", to.path, errno);
  return Done{};
}

Status replace(const Destination &to, std::string_view content, Durability durability) {
  const bool isThere = to.kind == Kind::PlainFile;
  if (isThere && ::faccessat(AT_FDCWD, to.path.c_str(), W_OK, AT_EACCESS) != 0)
    return systemError("Cannot write", to.path, errno);
  auto temporary = Temporary::beside(to);
  if (!temporary) return temporary.error();
  if (isThere && !temporary->takeOwnerAndMode(to.status)) return overwrite(to, content);
  if (!temporary->write(content, durability) || !temporary->moveTo(to.path))
    return systemError("Cannot write", to.path, errno);
  return durability == Durability::Synced ? syncFolderOf(to.path) : Status(Done{});
}

// Empty, and so refused by what takes it, if the working folder is gone.
std::string folderOf(const std::string &path) {
  std::error_code failed;
  return fs::absolute(path, failed).parent_path().string();
}

Error refusal(const std::string &path, const char *what) {
  return {ErrorCode::InputRefused, "Cannot write '" + path + "': it is " + what + ".",
          "Give the name of a file."};
}

} // namespace

Status writeFile(const std::string &path, std::string_view content, Durability durability) {
  if (path.empty() || path.ends_with('/')) return refusal(path, "the name of a folder");
  if (const Status made = makeFolder(folderOf(path)); !made) return made;
  const auto to = destinationOf(path);
  if (!to) return to.error();
  if (to->kind == Kind::Folder) return refusal(path, "a folder");
  if (to->kind == Kind::Disk) return refusal(path, "a disk");
  const bool isPlain = to->kind == Kind::Nothing || to->kind == Kind::PlainFile;
  return isPlain ? replace(*to, content, durability) : stream(*to, content, path);
}

Status writeFile(const std::string &path, std::span<const std::uint8_t> content,
                 Durability durability) {
  return writeFile(path,
                   std::string_view(reinterpret_cast<const char *>(content.data()), content.size()),
                   durability);
}

Status makeFolder(const std::string &folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return systemError("Cannot make the folder", folder, failed.value());
  return Done{};
}

Status syncFolderOf(const std::string &path) {
  const UniqueFd folder(::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that may be written to but not listed cannot be opened for this.
  if (folder ? ::fsync(folder.get()) == 0 || errno == EINVAL : errno == EACCES) return Done{};
  return systemError("Cannot sync the folder of", path, errno);
}

bool writeAll(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) { // a pipe that is full
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

} // namespace tessera::file
