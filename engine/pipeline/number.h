// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstddef>
#include <cstdint>

namespace tessera::pipeline {

// The number at an address, which may be unaligned. A 64-bit integer is rounded to the nearest
// double.
double numberAt(const std::uint8_t *address, ScalarType type);
// Converts `count` adjacent numbers in the same way.
void numbersAt(const std::uint8_t *address, ScalarType type, std::size_t count, double *numbers);

} // namespace tessera::pipeline
