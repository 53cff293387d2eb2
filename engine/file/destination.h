// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>
#include <sys/stat.h>

namespace tessera::file {

enum class Kind {
  Nothing, // there is nothing yet, but there may be a link that leads here
  PlainFile,
  Folder,
  Device, // a terminal, /dev/null …
  Disk,   // a block device
  Pipe,
  Socket,
  OpenFile // a file that this process has open, as in /dev/stdout or /dev/fd/3
};

// What a path leads to through all symbolic links.
struct Destination {
  std::string path; // is not a link itself
  Kind kind = Kind::Nothing;
  struct stat status {}; // unless there is nothing
  int descriptor = -1;   // of an OpenFile
};

// An error if the links form a loop or a part of the path cannot be entered. `path` need not exist.
Result<Destination> destinationOf(const std::string &path);

} // namespace tessera::file
