// SPDX-License-Identifier: MIT
#pragma once

#include "engine/file/destination.h"

#include <string>
#include <string_view>

namespace tessera::file {

// Writes to a device, pipe, socket or open file, which is left what it is. `path` is what the user
// called it.
Status stream(const Destination &to, std::string_view content, const std::string &path);

} // namespace tessera::file
