// SPDX-License-Identifier: MIT
#pragma once

#include "engine/file/read_file.h"
#include "engine/file/scratch_folder.h"
#include "engine/file/write_file.h"

// The room `file` stands below all others; those from `host` up know its functions by these names.
namespace tessera::host {

using file::makeFolder;
using file::readFile;
using file::readHead;
using file::ScratchFolder;
using file::sweepScratch;
using file::syncFolderOf;
using file::writeAll;
using file::writeFile;

} // namespace tessera::host
