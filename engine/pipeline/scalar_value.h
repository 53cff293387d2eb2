// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <string>
#include <string_view>

namespace tessera::pipeline {

// Whether a scalar input of the type can have the value, as a user writes it: asked before a worker
// is, so that what cannot be changes nothing.
bool isValueOf(ScalarType type, std::string_view text);

// What it can have, for a person: "a whole number from 0 to 255".
std::string valuesOf(ScalarType type);

} // namespace tessera::pipeline
