// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <string>
#include <string_view>

namespace tessera::pipeline {

// Whether a scalar input of the type can have the value that a user wrote. Call it before the
// request to the worker, so that an invalid value changes nothing.
bool isValueOf(ScalarType type, std::string_view text);

// The values of the type as a text for the user, such as "a whole number from 0 to 255".
std::string valuesOf(ScalarType type);

} // namespace tessera::pipeline
