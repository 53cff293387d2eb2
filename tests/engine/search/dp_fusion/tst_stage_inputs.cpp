// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/stage_inputs.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace tessera::search {
namespace {

using schedule::Schedule;
using schedule::testing::funcOf;
using ::testing::ElementsAre;

Schedule schedule(std::string_view text) {
  return schedule::defaultSchedule(pipeline::test::sketch(text));
}

const ProducerLoads &of(const std::vector<ProducerLoads> &loads, pipeline::Producer producer) {
  return *std::ranges::find(loads, producer, &ProducerLoads::producer);
}

constexpr pipeline::Producer kInput{pipeline::Producer::Kind::Input, 0};

TEST(StageInputs, FindsStrides) {
  const Schedule one = schedule(R"(
    func image(x y) 4096 1024 = 
    func out(x y) 2000 1000 = image(2*x; y) image(2*x+1; y) image(x/2; y)
    output out
  )");
  const auto loads = loadsOf(one, funcOf(one, "out"));
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads.front().count, 3);
  EXPECT_EQ(loads.front().bytes, 4);
  EXPECT_EQ(loads.front().strides.size(), 2U);
  EXPECT_EQ(loads.front().strides[1], 4096 * 4);
  EXPECT_EQ(loads.front().places, 1);
}

TEST(StageInputs, LooksThroughInlinedFuncs) {
  const Schedule one = schedule(R"(
    input in 128 128
    func edge(x y) 100 100 = in(x+1; y) in(x+2; y)
    func out(x y) 100 100 = edge(x; y)
    output out
  )");
  ASSERT_TRUE(one.plan(funcOf(one, "edge")).isInline());
  EXPECT_THAT(inlinedInto(one, funcOf(one, "out")), ElementsAre(funcOf(one, "edge")));
  const auto loads = loadsOf(one, funcOf(one, "out"));
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads.front().producer, kInput);
  EXPECT_EQ(loads.front().count, 2);
  EXPECT_THAT(loads.front().strides, ElementsAre(1, 128)); // an input has bytes
}

TEST(StageInputs, KnowsWhatDataChoose) {
  const Schedule one = schedule(R"(
    input in 100 100
    func table(i) 256 = 
    func out(x y) 100 100 = table(?) table(0) in(x; y)
    output out
  )");
  const auto loads = loadsOf(one, funcOf(one, "out"));
  const ProducerLoads &table = of(loads, pipeline::Producer::func(funcOf(one, "table")));
  EXPECT_EQ(table.places, 256);
  EXPECT_EQ(table.scattered, 256 * 4);
  EXPECT_EQ(of(loads, kInput).places, 1);
}

// A reduction loads in each of its steps; of a product of 512 steps these are two elements a step.
TEST(StageInputs, CountsTheStepsOfAReduction) {
  const Schedule one = schedule(R"(
    func a(x y) 512 512 = 
    func b(x y) 512 512 = 
    func c(x y) 512 512 = 
    update c(x y) r:0:512 = c(x; y) a(r; y) b(x; r)
    output c
  )");
  const auto loads = loadsOf(one, funcOf(one, "c"));
  EXPECT_EQ(of(loads, pipeline::Producer::func(funcOf(one, "a"))).count, 512);
  EXPECT_THAT(of(loads, pipeline::Producer::func(funcOf(one, "a"))).strides, ElementsAre(0, 2048));
  EXPECT_THAT(of(loads, pipeline::Producer::func(funcOf(one, "b"))).strides, ElementsAre(4, 0));
}

// The instruction model: more work takes longer, a reduction as often as it has steps.
TEST(StageInputs, ModelsTimes) {
  const Schedule one = schedule(R"(
    input in 640 480
    func copy(x y) 640 480 = in(x; y)
    func little(x y) 600 480 = copy(x; y) copy(x+1; y)
    func much(x y) 600 480 sine = copy(x; y) copy(x+1; y) copy(x+2; y) little(x; y) little(x+1; y)
    func sum(x y) 600 480 = 
    update sum(x y) r:0:40 = sum(x; y) much(x; y) copy(x+r; y)
    output sum
  )");
  const machine::Machine machine;
  const StageMeasures measures = modelledMeasures(one, machine);
  const auto seconds = [&](const char *func) { return measures.at(funcOf(one, func)).seconds; };
  EXPECT_GT(seconds("copy") * machine.clockHz, machine.memory.sharedLatency);
  EXPECT_GT(seconds("much"), seconds("little"));
  EXPECT_GT(seconds("sum"), 20 * seconds("little"));
  for (const auto &[func, measure] : measures) {
    EXPECT_GE(measure.registers, 16);
    EXPECT_LE(measure.registers, 255);
  }
}

// Where a kernel has been compiled, its registers are those that ptxas told.
TEST(StageInputs, TakesRegistersOfTheAssembler) {
  const Schedule one = schedule("input in 64 64\nfunc f(x y) 64 64 = in(x; y)\noutput f\n");
  report::KernelReport kernel;
  kernel.stages = {{"f", 0}};
  kernel.assembler.emplace();
  kernel.assembler->registers = 77;
  const auto measures = modelledMeasures(one, {}, std::vector{kernel});
  EXPECT_EQ(measures.at(funcOf(one, "f")).registers, 77);
}

} // namespace
} // namespace tessera::search
