// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/value.h"

#include <span>

namespace tessera::halide::lowered {

// The operations of lowered code, in all threads and lanes at once. Integers wrap around, a
// division by zero is zero and rounds as Halide's does, and a float is rounded after each
// operation.

enum class Binary { Add, Sub, Mul, Div, Mod, Min, Max, EQ, NE, LT, LE, GT, GE, And, Or };
Value binary(Binary operation, const Value &a, const Value &b);

Value negation(const Value &a);
Value converted(const Halide::Type &type, const Value &a);
Value reinterpreted(const Halide::Type &type, const Value &a);
// The choice depends on what is known of the condition and of the side that is chosen.
Value chosen(const Value &condition, const Value &yes, const Value &no);

// Vectors: `lanes` copies of `a`; `a`, `a + step`, …; the listed lanes of all values in a row; one
// result for each group of neighbouring lanes.
Value repeated(const Value &a, int lanes);
Value ramp(const Value &base, const Value &step, int lanes);
Value shuffled(std::span<const ValuePtr> vectors, const std::vector<int> &lanes);
Value reduced(Halide::Internal::VectorReduce::Operator operation, const Value &a, int lanes);

} // namespace tessera::halide::lowered
