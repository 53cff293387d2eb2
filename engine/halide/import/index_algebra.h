// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"

#include <cstdint>
#include <string>

namespace tessera::halide {

// Arithmetic on index maps: what IndexEvaluator does at each node of an index expression. Every
// operation returns a map whose interval contains the set of values for every tile; it is exact
// where the normal form of engine/pipeline/access.h can hold the result, and says why where not.
//
// Invariant: at most one atom is plain (divisor 1, no clamp), it has scale 1 and takes all constant
// offsets; other atoms keep their constants in the map's offset.
namespace algebra {

pipeline::IndexMap constant(std::int64_t value);
pipeline::IndexMap interval(pipeline::Interval range, pipeline::Precision precision,
                            std::string reason);
pipeline::IndexMap loop(std::uint32_t index);

pipeline::IndexMap add(const pipeline::IndexMap &a, const pipeline::IndexMap &b);
pipeline::IndexMap negate(pipeline::IndexMap a);
pipeline::IndexMap multiply(pipeline::IndexMap a, std::int64_t factor);
pipeline::IndexMap divide(const pipeline::IndexMap &a, std::int64_t divisor); // divisor > 0
// `known` is the interval that `a` is known to stay in for every tile (infinite where it is not).
pipeline::IndexMap modulo(const pipeline::IndexMap &a, std::int64_t modulus,
                          pipeline::Interval known);
pipeline::IndexMap atMost(const pipeline::IndexMap &a, std::int64_t limit);
pipeline::IndexMap atLeast(const pipeline::IndexMap &a, std::int64_t limit);

// Whether two maps differ in their constant only; then min, max and select of them are one map.
bool sameShape(const pipeline::IndexMap &a, const pipeline::IndexMap &b);
// The constant of a map without atoms, or with a plain atom: where sameShape() maps differ.
pipeline::Interval constantPart(const pipeline::IndexMap &a);
pipeline::IndexMap withConstantPart(pipeline::IndexMap a, pipeline::Interval value);

// The worse precision wins and brings its reason.
void degrade(pipeline::IndexMap &map, pipeline::Precision precision, const std::string &reason);

} // namespace algebra

} // namespace tessera::halide
