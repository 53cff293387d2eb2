// SPDX-License-Identifier: MIT
#include "engine/cost/roofline/floor.h"

#include "engine/cost/roofline/needed_points.h"
#include "engine/pipeline/measures.h"

#include <algorithm>
#include <span>

namespace tessera::cost {

using machine::Machine;
using pipeline::InputId;
using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::ScalarType;
using pipeline::Stage;
using pipeline::SteadyOps;
using pipeline::TypeKind;

namespace {

bool isFloat(ScalarType type) {
  return type.kind == TypeKind::Float || type.kind == TypeKind::BFloat;
}

// Two integers of 16 bits, or four of 8, may share an instruction.
double partOf(ScalarType type) { return std::min(1.0, type.bits / 32.0); }

// The instructions that a compiler cannot do without. Some instructions do two of these operations
// at once: they add three integers, combine three conditions or take the least of three.
constexpr double kOfTwo = 0.5;

Operations leastOf(std::span<const OpCount> operations) {
  Operations least;
  double additions = 0, multiplications = 0; // of integers
  for (const OpCount &operation : operations) {
    const ScalarType type = operation.type;
    const double count = operation.count;
    switch (operation.kind) {
    case OpKind::Add:
    case OpKind::Multiply:
    case OpKind::Divide:
    case OpKind::Modulo:
    case OpKind::Transcendental: // at least one, beside what the special function unit does
      if (isFloat(type))
        (type.bits == 64 ? least.fp64 : type.bits == 32 ? least.fp32 : least.fp16) += count;
      else
        (operation.kind == OpKind::Add ? additions : multiplications) += count * partOf(type);
      break;
    case OpKind::MinMax:
    case OpKind::Compare:
    case OpKind::Logic:
    case OpKind::Select:
      least.integer += kOfTwo * count * partOf(type);
      break;
    case OpKind::Cast: // part of a load or a store
    case OpKind::OtherCall:
    case OpKind::Load:
      break;
    }
  }
  // A product and a sum are one instruction.
  least.integer += multiplications + kOfTwo * std::max(0.0, additions - multiplications);
  return least;
}

// What one stage computes if it is evaluated for all that is needed. What depends on some of the
// loops alone is computed once for all values of the others.
Operations allOf(const Stage &stage, const NeededPoints &needed,
                 std::span<const OpCount> operations, std::span<const SteadyOps> steady,
                 double bodies) {
  const double evaluations = needed.evaluations(stage) / bodies;
  Operations all;
  all.add(leastOf(operations), evaluations);
  for (const SteadyOps &part : steady) {
    const Operations once = leastOf(part.operations);
    all.add(once, -evaluations);
    all.add(once, std::min(evaluations, needed.valuesOf(stage, part.loops)));
  }
  return all;
}

Operations smaller(const Operations &a, const Operations &b) {
  return {std::min(a.fp64, b.fp64), std::min(a.fp32, b.fp32), std::min(a.fp16, b.fp16),
          std::min(a.integer, b.integer)};
}

Operations positive(const Operations &operations) {
  return {std::max(0.0, operations.fp64), std::max(0.0, operations.fp32),
          std::max(0.0, operations.fp16), std::max(0.0, operations.integer)};
}

Operations leastOf(const Stage &stage, const NeededPoints &needed) {
  Operations least = allOf(stage, needed, stage.operations, stage.steady, 1);
  for (const pipeline::Folded &folded : stage.folded)
    least = smaller(least, allOf(stage, needed, folded.operations, folded.steady, folded.values));
  return positive(least);
}

// The part of `bytes` that comes from device memory in every run, however well the second-level
// cache keeps the rest from the run before.
double leastFromDram(double bytes, const Machine &machine) {
  return bytes > 0 ? std::max(0.0, 1 - static_cast<double>(machine.memory.l2Bytes) / bytes) : 0;
}

} // namespace

Floor floorOf(const Pipeline &pipeline, const Machine &machine) {
  const NeededPoints needed(pipeline);
  Floor floor;
  for (std::uint32_t i = 0; i < pipeline.inputs().size(); ++i) {
    const pipeline::Input &input = pipeline.input(InputId{i});
    if (input.isScalar) continue;
    floor.bytes += needed.of(Producer::input(InputId{i})) * static_cast<double>(input.type.bytes());
  }
  for (const pipeline::Output &output : pipeline.outputs())
    floor.bytes += static_cast<double>(
        pipeline::regionBytes(pipeline, Producer::func(output.func)).value_or(0));
  floor.fromDram = leastFromDram(floor.bytes, machine);
  for (const Stage &stage : pipeline.stages())
    floor.operations.add(leastOf(stage, needed));
  return floor;
}

Floor floorOf(const report::CompileReport &report, const Machine &machine) {
  Floor floor;
  for (const report::PipelineArgument &argument : report.arguments)
    if (argument.kind != report::PipelineArgument::Kind::Scalar)
      floor.bytes += static_cast<double>(pipeline::volume(argument.region)) *
                     static_cast<double>(argument.type.bytes());
  floor.fromDram = leastFromDram(floor.bytes, machine);
  return floor;
}

} // namespace tessera::cost
