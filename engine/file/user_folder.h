// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>

namespace tessera::file {

// A folder that one user's programs keep things in from run to run, such as ~/.cache/tessera. Both
// paths are empty where the environment names none.
struct UserFolder {
  std::string base; // what the environment names: the home folder, or the folder of XDG_CACHE_HOME
  std::string path; // below it

  friend bool operator==(const UserFolder &, const UserFolder &) = default;
};

// `inside` is for `home`: ".cache". Paths that are not absolute count as none, as the XDG base
// directory specification has it: they would mean another folder in each working directory.
UserFolder userFolder(const std::string &xdg, const std::string &home, const std::string &inside);

// Makes sure that what lies in the folder was put there by this user, and makes the folder where it
// is missing. From `base` on all folders have to belong to the user and be closed to others, and
// nobody else may be able to replace `base`.
Status claim(const UserFolder &folder);

// Whether a file in such a folder belongs to this user and nobody else can have written it.
bool isOwnFile(const std::string &path);

} // namespace tessera::file
