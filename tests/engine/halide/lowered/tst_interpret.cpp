// SPDX-License-Identifier: MIT
// Lowered GPU code gives what Halide's host code gives, and what a GPU may get away with is found.
#include "engine/halide/lowered/interpret.h"
#include "tests/engine/halide/lowered/lowered_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tessera::halide::testing {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Type;
using Halide::Var;
using lowered::Finding;
using lowered::FindingKind;
using ::testing::HasSubstr;
namespace ir = Halide::Internal;

std::string said(const lowered::Run &run) {
  std::string text = run.complaint;
  for (const Finding &finding : run.findings)
    text += "\n" + lowered::textOf(finding);
  return text;
}

// The only finding; fails if there is another number of them.
Finding onlyFinding(const lowered::Run &run) {
  EXPECT_EQ(run.end, lowered::Run::End::Done) << run.complaint;
  EXPECT_EQ(run.findings.size(), 1U) << said(run);
  return run.findings.size() == 1 ? run.findings[0] : Finding{};
}

void expectClean(const lowered::Run &run) {
  EXPECT_EQ(run.end, lowered::Run::End::Done) << run.complaint;
  EXPECT_TRUE(run.findings.empty()) << said(run);
}

class Interpret : public ::testing::Test {
protected:
  Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
};

// A stencil over a producer that each block has in shared memory.
struct SharedStencil {
  explicit SharedStencil(const Type &type) : input(type, 2, "in") {
    const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    producer(x, y) = cast(type, input(x, y) + input(x + 2, y + 1));
    output(x, y) = cast(type, producer(x, y) - producer(x + 1, y + 1));
    output.gpu_tile(x, y, xo, yo, xi, yi, 8, 4, Halide::TailStrategy::GuardWithIf);
    producer.compute_at(output, xo).gpu_threads(x, y);
  }

  LoweredCode lowered(int width, int height) {
    LoweredCode code(output, {width, height});
    code.inputs.emplace("in", filled(input.type(), {width + 3, height + 2}));
    return code;
  }

  Halide::Buffer<> expected(const LoweredCode &code, int width, int height) {
    // The same definitions without a schedule, on the host.
    Halide::Buffer<> out(output.types()[0], {width, height});
    const Var x, y;
    Func first, second;
    input.set(code.inputs.at("in"));
    first(x, y) = cast(input.type(), input(x, y) + input(x + 2, y + 1));
    second(x, y) = cast(input.type(), first(x, y) - first(x + 1, y + 1));
    second.realize(Halide::Pipeline::RealizationArg(out),
                   Halide::get_host_target().with_feature(Halide::Target::StrictFloat));
    return out;
  }

  Halide::ImageParam input;
  Func producer{"producer"}, output{"output"};
};

class InterpretTypes : public ::testing::TestWithParam<Type> {};

TEST_P(InterpretTypes, SharedMemoryAndRaggedTilesAreExact) {
  SharedStencil stencil(GetParam());
  LoweredCode code = stencil.lowered(21, 9);
  const lowered::Run run = code.run();
  expectClean(run);
  EXPECT_EQ(differences(code.output(), stencil.expected(code, 21, 9)), 0U);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, InterpretTypes,
                         ::testing::Values(Halide::UInt(8), Halide::Int(8), Halide::UInt(16),
                                           Halide::Int(16), Halide::UInt(32), Halide::Int(32),
                                           Halide::UInt(64), Halide::Int(64), Halide::Float(16),
                                           Halide::BFloat(16), Halide::Float(32),
                                           Halide::Float(64)));

class WithoutBarriers : public ir::IRMutator {
  using IRMutator::visit;
  ir::Stmt visit(const ir::Evaluate *op) override {
    const auto *call = op->value.as<ir::Call>();
    const bool isBarrier = call && call->is_intrinsic(ir::Call::gpu_thread_barrier);
    return isBarrier ? ir::Evaluate::make(0) : ir::Stmt(op);
  }
};

TEST_F(Interpret, AMissingBarrierIsARace) {
  LoweredCode code = SharedStencil(Halide::Int(16)).lowered(21, 9);
  ASSERT_THAT(code.text(), HasSubstr("gpu_thread_barrier"));
  WithoutBarriers without;
  code.mutate(without);
  const Finding finding = onlyFinding(code.run());
  EXPECT_EQ(finding.kind, FindingKind::Race);
  EXPECT_THAT(finding.buffer, HasSubstr("producer"));
  EXPECT_THAT(finding.example, HasSubstr("without a barrier in between"));
}

