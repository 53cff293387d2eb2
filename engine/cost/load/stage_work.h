// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"
#include "engine/report/compile_report.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

inline constexpr double kIntegerDivision = 24; // instructions, if the divisor is no constant

// Instructions of one thread, by the pipe that executes them. A pipe that serves `w` threads per
// clock takes 32/w clocks for an instruction of a warp. A multiprocessor issues a few instructions
// of any kind in each clock.
struct Slots {
  double fp32 = 0, fp64 = 0, fp16 = 0;
  double integer = 0;  // also comparisons, selects and minima of floats
  double products = 0; // multiplications and multiply-adds of integers, which run in the float pipe
  double special = 0;  // roots, exponentials
  double fused = 0;    // part of fp32: multiply-adds

  double all() const { return fp32 + fp64 + fp16 + integer + products + special; }
  void add(const Slots &other, double times) {
    fp32 += times * other.fp32;
    fp64 += times * other.fp64;
    fp16 += times * other.fp16;
    integer += times * other.integer;
    products += times * other.products;
    special += times * other.special;
    fused += times * other.fused;
  }
};

// Arithmetic that is shared by all evaluations with the same indices of the loops in `loops`.
struct SteadySlots {
  std::uint32_t loops = 0; // a bit for each loop
  Slots once;
};

// The arithmetic in one evaluation of a stage's definition, without loads, stores and addresses.
struct StageArithmetic {
  Slots once;
  std::vector<SteadySlots> steady; // parts of `once`
};
Slots arithmeticOf(const pipeline::Stage &stage);
Slots arithmeticOf(std::span<const report::OperationTotal> operations);
StageArithmetic wholeArithmeticOf(const pipeline::Stage &stage);
StageArithmetic arithmeticOf(const pipeline::Folded &folded); // averaged over the loop's values

} // namespace tessera::cost
