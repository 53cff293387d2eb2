// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstdint>

namespace tessera::pipeline {

// The number at an address, which need not be aligned; of 64-bit integers the nearest double.
double numberAt(const std::uint8_t *address, ScalarType type);

} // namespace tessera::pipeline
