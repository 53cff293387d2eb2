// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/correction.h"
#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace tessera::learn {

// The content of a file of a correction: JSON, with the version of the features that its trees ask
// for, and a hash by which damage is noticed.
std::string toText(const Correction &correction);

// Reads such a file. One that is damaged, is something else, or asks for other features is refused
// by `name`, which is what messages call the file.
Result<Correction> correctionFrom(std::string_view text, const std::string &name);

} // namespace tessera::learn
