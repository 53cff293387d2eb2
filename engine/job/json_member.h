// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::job {

// The text of a member of an object, as it came from another program or a file; empty if there is
// no such member, if it is no text, or if `object` is no object.
std::string textAt(const nlohmann::json &object, const char *key);

} // namespace tessera::job
