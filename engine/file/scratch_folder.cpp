// SPDX-License-Identifier: MIT
#include "engine/file/scratch_folder.h"

#include "engine/file/system_error.h"
#include "engine/file/write_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace tessera::file {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "scratch.";
constexpr std::string_view kPattern = "XXXXXX";
constexpr int kMostTries = 100;

UniqueFd openFolder(const std::string &path) {
  return UniqueFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool isOpenAt(const UniqueFd &folder, const std::string &path) {
  struct stat open {
  }, there{};
  return ::fstat(folder.get(), &open) == 0 && ::stat(path.c_str(), &there) == 0 &&
         open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

bool isOwn(const UniqueFd &folder) {
  struct stat status {};
  return ::fstat(folder.get(), &status) == 0 && status.st_uid == ::geteuid();
}

// Returns false if a sweep, which cannot know whose the new folder is, took it before it was
// locked. On a file system without locks no sweep removes anything.
bool takeLock(const UniqueFd &folder, const std::string &path) {
  if (!folder) return false;
  if (::flock(folder.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  return isOpenAt(folder, path);
}

std::vector<std::string> scratchFoldersIn(const std::string &parent) {
  std::vector<std::string> found;
  std::error_code failed;
  for (fs::directory_iterator entry(parent, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kName) && name.size() == kName.size() + kPattern.size())
      found.push_back(entry->path().string());
  }
  return found;
}

} // namespace

void sweepScratch(const std::string &parent) {
  for (const std::string &path : scratchFoldersIn(parent)) {
    const UniqueFd folder = openFolder(path);
    if (!folder || !isOwn(folder) || ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) continue;
    std::error_code ignored; // the next sweep tries again
    fs::remove_all(path, ignored);
  }
}

Result<ScratchFolder> ScratchFolder::create(const std::string &parent) {
  if (parent.empty())
    return Error{ErrorCode::System, "There is no folder for temporary files.",
                 "Set HOME or TMPDIR to a folder of yours."};
  if (const Status made = makeFolder(parent); !made) return made.error();
  sweepScratch(parent);
  for (int i = 0; i < kMostTries; ++i) {
    std::string path = (fs::path(parent) / (std::string(kName) + std::string(kPattern))).string();
    if (!::mkdtemp(path.data())) return systemError("Cannot make a folder in", parent, errno);
    UniqueFd folder = openFolder(path);
    if (takeLock(folder, path)) return ScratchFolder(path, std::move(folder));
  }
  return systemError("Cannot make a folder in", parent, EBUSY);
}

ScratchFolder::ScratchFolder(std::string path, UniqueFd lock)
    : m_path(std::move(path)), m_lock(std::move(lock)) {}

ScratchFolder::ScratchFolder(ScratchFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::move(other.m_lock)) {}

ScratchFolder &ScratchFolder::operator=(ScratchFolder &&other) noexcept {
  std::swap(m_path, other.m_path);
  std::swap(m_lock, other.m_lock);
  return *this;
}

ScratchFolder::~ScratchFolder() {
  if (m_path.empty()) return;
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

} // namespace tessera::file
