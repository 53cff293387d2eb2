// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::open {

// The folder of a file inside a scratch folder (host::ScratchFolder), with the slash at its end.
// Empty if the file is in none.
std::string scratchFolderOf(const std::string &path);
// Empty also for a folder right in the system's folder for temporary files, or in TMPDIR: programs
// of all kinds make some there, and a file of the user may be in one. Ours are in the cache or
// beside an output.
std::string ownScratchFolderOf(const std::string &path);

// The error without the scratch folders of the files that a request names. The user knows neither
// the folders nor, once the program has ended, finds them: "blur.hlpipe" remains of a path, and
// nothing of the request's own files, "path" and "unscheduled", in front of the message.
Error withoutScratchFolders(Error error, const nlohmann::json &request);

} // namespace tessera::open
