// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/halide/random_draw.h"

#include <Halide.h>

namespace tessera::halide::testing {

// Random arithmetic over all types that code for a GPU can compute in. Each operation is defined
// for all values, and gives a value of the same kind: what tamed() returns.
class RandomValues {
public:
  explicit RandomValues(Draw &draw) : m_draw(draw) {}

  // bool, integers of 8 to 64 bits, float16, float32 or float64.
  Halide::Type anyType();
  // An integer of at most so many bits, and at least 8.
  Halide::Type anyInteger(int mostBits);

  // The value in another type. Floats stay small, so that sums and products of a few are finite in
  // float16, and fit into every integer.
  Halide::Expr as(const Halide::Type &type, const Halide::Expr &e);

  // Some operation of three values of the type.
  Halide::Expr combined(const Halide::Type &type, const Halide::Expr &a, const Halide::Expr &b,
                        const Halide::Expr &c);

  // A sum of int32 as a quantised network stores it: multiplied by a factor below 1 in fixed point,
  // moved by a zero point, clamped to the type's values.
  Halide::Expr requantised(const Halide::Type &type, const Halide::Expr &sum);

  // An index from 0 to last that is computed from any value: wrapped around, clamped, or a
  // remainder.
  Halide::Expr index(const Halide::Expr &value, int last);
  // The same as an unsigned number, clamped where it wraps around.
  Halide::Expr unsignedIndex(const Halide::Expr &value, int last);

  // Keeps what is computed small where an overflow is not defined, or a float would grow.
  static Halide::Expr tamed(const Halide::Expr &e);

private:
  int pick(int low, int high) { return m_draw.pick(low, high); }
  bool chance(int percent) { return m_draw.chance(percent); }

  Halide::Expr logic(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &c);
  Halide::Expr ofFloats(const Halide::Type &type, const Halide::Expr &a, const Halide::Expr &b,
                        const Halide::Expr &c);
  Halide::Expr ofIntegers(const Halide::Type &type, const Halide::Expr &a, const Halide::Expr &b,
                          const Halide::Expr &c);
  Halide::Expr fixedPoint(const Halide::Type &type, const Halide::Expr &a, const Halide::Expr &b,
                          const Halide::Expr &c);

  Draw &m_draw;
};

} // namespace tessera::halide::testing