// Leaves a func's memory as it is.
class WithoutStoresTo : public ir::IRMutator {
public:
  explicit WithoutStoresTo(std::string name) : m_name(std::move(name)) {}

private:
  using IRMutator::visit;
  ir::Stmt visit(const ir::Store *op) override {
    return op->name == m_name ? ir::Evaluate::make(0) : ir::Stmt(op);
  }
  const std::string m_name;
};

// The last tile is shifted, so that two blocks make the same of what nobody has written. That is no
// race, but the output is not known.
TEST_F(Interpret, OverlappingTilesOfUnknownValuesAreNoRace) {
  const Var x("x"), block("block"), thread("thread");
  Func unwritten("unwritten"), output("output");
  unwritten(x) = x * x;
  output(x) = unwritten(x) + 1;
  unwritten.compute_root().gpu_tile(x, block, thread, 8);
  output.gpu_tile(x, block, thread, 16, Halide::TailStrategy::ShiftInwards);
  LoweredCode code(output, {40});
  WithoutStoresTo without("unwritten");
  code.mutate(without);
  const Finding finding = onlyFinding(code.run());
  EXPECT_EQ(finding.kind, FindingKind::UnknownOutput);
  EXPECT_EQ(finding.count, 40U);
}

// Each element needs two of the producer's, which another thread computes.
LoweredCode acrossThreads(bool areLanes) {
  const Var x("x"), block("block"), thread("thread");
  Func producer("producer"), output("output");
  producer(x) = x * x;
  output(x) = producer(x) - producer(x + 1);
  output.split(x, block, thread, 16).gpu_blocks(block);
  producer.compute_at(output, block).store_in(Halide::MemoryType::GPUShared);
  if (areLanes) {
    output.gpu_lanes(thread);
    producer.gpu_lanes(x);
  } else {
    output.gpu_threads(thread);
    producer.gpu_threads(x);
  }
  LoweredCode code(output, {64});
  WithoutBarriers without;
  code.mutate(without);
  return code;
}

TEST_F(Interpret, LanesOfAWarpNeedNoBarrier) {
  LoweredCode lanes = acrossThreads(true);
  expectClean(lanes.run());
  EXPECT_EQ(Halide::Buffer<int>(lanes.output())(5), 5 * 5 - 6 * 6);
  EXPECT_EQ(onlyFinding(acrossThreads(false).run()).kind, FindingKind::Race);
}

// Two warps of lanes, each of which needs what the other computes.
TEST_F(Interpret, LanesOfTwoWarpsNeedOne) {
  const Var x("x"), y("y"), block("block"), lane("lane");
  Func producer("producer"), output("output");
  producer(x, y) = x * x + y;
  output(x, y) = producer(x, 1 - y);
  output.bound(y, 0, 2).split(x, block, lane, 16).reorder(lane, y, block).gpu_blocks(block);
  output.gpu_threads(y).gpu_lanes(lane);
  producer.compute_at(output, block).store_in(Halide::MemoryType::GPUShared);
  producer.gpu_threads(y).gpu_lanes(x);
  LoweredCode code(output, {64, 2});
  expectClean(code.run());
  WithoutBarriers without;
  code.mutate(without);
  EXPECT_EQ(onlyFinding(code.run()).kind, FindingKind::Race);
}

// Lets some threads of each block miss the barriers.
class SomeBarriers : public ir::IRMutator {
  using IRMutator::visit;
  ir::Stmt visit(const ir::Evaluate *op) override {
    const auto *call = op->value.as<ir::Call>();
    if (!call || !call->is_intrinsic(ir::Call::gpu_thread_barrier) || m_thread.empty()) return op;
    return ir::IfThenElse::make(ir::Variable::make(Halide::Int(32), m_thread) < 3, op);
  }
  ir::Stmt visit(const ir::For *op) override {
    if (op->for_type == ir::ForType::GPUThread) m_thread = op->name;
    return IRMutator::visit(op);
  }
  std::string m_thread;
};

