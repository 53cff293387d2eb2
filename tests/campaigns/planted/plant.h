// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <Halide.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace tessera::halide::testing {

// What a wrong schedule, or a compiler that misunderstands a right one, does to the values of a
// pipeline. The faults are planted into the algorithm, so that the program that is compiled runs
// safely and is wrong by design.
enum class Fault {
  Halo,  // at the edge of a tile, one of the values beyond it was not loaded
  Tail,  // the last, partial tile of a func is not computed
  Index, // a load swaps neighbours along two dimensions, or takes the one before
  Tap,   // one term of a sum, a minimum or a maximum is missing
  Step,  // one iteration of a reduction is missing
  Race,  // some iterations of a reduction are lost, or a value is read before it is there
};
inline constexpr std::array kFaults{Fault::Halo, Fault::Tail, Fault::Index,
                                    Fault::Tap,  Fault::Step, Fault::Race};
std::string_view name(Fault fault);

using Random = std::mt19937_64;

// Plants the fault at a random place and describes it. Returns nullopt if the func that was drawn
// has no place for it; then nothing has changed.
std::optional<std::string> plant(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                                 Fault fault, Random &random);

} // namespace tessera::halide::testing
