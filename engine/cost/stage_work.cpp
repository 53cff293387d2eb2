// SPDX-License-Identifier: MIT
#include "engine/cost/stage_work.h"

#include <algorithm>

namespace tessera::cost {

using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::ScalarType;
using pipeline::Stage;
using pipeline::TypeKind;

namespace {

// What Halide 21 and ptxas 13 make of an operation, from the machine code of small kernels.
constexpr double kFloatDivision = 9;    // a reciprocal and its corrections, beside the special one
constexpr double kIntegerDivision = 24; // by what is no constant
constexpr double kTranscendental = 18;
constexpr double kCall = 4;
constexpr double kFused = 0.8;       // of multiplications whose only use is an addition
constexpr double kAddOfThree = 0.6;  // integers are added three at a time
constexpr double kIntegerCast = 0.1; // loads widen and stores narrow on their own

bool isFloat(ScalarType type) {
  return type.kind == TypeKind::Float || type.kind == TypeKind::BFloat;
}

// Integers of 64 bits are two registers.
double widthOf(ScalarType type) { return type.bits > 32 && !isFloat(type) ? 3 : 1; }

double &pipeOf(Slots &slots, ScalarType type) {
  if (!isFloat(type)) return slots.integer;
  return type.bits == 64 ? slots.fp64 : type.bits == 32 ? slots.fp32 : slots.fp16;
}

void add(Slots &slots, const OpCount &operation) {
  const double count = operation.count * widthOf(operation.type);
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
  case OpKind::Compare:
  case OpKind::Logic:
  case OpKind::Select:
    slots.integer += count;
    return;
  case OpKind::OtherCall:
    slots.integer += count * kCall;
    return;
  case OpKind::Load:
    return;
  }
}

// a * b + c is one instruction: how many additions are none of their own.
double fused(const Stage &stage, bool ofFloats) {
  double multiplications = 0, additions = 0;
  for (const OpCount &operation : stage.operations) {
    if (isFloat(operation.type) != ofFloats || operation.type.bits > 32) continue;
    if (ofFloats && operation.type.bits < 32) continue;
    if (operation.kind == OpKind::Multiply) multiplications += operation.count;
    if (operation.kind == OpKind::Add) additions += operation.count;
  }
  return kFused * std::min(multiplications, additions);
}

} // namespace

Slots arithmeticOf(const Stage &stage) {
  Slots slots;
  for (const OpCount &operation : stage.operations)
    add(slots, operation);
  slots.fp32 -= fused(stage, true);
  slots.integer -= kAddOfThree * fused(stage, false);
  return slots;
}

} // namespace tessera::cost
