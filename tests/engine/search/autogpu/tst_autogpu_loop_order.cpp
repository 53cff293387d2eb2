// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_loop_order.h"

#include "engine/search/autogpu/autogpu_nest.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::test::sketch;
using schedule::Schedule;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using testing::ElementsAre;

// The input has bytes, the funcs have floats.
constexpr std::string_view kCopies = R"(
  input in 512 256 3
  func half(x y c) 512 256 3 = in(x; y; c)
  func out(x y c) 512 256 3 = half(x; y; c)
  output out
)";

TEST(AutoGpuLoopOrder, AStrideIsWhatAllLoadsAndTheStoreMove) {
  const Schedule apart(sketch(kCopies));
  const auto stride = [](const Schedule &schedule, std::string_view stage, std::uint16_t loop) {
    return strideAlong(schedule, stageOf(schedule, stage), loop);
  };
  EXPECT_EQ(stride(apart, "half", 0), 1 + 4);
  EXPECT_EQ(stride(apart, "half", 1), 512 * (1 + 4));
  EXPECT_EQ(stride(apart, "half", 2), 512 * 256 * (1 + 4));
  EXPECT_EQ(stride(apart, "out", 0), 4 + 4);
  // Through an inlined func, the input is read instead.
  Schedule inlined = apart;
  schedule::FuncPlan plan = planOf(apart, "half");
  plan.compute = schedule::Place::inlined();
  inlined.set(FuncId{0}, plan);
  EXPECT_EQ(stride(inlined, "out", 1), 512 * (1 + 4));
}

std::vector<std::string> loopsInThread(const AutoGpuForm &form) {
  const auto pipeline = sketch(R"(
    input in 100 100 512 512
    func out(u v x y) 5 5 512 512 = in(v; u; x; y) in(v; u; x; y)
    output out
  )");
  const AutoGpuGroup group{FuncId{0}, {FuncId{0}}, {}, {5, 5, 32, 8}, {false, false, true, true}};
  const auto schedule =
      withOverlappedTiles(Schedule(pipeline), group, AutoGpuTails::Automatic, form);
  std::vector<std::string> names;
  const auto &stage = pipeline->stagesOf(FuncId{0}).front();
  for (const schedule::Loop &loop : planOf(*schedule, "out").stages.front().nest.loops)
    if (loop.kind == schedule::LoopKind::Unrolled || loop.kind == schedule::LoopKind::Serial)
      names.push_back(stage.loops[loop.ref.axis].name);
  return names;
}

// "dimensions not assigned as threads are innermost (ordered based on their stride)". Along u, a
// store moves 4 bytes and two loads move 100 bytes each; along v, 20 and 1.
TEST(AutoGpuLoopOrder, TheSmallestStrideIsInnermostIfAskedFor) {
  AutoGpuForm form;
  form.parameters.longestUnrolled = 1; // loops of one kind
  EXPECT_THAT(loopsInThread(form), ElementsAre("u", "v"));
  form.parameters.loopOrder = AutoGpuLoopOrder::Stride;
  EXPECT_THAT(loopsInThread(form), ElementsAre("v", "u"));
}

TEST(AutoGpuLoopOrder, ReductionsKeepTheirOrder) {
  const auto pipeline = sketch(R"(
    input in 512 16 16
    func sum(x) 512 = 
    update sum(x) r:0:16 s:0:16 = sum(x) in(x; s; r)
    output sum
  )");
  const Schedule schedule(pipeline);
  const auto update = stageOf(schedule, "sum.update(0)");
  schedule::LoopNest nest = schedule.plan(update).nest;
  const auto before = nest.loops;
  orderByStride(schedule, update, nest);
  std::vector<std::string> names;
  for (const schedule::Loop &loop : nest.loops)
    names.push_back(pipeline->stage(update).loops[loop.ref.axis].name);
  EXPECT_THAT(names, ElementsAre("x", "r", "s"));
  EXPECT_EQ(before.size(), nest.loops.size());
}

} // namespace
} // namespace tessera::search
