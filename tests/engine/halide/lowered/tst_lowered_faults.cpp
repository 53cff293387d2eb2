// SPDX-License-Identifier: MIT
// What random schedules of random pipelines found in lowered code: the smallest case of each fault
// of Halide, and of what is none.
#include "engine/halide/lowered/interpret.h"
#include "tests/engine/halide/lowered/lowered_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::halide::testing {
namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using lowered::Finding;
using lowered::FindingKind;
using ::testing::HasSubstr;

class LoweredFaults : public ::testing::Test {
protected:
  Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
};

bool has(const lowered::Run &run, FindingKind kind) {
  return std::ranges::any_of(run.findings, [&](const Finding &one) { return one.kind == kind; });
}

std::string said(const lowered::Run &run) {
  std::string text = run.complaint;
  for (const Finding &finding : run.findings)
    text += "\n" + lowered::textOf(finding);
  return text;
}

void expectClean(const lowered::Run &run) {
  EXPECT_EQ(run.end, lowered::Run::End::Done) << run.complaint;
  EXPECT_TRUE(run.findings.empty()) << said(run);
}

// In each iteration of the loop g.part, all threads wait for f. The loop is cut where the guard of
// a thread's rows ends, and that differs between threads. Where the guard is around the loop, it is
// the other way round (tests/campaigns/schedules/LOG.md), so lower() leaves such loops alone.
lowered::Run waitingInACutLoop(bool mayPartition) {
  const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), row("row"), part("part"),
      xp("xp"), xt("xt");
  Func f("f"), g("g"), out("cut");
  f(x, y) = x + y;
  g(x, y) = f(x, y) * 3;
  out(x, y) = g(clamp(x - 1, -50, 700), clamp(y - 3, -50, 500));
  out.split(x, xo, xi, 64, TailStrategy::GuardWithIf)
      .split(y, yo, yi, 8, TailStrategy::GuardWithIf)
      .reorder(xi, yi, xo, yo)
      .gpu_threads(xi, yi)
      .gpu_blocks(xo, yo)
      .never_partition_all();
  g.compute_at(out, xo)
      .split(x, xp, xt, 32, TailStrategy::GuardWithIf)
      .split(y, part, row, 8, TailStrategy::GuardWithIf)
      .reorder(xt, row, xp, part)
      .gpu_threads(xt, row);
  if (!mayPartition) g.never_partition_all();
  f.compute_at(g, part).gpu_threads(x, y);
  return LoweredCode(out, {100, 21}).run();
}

TEST_F(LoweredFaults, ALoopInWhichThreadsWaitIsCutWhereAThreadEnds) {
  const lowered::Run cut = waitingInACutLoop(true);
  EXPECT_TRUE(has(cut, FindingKind::DivergentBarrier)) << said(cut);
  expectClean(waitingInACutLoop(false));
}

// last() takes the memory of first(), which nobody needs any more. Halide reserves it in elements
// of uint32, rounded down, so that the last uint16 of an odd number of them is outside.
lowered::Run sharingMemory(int alignment) {
  const Var x("x"), xo("xo"), xi("xi");
  Halide::ImageParam in(Halide::UInt(16), 1, "in");
  Func first("first"), middle("middle"), last("last"), out("shares");
  first(x) = in(x);
  middle(x) = Halide::cast<std::uint32_t>(first(2 * x)) + first(2 * x + 2);
  last(x) = middle(x) + 1;
  out(x) = last(x);
  out.gpu_tile(x, xo, xi, 16, TailStrategy::GuardWithIf);
  first.compute_at(out, xo).gpu_threads(x).align_storage(x, alignment);
  middle.compute_at(out, xo).gpu_threads(x);
  last.compute_at(out, xo).gpu_threads(x);
  LoweredCode code(out, {32});
  code.inputs.emplace("in", filled(Halide::UInt(16), {80}));
  return code.run();
}

TEST_F(LoweredFaults, MemoryOfTwoWidthsIsRoundedDown) {
  const lowered::Run tooShort = sharingMemory(1);
  EXPECT_TRUE(has(tooShort, FindingKind::Race)) << said(tooShort);
  expectClean(sharingMemory(2));
}

// All threads of the block load the old tuple, and one of them stores the new one. What the others
// load is not used, so they do not race.
TEST_F(LoweredFaults, OldValuesOfATupleThatNobodyUsesAreNoRace) {
  Halide::ImageParam in(Halide::Int(16), 1, "in");
  Func least("least"), out("found");
  const Halide::RDom r(0, 5, "r");
  least(x) = Halide::Tuple(Halide::cast<std::int16_t>(0), Halide::cast<std::int16_t>(32767));
  const Halide::Expr isLess = in(x + r) < least(x)[1];
  least(x) = Halide::Tuple(select(isLess, Halide::cast<std::int16_t>(r), least(x)[0]),
                           min(in(x + r), least(x)[1]));
  out(x) = least(x)[0] + least(x + 1)[1];
  out.gpu_tile(x, xo, xi, 16, TailStrategy::GuardWithIf);
  least.compute_at(out, xo);
  LoweredCode code(out, {32});
  ASSERT_THAT(code.text(), HasSubstr("gpu_thread_barrier"));
  code.inputs.emplace("in", filled(Halide::Int(16), {64}));
  expectClean(code.run());
}

// The values of a tuple that each block keeps in global memory are one allocation, whose shape
// Halide writes with more than one let.
TEST_F(LoweredFaults, TuplesOfABlockInGlobalMemory) {
  Func pair("pair"), out("sums");
  pair(x) = Halide::Tuple(Halide::cast<std::int8_t>(x), Halide::cast<std::int8_t>(x + 1));
  out(x) = Halide::cast<int>(pair(x)[0]) + pair(x + 1)[1];
  out.gpu_tile(x, xo, xi, 16, TailStrategy::GuardWithIf);
  pair.compute_at(out, xo).gpu_threads(x).store_in(Halide::MemoryType::Heap);
  LoweredCode code(out, {37});
  expectClean(code.run());
  const Halide::Buffer<int> found = code.output();
  for (int i = 0; i < 37; ++i)
    EXPECT_EQ(found(i), 2 * i + 2) << i;
}

// Where a check uses an expression twice, its message is a call within a let.
TEST_F(LoweredFaults, AComplaintWithinALetNamesTheInput) {
  Halide::ImageParam in(Halide::Int(32), 1, "in");
  Func out("clamped");
  out(x) = in(clamp(x, 1, 299)) + in(clamp(x + 5, 1, 299));
  out.gpu_tile(x, xo, xi, 8);
  LoweredCode code(out, {40});
  code.inputs.emplace("in", filled(Halide::Int(32), {20}));
  const lowered::Run run = code.run();
  EXPECT_EQ(run.end, lowered::Run::End::CheckFailed);
  EXPECT_THAT(run.complaint, HasSubstr("Input buffer in"));
}

} // namespace
} // namespace tessera::halide::testing
