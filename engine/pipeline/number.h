// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstddef>
#include <cstdint>

namespace tessera::pipeline {

// The number at an address, which need not be aligned; of 64-bit integers the nearest double.
double numberAt(const std::uint8_t *address, ScalarType type);
// So many that follow each other.
void numbersAt(const std::uint8_t *address, ScalarType type, std::size_t count, double *numbers);

} // namespace tessera::pipeline