TEST_F(Interpret, ABarrierThatSomeThreadsMissIsFound) {
  LoweredCode code = SharedStencil(Halide::Int(16)).lowered(21, 9);
  SomeBarriers some;
  code.mutate(some);
  const Finding finding = onlyFinding(code.run());
  EXPECT_EQ(finding.kind, FindingKind::DivergentBarrier);
}

// Makes the block's memory one element shorter, and then leaves out what is stored to it.
class SmallerShared : public ir::IRMutator {
  using IRMutator::visit;
  ir::Stmt visit(const ir::Allocate *op) override {
    if (op->memory_type != Halide::MemoryType::GPUShared) return IRMutator::visit(op);
    std::vector<Expr> extents = op->extents;
    extents[0] = extents[0] - 1;
    return ir::Allocate::make(op->name, op->type, op->memory_type, extents, op->condition,
                              mutate(op->body));
  }
};

TEST_F(Interpret, AnAccessOutsideOfItsMemoryIsFound) {
  LoweredCode code = SharedStencil(Halide::Float(32)).lowered(21, 9);
  SmallerShared smaller;
  code.mutate(smaller);
  const lowered::Run run = code.run();
  ASSERT_FALSE(run.findings.empty());
  EXPECT_EQ(run.findings[0].kind, FindingKind::OutOfBounds) << said(run);
  EXPECT_THAT(run.findings[0].buffer, HasSubstr("producer"));
}

class WithoutSharedStores : public ir::IRMutator {
  using IRMutator::visit;
  ir::Stmt visit(const ir::Store *op) override {
    // The host has stores of its own, to a variable that the size of the memory is computed in.
    const bool isShared = op->name.find("producer") != std::string::npos &&
                          op->name.find("shared_size") == std::string::npos;
    return isShared ? ir::Evaluate::make(0) : ir::Stmt(op);
  }
};

TEST_F(Interpret, WhatNothingHasWrittenIsFollowedToTheOutput) {
  LoweredCode code = SharedStencil(Halide::Float(16)).lowered(21, 9);
  WithoutSharedStores without;
  code.mutate(without);
  const Finding finding = onlyFinding(code.run());
  EXPECT_EQ(finding.kind, FindingKind::UnknownOutput);
  EXPECT_EQ(finding.count, 21U * 9U);
  EXPECT_THAT(finding.buffer, HasSubstr("output"));
}

class ShiftedVectors : public ir::IRMutator {
  using IRMutator::visit;
  ir::Stmt visit(const ir::Store *op) override {
    const auto *ramp = op->index.as<ir::Ramp>();
    if (!ramp) return op;
    return ir::Store::make(op->name, op->value,
                           ir::Ramp::make(ramp->base + 1, ramp->stride, ramp->lanes), op->param,
                           op->predicate, op->alignment);
  }
};

TEST_F(Interpret, AVectorAtAnAddressThatItsCodeDoesNotExpectIsFound) {
  Func out("aligned");
  out(x) = cast<float>(x);
  out.output_buffer().dim(0).set_bounds(0, 64);
  out.split(x, xo, xi, 4).vectorize(xi).gpu_tile(xo, yo, yi, 8);
  LoweredCode code(out, {64});
  expectClean(code.run());
  ShiftedVectors shifted;
  code.mutate(shifted);
  const lowered::Run run = code.run();
  ASSERT_FALSE(run.findings.empty());
  EXPECT_EQ(run.findings[0].kind, FindingKind::Misaligned) << said(run);
}

TEST_F(Interpret, AVectorThatLosesItsConversionIsFound) {
  Halide::ImageParam in(Halide::Float(32), 1, "in");
  Func halves("halves");
  halves(x) = cast(Halide::Float(16), in(x));
  halves.split(x, xo, xi, 4).vectorize(xi).gpu_tile(xo, yo, yi, 8);
  LoweredCode code(halves, {64});
  code.inputs.emplace("in", filled(Halide::Float(32), {64}));
  EXPECT_EQ(onlyFinding(code.run()).kind, FindingKind::KnownFault);
}

