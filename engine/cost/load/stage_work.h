// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"
#include "engine/report/compile_report.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

inline constexpr double kIntegerDivision = 24; // instructions, by what is no constant

// Instructions of one thread by the pipe that executes them. A pipe that is `w` wide takes 32/w
// clocks for a warp, and a multiprocessor issues a few instructions of any kind in each.
struct Slots {
  double fp32 = 0, fp64 = 0, fp16 = 0;
  double integer = 0;  // also comparisons, selects and minima of floats
  double products = 0; // of integers, with what is added to them: in the pipe of the floats
  double special = 0;  // roots, exponentials
  double fused = 0;    // of fp32: instructions that multiply and add

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

// Arithmetic that evaluations have in common which differ in other loops than these alone.
struct SteadySlots {
  std::uint32_t loops = 0; // the bit of each
  Slots once;
};

// The arithmetic in one evaluation of a stage's definition; loads, stores and addresses are not.
struct StageArithmetic {
  Slots once;
  std::vector<SteadySlots> steady; // a part of it
};
Slots arithmeticOf(const pipeline::Stage &stage);
Slots arithmeticOf(std::span<const report::OperationTotal> operations);
StageArithmetic wholeArithmeticOf(const pipeline::Stage &stage);
StageArithmetic arithmeticOf(const pipeline::Folded &folded); // on average

} // namespace tessera::cost
