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
constexpr double kFloatDivision = 9;   // a reciprocal and its corrections, beside the special one
constexpr double kIntegerDivision = 4; // by a constant: a multiplication and shifts
constexpr double kTranscendental = 18;
constexpr double kCall = 4;
constexpr double kFused = 0.8; // of multiplications whose only use is an addition

bool isFloat(ScalarType type) {
  return type.kind == TypeKind::Float || type.kind == TypeKind::BFloat;
}

// 64 bits are two registers; 8 and 16 bits are computed in 32 and cut off again.
double widthOf(ScalarType type) {
  if (type.bits > 32) return type.kind == TypeKind::Float ? 1 : 3;
  return !isFloat(type) && type.bits > 1 && type.bits < 32 ? 1.3 : 1;
}

double &pipeOf(Slots &slots, ScalarType type) {
  if (!isFloat(type)) return slots.integer;
  return type.bits == 64 ? slots.fp64 : type.bits == 32 ? slots.fp32 : slots.fp16;
}

void add(Slots &slots, const OpCount &operation) {
  const double count = operation.count * widthOf(operation.type);
  switch (operation.kind) {
  case OpKind::Add:
  case OpKind::Multiply:
    pipeOf(slots, operation.type) += count;
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
    (isFloat(operation.type) ? slots.special : slots.integer) += count;
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

// a * b + c is one instruction.
double fused(const Stage &stage) {
  double multiplications = 0, additions = 0;
  for (const OpCount &operation : stage.operations) {
    if (!isFloat(operation.type) || operation.type.bits != 32) continue;
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
  slots.fp32 -= fused(stage);
  return slots;
}

} // namespace tessera::cost
