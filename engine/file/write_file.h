// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera::file {

// Whether a crash of the machine may cost the new content. What can be computed again is not
// synced, since a disk may take half a second.
enum class Durability { Synced, Rebuildable };

// The one way in which files are written.
//
// A plain file is replaced, so that a reader, or a crash at any moment, finds either the old or the
// new content: temporary file beside it, fsync, rename, fsync of the folder. It keeps its mode and
// owner. A symbolic link is followed, and what it leads to is replaced. A device, a pipe or a
// socket gets the bytes. A folder, a disk and a file that may not be written are refused. Missing
// folders are made, but not those of a link's target.
Status writeFile(const std::string &path, std::string_view content,
                 Durability durability = Durability::Synced);
Status writeFile(const std::string &path, std::span<const std::uint8_t> content,
                 Durability durability = Durability::Synced);

// Creates the folder, and its parents where they are missing.
Status makeFolder(const std::string &folder);

// Makes a new name, or a rename, in the folder of this path outlive a crash of the machine. Nothing
// happens where the file system cannot sync folders.
Status syncFolderOf(const std::string &path);

// Writes everything, or returns false with errno set.
bool writeAll(int descriptor, std::string_view content);

} // namespace tessera::file
