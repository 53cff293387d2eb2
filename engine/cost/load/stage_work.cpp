// SPDX-License-Identifier: MIT
#include "engine/cost/load/stage_work.h"

#include <algorithm>

namespace tessera::cost {

using pipeline::OpKind;
using pipeline::ScalarType;
using pipeline::Stage;
using pipeline::TypeKind;
using report::OperationTotal;

namespace {

// The instructions that Halide 21 and ptxas 13 generate for an operation, taken from the machine
// code of small kernels.
constexpr double kFloatDivision = 9; // and one special instruction, for the reciprocal
constexpr double kTranscendental = 18;
constexpr double kCall = 4;
// The part of the multiplications that become multiply-adds. Only those whose product is used in
// nothing but an addition do.
constexpr double kFused = 0.8;
constexpr double kAddOfThree = 0.6;  // instructions per addition: some add three integers at once
constexpr double kIntegerCast = 0.1; // most casts are free: loads widen, stores narrow
constexpr double kFloatMinimum = 2;  // a comparison and a selection, because of NaN
constexpr double kNarrow = 2; // comparing 8 or 16 bits, which are extracted from a register first

bool isFloat(ScalarType type) {
  return type.kind == TypeKind::Float || type.kind == TypeKind::BFloat;
}

// Factor for the instructions of an operation: an integer of 64 bits lies in two registers, and an
// operation takes about three instructions.
double widthOf(ScalarType type) { return type.bits > 32 && !isFloat(type) ? 3 : 1; }

bool isNarrow(ScalarType type) { return !isFloat(type) && type.bits > 1 && type.bits < 32; }

double &pipeOf(Slots &slots, ScalarType type) {
  if (!isFloat(type)) return slots.integer;
  return type.bits == 64 ? slots.fp64 : type.bits == 32 ? slots.fp32 : slots.fp16;
}

template <typename Operation>
void add(Slots &slots, const Operation &operation) {
  const double count = static_cast<double>(operation.count) * widthOf(operation.type);
  switch (operation.kind) {
  case OpKind::Add:
    pipeOf(slots, operation.type) += count * (isFloat(operation.type) ? 1 : kAddOfThree);
    return;
  case OpKind::Multiply:
    (isFloat(operation.type) ? pipeOf(slots, operation.type) : slots.products) += count;
    return;
  case OpKind::Divide:
  case OpKind::Modulo:
    pipeOf(slots, operation.type) +=
        count * (isFloat(operation.type) ? kFloatDivision : kIntegerDivision);
    if (isFloat(operation.type)) slots.special += count;
    return;
  case OpKind::Transcendental:
    pipeOf(slots, operation.type) += count * kTranscendental;
    slots.special += count;
    return;
  case OpKind::Cast:
    slots.integer += count * (isFloat(operation.type) ? 1 : kIntegerCast);
    return;
  case OpKind::MinMax:
    slots.integer += count * (isFloat(operation.type)    ? kFloatMinimum
                              : isNarrow(operation.type) ? kNarrow
                                                         : 1);
    return;
  case OpKind::Compare:
  case OpKind::Logic:
  case OpKind::Select:
    slots.integer += count * (isNarrow(operation.type) ? kNarrow : 1);
    return;
  case OpKind::OtherCall:
    slots.integer += count * kCall;
    return;
  case OpKind::Load:
    return;
  }
}

// The number of additions that become part of a multiply-add and need no instruction of their own.
template <typename Operations>
double fused(const Operations &operations, bool ofFloats) {
  double multiplications = 0, additions = 0;
  for (const auto &operation : operations) {
    if (isFloat(operation.type) != ofFloats || operation.type.bits > 32) continue;
    if (ofFloats && operation.type.bits < 32) continue;
    if (operation.kind == OpKind::Multiply) multiplications += operation.count;
    if (operation.kind == OpKind::Add) additions += operation.count;
  }
  return kFused * std::min(multiplications, additions);
}

template <typename Operations>
Slots slotsOf(const Operations &operations) {
  Slots slots;
  for (const auto &operation : operations)
    add(slots, operation);
  slots.fused = fused(operations, true);
  slots.fp32 -= slots.fused;
  slots.integer -= kAddOfThree * fused(operations, false);
  return slots;
}

// The arithmetic of one evaluation, from the operations of `evaluations` evaluations together.
StageArithmetic arithmeticOf(const std::vector<pipeline::OpCount> &operations,
                             const std::vector<pipeline::SteadyOps> &steady, double evaluations) {
  const auto average = [&](const std::vector<pipeline::OpCount> &of) {
    Slots slots;
    slots.add(slotsOf(of), 1 / evaluations);
    return slots;
  };
  StageArithmetic result{average(operations), {}};
  for (const pipeline::SteadyOps &one : steady)
    result.steady.push_back({one.loops, average(one.operations)});
  return result;
}

} // namespace

Slots arithmeticOf(const Stage &stage) { return slotsOf(stage.operations); }

Slots arithmeticOf(std::span<const OperationTotal> operations) { return slotsOf(operations); }

StageArithmetic wholeArithmeticOf(const Stage &stage) {
  return arithmeticOf(stage.operations, stage.steady, 1);
}

StageArithmetic arithmeticOf(const pipeline::Folded &folded) {
  return arithmeticOf(folded.operations, folded.steady, folded.values);
}

} // namespace tessera::cost
