// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tessera::pipeline {

// The random inputs with which schedules are verified and measured. Whoever fills an input uses
// these functions, so that the same seed is the same input in every program.

// From which range numbers are drawn. An input from the usual range may tell nothing: the values
// of a deep network overflow, or a threshold is never crossed.
enum class Drawing : std::uint8_t {
  Usual,   // floats in [0, 1), integers of 8 and 16 bits over their whole range, and wider ones
           // in [0, 1024), since pipelines use them as indices and add them up
  Small,   // a 64th of that
  Centred, // floats and wide signed integers as far below 0 as above
  CentredSmall, // both
};
inline constexpr int kDrawings = 4;

// Where the numbers of an input begin: the sequence of each input of a seed is its own.
std::uint64_t seedOf(std::string_view input, std::uint64_t seed);

// Writes the number at a place in the input's sequence. A float is the largest of its type that is
// not further from 0 than the drawn number, so halves stay below 1 as well.
void putRandom(std::uint8_t *address, ScalarType type, std::uint64_t inputSeed, std::uint64_t place,
               Drawing drawing = Drawing::Usual);

// Moves a finite float by its last bit, or leaves it, depending on the place; integers stay.
void moveLastBit(std::uint8_t *address, ScalarType type, std::uint64_t inputSeed,
                 std::uint64_t place);

} // namespace tessera::pipeline
