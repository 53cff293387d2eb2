// SPDX-License-Identifier: MIT
#include "engine/file/user_folder.h"

#include "engine/file/system_error.h"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tessera::file {

namespace {

namespace fs = std::filesystem;

// A group of which nobody but the user is a member is usual, and with it folders that it may write.
bool othersMayWrite(const struct stat &status) {
  return (status.st_mode & S_IWOTH) != 0 ||
         ((status.st_mode & S_IWGRP) != 0 && status.st_gid != ::getegid());
}

bool isOwn(const struct stat &status) { return status.st_uid == ::geteuid(); }

std::optional<Error> problemWith(const fs::path &folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0)
    return errno == ENOENT ? std::nullopt
                           : std::optional(systemError("Cannot look at", folder.string(), errno));
  const std::string name = "'" + folder.string() + "'";
  if (!S_ISDIR(status.st_mode))
    return Error{ErrorCode::InputRefused, name + " is not a folder.", ""};
  if (!isOwn(status))
    return Error{ErrorCode::InputRefused, name + " belongs to another user.",
                 "Set HOME to a folder of yours."};
  if (othersMayWrite(status))
    return Error{ErrorCode::InputRefused, "Others can write to " + name + ".",
                 "Look at what is in it, then close it: chmod go-w " + name + "."};
  return std::nullopt;
}

// The folder and those that it lies in, up to `base`; the first is `base`.
std::vector<fs::path> partsOf(const UserFolder &folder) {
  std::vector<fs::path> parts{folder.path};
  while (parts.front() != folder.base && parts.front().has_relative_path())
    parts.insert(parts.begin(), parts.front().parent_path());
  return parts;
}

// Whoever may write to a folder may replace what lies in it, unless it is sticky as /tmp is.
std::optional<Error> problemAbove(const std::string &base) {
  std::error_code failed;
  fs::path folder = fs::weakly_canonical(base, failed);
  while (!failed && folder.has_relative_path()) {
    folder = folder.parent_path();
    struct stat status {};
    const bool isOpen = ::stat(folder.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0;
    if (isOpen && (status.st_mode & S_ISVTX) == 0)
      return Error{ErrorCode::InputRefused,
                   "Others can replace '" + base + "', as they can write to '" + folder.string() +
                       "'.",
                   "Set HOME to a folder that is yours alone."};
  }
  return std::nullopt;
}

std::optional<Error> problemWith(const std::vector<fs::path> &parts) {
  for (const fs::path &part : parts)
    if (const auto problem = problemWith(part)) return problem;
  return problemAbove(parts.front().string());
}

Status make(const std::vector<fs::path> &parts) {
  std::error_code failed;
  const fs::path above = parts.front().parent_path();
  fs::create_directories(above, failed);
  if (failed) return systemError("Cannot make the folder", above.string(), failed.value());
  for (const fs::path &part : parts)
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      return systemError("Cannot make the folder", part.string(), errno);
  return Done{};
}

} // namespace

UserFolder userFolder(const std::string &xdg, const std::string &home, const std::string &inside) {
  const auto normal = [](const fs::path &path) {
    const fs::path folder = path.lexically_normal();
    return folder.has_filename() ? folder : folder.parent_path(); // without a slash at the end
  };
  if (fs::path(xdg).is_absolute())
    return {normal(xdg).string(), normal(fs::path(xdg) / "tessera").string()};
  if (fs::path(home).is_absolute())
    return {normal(home).string(), normal(fs::path(home) / inside / "tessera").string()};
  return {};
}

Status claim(const UserFolder &folder) {
  if (folder.path.empty())
    return Error{ErrorCode::InputRefused, "There is no home folder: HOME is not set to a path.",
                 ""};
  const std::vector<fs::path> parts = partsOf(folder);
  if (const auto problem = problemWith(parts)) return *problem;
  if (const Status made = make(parts); !made) return made;
  if (const auto problem = problemWith(parts)) return *problem; // somebody was faster
  return Done{};
}

bool isOwnFile(const std::string &path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && isOwn(status) && !othersMayWrite(status);
}

} // namespace tessera::file
