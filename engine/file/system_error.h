// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>

namespace tessera::file {

// "Cannot write 'a/b': No space left on device." The input is refused where the path that the user
// named is at fault; else, as on a full disk, the system has failed. `cause` is an errno.
Error systemError(const std::string &doing, const std::string &path, int cause);

} // namespace tessera::file
