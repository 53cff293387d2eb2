// SPDX-License-Identifier: MIT
#include "engine/file/destination.h"

#include "engine/file/system_error.h"

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <unistd.h>

namespace tessera::file {

namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40; // as many as the kernel follows

Kind kindOf(const struct stat &status) {
  if (S_ISREG(status.st_mode)) return Kind::PlainFile;
  if (S_ISDIR(status.st_mode)) return Kind::Folder;
  if (S_ISBLK(status.st_mode)) return Kind::Disk;
  if (S_ISFIFO(status.st_mode)) return Kind::Pipe;
  return S_ISSOCK(status.st_mode) ? Kind::Socket : Kind::Device;
}

// The number of the open file that a link in /proc/self/fd stands for. What such a link says is no
// path ("pipe:[4711]"), or one that other bytes may have by now.
std::optional<int> openFileOf(const fs::path &link) {
  std::error_code failed;
  const fs::path folder = fs::canonical(link.parent_path(), failed);
  if (failed || folder != fs::path("/proc") / std::to_string(::getpid()) / "fd")
    return std::nullopt;
  const std::string name = link.filename().string();
  int number = -1;
  const char *end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

} // namespace

Result<Destination> destinationOf(const std::string &path) {
  fs::path at = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    Destination found{at.string()};
    if (::lstat(at.c_str(), &found.status) != 0) {
      if (errno == ENOENT) return found;
      return systemError("Cannot look at", path, errno);
    }
    if (!S_ISLNK(found.status.st_mode)) {
      found.kind = kindOf(found.status);
      return found;
    }
    if (const auto number = openFileOf(at)) {
      found.kind = Kind::OpenFile;
      found.descriptor = *number;
      return found;
    }
    std::error_code failed;
    const fs::path target = fs::read_symlink(at, failed);
    if (failed) return systemError("Cannot follow the link", at.string(), failed.value());
    at = at.parent_path() / target; // an absolute target replaces the folder
  }
  return systemError("Cannot follow the links from", path, ELOOP);
}

} // namespace tessera::file
