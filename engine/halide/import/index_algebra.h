// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"

#include <cstdint>
#include <string>

namespace tessera::halide {

// Arithmetic on index maps, which IndexEvaluator applies at each node of an index expression. Every
// operation returns a map whose interval contains the set of values for every tile. The map is
// exact if the normal form of engine/pipeline/access.h can hold the result; otherwise it states why
// not.
//
// Invariant: at most one atom is plain (divisor 1, no clamp). It has scale 1, and its offset
// contains all constant summands of the map. Without a plain atom they are in the map's offset.
namespace algebra {

pipeline::IndexMap constant(std::int64_t value);
pipeline::IndexMap interval(pipeline::Interval range, pipeline::Precision precision,
                            std::string reason);
pipeline::IndexMap loop(std::uint32_t index);

pipeline::IndexMap add(const pipeline::IndexMap &a, const pipeline::IndexMap &b);
pipeline::IndexMap negate(pipeline::IndexMap a);
pipeline::IndexMap multiply(pipeline::IndexMap a, std::int64_t factor);
pipeline::IndexMap divide(const pipeline::IndexMap &a, std::int64_t divisor); // divisor > 0
// `known` is an interval that contains `a` for every tile (infinite if there is no bound).
pipeline::IndexMap modulo(const pipeline::IndexMap &a, std::int64_t modulus,
                          pipeline::Interval known);
pipeline::IndexMap atMost(const pipeline::IndexMap &a, std::int64_t limit);
pipeline::IndexMap atLeast(const pipeline::IndexMap &a, std::int64_t limit);

// Whether two maps differ only in their constants. Then their min, max and select are one map.
bool sameShape(const pipeline::IndexMap &a, const pipeline::IndexMap &b);
// The constant of a map, in which maps of the same shape may differ. Defined for maps without atoms
// and maps with a plain atom.
pipeline::Interval constantPart(const pipeline::IndexMap &a);
pipeline::IndexMap withConstantPart(pipeline::IndexMap a, pipeline::Interval value);

// Lowers the precision of the map to `precision` if that is worse, and then takes over the reason.
void degrade(pipeline::IndexMap &map, pipeline::Precision precision, const std::string &reason);

} // namespace algebra

} // namespace tessera::halide