TEST_F(Interpret, AtomicUpdatesCountEveryElement) {
  Halide::ImageParam in(Halide::UInt(8), 1, "in");
  Func bins("bins");
  const Halide::RDom r(0, 500, "r");
  Halide::RVar ro("ro"), ri("ri");
  bins(x) = 0;
  bins(cast<int>(in(r)) / 32) += 1;
  bins.gpu_tile(x, xo, xi, 8);
  bins.update().atomic().split(r, ro, ri, 64).gpu_blocks(ro).gpu_threads(ri);
  LoweredCode code(bins, {8});
  code.inputs.emplace("in", filled(Halide::UInt(8), {500}));
  expectClean(code.run());
  std::vector<int> counted(8);
  const Halide::Buffer<std::uint8_t> values = code.inputs.at("in");
  for (int i = 0; i < 500; ++i)
    ++counted[values(i) / 32];
  const Halide::Buffer<int> found = code.output();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(found(i), counted[static_cast<std::size_t>(i)]) << i;
}

class WithoutAtomics : public ir::IRMutator {
  using IRMutator::visit;
  ir::Stmt visit(const ir::Atomic *op) override { return mutate(op->body); }
};

TEST_F(Interpret, UpdatesThatAreNotAtomicRace) {
  Halide::ImageParam in(Halide::UInt(8), 1, "in");
  Func bins("bins");
  const Halide::RDom r(0, 500, "r");
  bins(x) = 0;
  bins(cast<int>(in(r)) / 32) += 1;
  bins.gpu_tile(x, xo, xi, 8);
  Halide::RVar ro("ro"), ri("ri");
  bins.update().atomic().split(r, ro, ri, 64).gpu_blocks(ro).gpu_threads(ri);
  LoweredCode code(bins, {8});
  code.inputs.emplace("in", filled(Halide::UInt(8), {500}));
  WithoutAtomics without;
  code.mutate(without);
  EXPECT_EQ(onlyFinding(code.run()).kind, FindingKind::Race);
}

// Lanes of a warp read each other's registers.
TEST_F(Interpret, ShufflesOfAWarp) {
  Func producer("of_lanes"), out("shuffled");
  producer(x) = x * x;
  out(x) = producer(x) + producer(x + 1);
  // The producer is one wider than the tile, and has a lane for each element.
  out.bound(x, 0, 93);
  out.split(x, xo, xi, 31).gpu_blocks(xo).gpu_lanes(xi);
  producer.compute_at(out, xo).store_in(Halide::MemoryType::Register).gpu_lanes(x);
  LoweredCode code(out, {93});
  ASSERT_THAT(code.text(), HasSubstr("llvm.nvvm.shfl"));
  expectClean(code.run());
  const Halide::Buffer<int> found = code.output();
  for (int i = 0; i < 93; ++i)
    EXPECT_EQ(found(i), i * i + (i + 1) * (i + 1)) << i;
}

TEST_F(Interpret, AnEndlessRunIsEnded) {
  Func out("long");
  const Halide::RDom r(0, 1 << 30);
  out(x) = 0;
  out(x) += cast<int>(r.x) & x;
  out.gpu_tile(x, xo, xi, 8);
  out.update().gpu_tile(x, xo, xi, 8);
  LoweredCode code(out, {64});
  const lowered::Run run = code.run(1'000'000);
  EXPECT_EQ(run.end, lowered::Run::End::TooLong);
}

TEST_F(Interpret, AnInputThatIsTooSmallIsAComplaint) {
  SharedStencil stencil(Halide::Int(32));
  LoweredCode code = stencil.lowered(21, 9);
  code.inputs.at("in") = filled(Halide::Int(32), {22, 11});
  const lowered::Run run = code.run();
  EXPECT_EQ(run.end, lowered::Run::End::CheckFailed);
  EXPECT_THAT(run.complaint, HasSubstr("Input buffer in"));
}

TEST_F(Interpret, ScalarsAreArguments) {
  Halide::Param<float> scale("scale");
  Func out("scaled");
  out(x) = cast<float>(x) * scale;
  out.gpu_tile(x, xo, xi, 8);
  LoweredCode code(out, {20});
  code.scalars.emplace("scale", 2.5f);
  expectClean(code.run());
  const Halide::Buffer<float> found = code.output();
  EXPECT_EQ(found(19), 19 * 2.5f);
}

} // namespace
} // namespace tessera::halide::testing
