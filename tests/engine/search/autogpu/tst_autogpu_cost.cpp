// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_cost.h"

#include "engine/machine/machine_json.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::search {
namespace {

using machine::Machine;
using pipeline::FuncId;
using pipeline::InputId;
using pipeline::PipelinePtr;
using pipeline::Producer;
using testing::ElementsAre;

Machine shipped(const std::string &name) {
  std::stringstream text;
  text << std::ifstream(tessera::test::sourcePath("resources/machines/" + name + ".json")).rdbuf();
  auto machine = machine::machineFromJson(text.str(), name);
  if (!machine) throw std::runtime_error(machine.error().message);
  return *machine;
}

// The pipeline of the paper's figures 2 to 4, shifted so that regions begin at 0. Every stage has
// one addition besides its loads.
constexpr FuncId kH{0}, kK{1}, kW{2}, kZ{3};
constexpr std::string_view kPipelineOfFigure4 = R"(
  input e 1538 2564
  func h(x y) 1536 2564 = e(x; y)
  func k(x y c) 1536 2564 3 = e(x; y) e(x+1; y) e(x+2; y)
  func w(x y) 1536 2564 = k(x; y; 0) k(x; y; 1) k(x; y; 2) h(x; y)
  func z(x y) 1536 2560 = w(x; y) w(x; y+1) w(x; y+2) w(x; y+3) w(x; y+4)
  output z
)";
PipelinePtr figure4() { return pipeline::test::sketch(kPipelineOfFigure4); }

AutoGpuGroup kwz(std::int64_t x, std::int64_t y, bool threadsInY = true) {
  return {kZ, {kZ, kW, kK}, {kH}, {x, y}, {true, threadsInY}};
}

// A tile of 32 × 12. For it, section 3 of the paper says: 32 × 16 threads, 2048 bytes for W.
//
//   what        in a tile   points × operations and loads        bytes loaded
//   z           32 × 12      384 × (1 + 5)           = 2304      of w   5 · 4 ·  384 = 7680
//   w with h    32 × 16      512 × (1 + 1 + 3 + 1)   = 3072      of k   3 · 4 ·  512 = 6144
//                                                                of e   1 · 1 ·  512 =  512
//   k           32 × 16 × 3 1536 × (1 + 3)           = 6144      of e   3 · 1 · 1536 = 4608
//   e           34 × 16: 34 bytes in a row
//
//   tiles       1536 / 32 = 48 by ⌈2560 / 12⌉ = 214: 10272
//   footprint   w 512 · 4 = 2048, k 1536 · 4 = 6144: 8192 bytes
constexpr double kTiles = 48 * 214;

// In the paper, a transaction with global memory costs 40. A transaction with shared memory costs
// less, by the ratio of the latencies.
double sharedPrice(const Machine &machine) {
  return 40 * machine.memory.sharedLatency / machine.memory.dramLatency;
}
double memoryOfTile(const Machine &machine) {
  return (7680 + 6144) * sharedPrice(machine) / 128 + (512 + 4608) * 40. / 34;
}

TEST(AutoGpuCost, CountsLoadsLineByLine) {
  const Machine turing = shipped("rtx-2080-ti");
  const AutoGpuCost cost = autoGpuCost(*figure4(), kwz(32, 12), turing, AutoGpuPhase::Grouping);
  ASSERT_EQ(cost.loads.size(), 3U);
  // Line 6 of the paper's listing: loads from members count full transactions.
  EXPECT_EQ(cost.loads[0].producer, Producer::func(kW));
  EXPECT_TRUE(cost.loads[0].shared);
  EXPECT_EQ(cost.loads[0].bytes, 7680);
  EXPECT_EQ(cost.loads[0].consecutiveBytes, 128);
  EXPECT_DOUBLE_EQ(cost.loads[0].cost, 7680. / 128 * 40 * 19 / 440); // = 103.64
  EXPECT_EQ(cost.loads[1].producer, Producer::func(kK));
  EXPECT_EQ(cost.loads[1].bytes, 6144);
  EXPECT_DOUBLE_EQ(cost.loads[1].cost, 6144. / 128 * 40 * 19 / 440); // = 82.91
  // Line 4: loads from inputs count by the consecutive bytes.
  EXPECT_EQ(cost.loads[2].producer, Producer::input(InputId{0}));
  EXPECT_FALSE(cost.loads[2].shared);
  EXPECT_EQ(cost.loads[2].bytes, 5120);
  EXPECT_EQ(cost.loads[2].consecutiveBytes, 34);
  EXPECT_DOUBLE_EQ(cost.loads[2].cost, 5120. / 34 * 40); // = 6023.53
  // Line 7: the footprint.
  EXPECT_EQ(cost.footprintBytes, 8192);
  EXPECT_EQ(cost.tiles, kTiles);
  EXPECT_DOUBLE_EQ(cost.memory, kTiles * memoryOfTile(turing));
}

// The same pipeline, all in floats. What the authors' code makes of it: "members 13,824, inputs
// 36,980 (ratio 0.37)"; by our reading of the paper "187 to 6,400 (0.029)".
struct Memory {
  double members = 0, inputs = 0, stores = 0;
};
Memory memoryOfFloats(const std::vector<std::pair<std::string, std::string>> &given) {
  pipeline::PipelineParts parts = pipeline::test::sketchParts(kPipelineOfFigure4);
  parts.inputs[0].type = pipeline::ScalarType{pipeline::TypeKind::Float, 32};
  const auto floats = pipeline::Pipeline::create(std::move(parts));
  const auto values = parameterValues(autoGpuTable(), "autogpu", given);
  if (!floats || !values) throw std::runtime_error("no such pipeline or parameters");
  const AutoGpuCost cost = autoGpuCost(**floats, kwz(32, 12), shipped("rtx-2080-ti"),
                                       AutoGpuPhase::Grouping, autoGpuParameters(*values));
  Memory memory{.stores = cost.stores / kTiles};
  for (const AutoGpuLoads &loads : cost.loads)
    (loads.shared ? memory.members : memory.inputs) += loads.cost;
  EXPECT_NEAR(cost.memory, kTiles * (memory.members + memory.inputs + memory.stores),
              1e-9 * cost.memory);
  return memory;
}

TEST(AutoGpuCost, PricesLoadsAsThePaperOrAsItsAuthorsCode) {
  const Memory paper = memoryOfFloats({});
  EXPECT_NEAR(paper.members, 186.55, .01); // (7680 + 6144) / 128 · 40 · 19 / 440
  EXPECT_NEAR(paper.inputs, 6400, .01);    // 20,480 / 128 · 40
  EXPECT_EQ(paper.stores, 0);
  // A byte of a member costs 1. Of e, a tile needs 34 · 16 · 4 = 2176 bytes and loads 20,480; the
  // whole has 15.8 MB, so its bytes cost 200, and those of the footprint 1 + 2176 · 200 / 65,536 =
  // 7.64. (2176 · 200 + 20,480 · 7.64) / min(32, 64 / 4) = 36,980.
  const Memory artifact = memoryOfFloats({{"PRESET", "artifact"}});
  EXPECT_EQ(artifact.members, 13824);
  EXPECT_NEAR(artifact.inputs, 36980, .5);
  EXPECT_NEAR(artifact.members / artifact.inputs, .37, .005);
}

TEST(AutoGpuCost, HasEachPriceAsAnOptionOfItsOwn) {
  // SHARED_COST and L2_COST are the most that a byte costs.
  EXPECT_EQ(memoryOfFloats({{"LOADS", "artifact"}, {"SHARED_COST", "0"}}).members, 0);
  // (2176 + 20,480) / 32 elements in a row of 34, or 16 of the tile.
  EXPECT_NEAR(memoryOfFloats({{"LOADS", "artifact"}, {"L2_COST", "1"}}).inputs, 22656. / 32, .01);
  EXPECT_NEAR(
      memoryOfFloats({{"LOADS", "artifact"}, {"COALESCING", "artifact"}, {"L2_COST", "1"}}).inputs,
      22656. / 16, .01);
  // D2 alone: 64 bytes share a transaction instead of 128.
  EXPECT_NEAR(memoryOfFloats({{"COALESCING", "artifact"}}).inputs, 12800, .01);
}

TEST(AutoGpuCost, CountsStoresIfAskedFor) {
  // Of w 2048 bytes and of k 6144, in shared memory; of z 1536 in a row.
  const Memory paper = memoryOfFloats({{"STORES", "counted"}});
  EXPECT_NEAR(paper.stores, 8192. / 128 * 40 * 19 / 440 + 1536. / 128 * 40, .01);
  const Memory artifact = memoryOfFloats({{"PRESET", "artifact"}, {"STORES", "counted"}});
  EXPECT_NEAR(artifact.stores, 8192 + 1536 * (200 + 1 + 1536 * 200. / 65536) / 16, .01);
  EXPECT_EQ(artifact.members, 13824);
}

TEST(AutoGpuCost, CountsStagesLineByLineOnAnRtx2080Ti) {
  const Machine turing = shipped("rtx-2080-ti");
  const AutoGpuCost cost = autoGpuCost(*figure4(), kwz(32, 12), turing, AutoGpuPhase::Grouping);
  EXPECT_TRUE(cost.valid) << cost.whyNot;
  // Lines 10 to 12 and 25: z has 32 × 12 threads, w and k have 32 × 16.
  EXPECT_THAT(cost.threadBlock, ElementsAre(32, 16));
  EXPECT_EQ(cost.threads, 512);
  ASSERT_EQ(cost.stages.size(), 3U);
  const auto &[z, w, k] = std::tie(cost.stages[0], cost.stages[1], cost.stages[2]);
  // Line 26, with 64 registers: 32 warps fit by threads and by registers. z has 12 warps per block,
  // so 2 blocks fill 24 of 32 warps. w and k have 16 warps per block, so 2 blocks fill all.
  EXPECT_EQ(z.threads, 384);
  EXPECT_EQ(z.occupancy, .75);
  EXPECT_EQ(z.activeThreads, 768);
  EXPECT_EQ(z.activeSms, 68);
  EXPECT_EQ(w.threads, 512);
  EXPECT_EQ(w.occupancy, 1);
  EXPECT_EQ(w.activeThreads, 1024);
  EXPECT_EQ(k.threads, 512);
  EXPECT_EQ(k.occupancy, 1);
  EXPECT_EQ(k.activeThreads, 1024);
  // Line 30: the arithmetic cost.
  EXPECT_EQ(z.operations, 2304);
  EXPECT_EQ(z.cost, 4); // 2304 / (0.75 · 768)
  EXPECT_EQ(w.operations, 3072);
  EXPECT_EQ(w.cost, 3); // 3072 / 1024
  EXPECT_EQ(k.operations, 6144);
  EXPECT_EQ(k.cost, 6); // 6144 / 1024
  EXPECT_EQ(cost.arithmetic, kTiles * 13);
  // Lines 31 to 33: the group has the smallest values of all its stages.
  EXPECT_EQ(cost.occupancy, .75);
  EXPECT_EQ(cost.activeThreads, 768);
  EXPECT_EQ(cost.activeSms, 68);
  EXPECT_DOUBLE_EQ(cost.total, kTiles * (13 + memoryOfTile(turing)));
}

TEST(AutoGpuCost, CountsStagesLineByLineOnAnH200) {
  const Machine hopper = shipped("h200");
  const AutoGpuCost cost = autoGpuCost(*figure4(), kwz(32, 12), hopper, AutoGpuPhase::Grouping);
  EXPECT_TRUE(cost.valid) << cost.whyNot;
  // An H200 has room for 64 warps by threads, twice as many as the RTX 2080 Ti, but only for 32 by
  // registers. So the same number of resident warps is half the occupancy.
  ASSERT_EQ(cost.stages.size(), 3U);
  EXPECT_EQ(cost.stages[0].occupancy, .375);
  EXPECT_EQ(cost.stages[0].activeThreads, 768);
  EXPECT_EQ(cost.stages[0].cost, 8); // 2304 / (0.375 · 768)
  EXPECT_EQ(cost.stages[1].occupancy, .5);
  EXPECT_EQ(cost.stages[1].cost, 6);  // 3072 / 512
  EXPECT_EQ(cost.stages[2].cost, 12); // 6144 / 512
  EXPECT_EQ(cost.arithmetic, kTiles * 26);
  EXPECT_EQ(cost.activeSms, 132);
  EXPECT_DOUBLE_EQ(cost.total, kTiles * (26 + memoryOfTile(hopper)));
}

TEST(AutoGpuCost, ScalesMemoryForTheFinalTilesOnly) { // line 39 of the listing
  for (const char *name : {"rtx-2080-ti", "h200"}) {
    const Machine machine = shipped(name);
    const AutoGpuCost cost =
        autoGpuCost(*figure4(), kwz(32, 12), machine, AutoGpuPhase::FinalTiles);
    EXPECT_TRUE(cost.valid) << cost.whyNot;
    EXPECT_DOUBLE_EQ(cost.memory, kTiles * memoryOfTile(machine));
    EXPECT_DOUBLE_EQ(cost.total,
                     cost.arithmetic + cost.memory / (cost.occupancy * cost.activeThreads));
  }
}

// Lines 10 to 12 of the listing.
TEST(AutoGpuCost, AStageAloneHasTheThreadsOfItsTileAndNoSharedMemory) {
  const Machine turing = shipped("rtx-2080-ti");
  const AutoGpuGroup alone{kZ, {kZ}, {}, {64, 8}, {true, true}};
  const AutoGpuCost cost = autoGpuCost(*figure4(), alone, turing, AutoGpuPhase::FinalTiles);
  EXPECT_TRUE(cost.valid) << cost.whyNot;
  EXPECT_THAT(cost.threadBlock, ElementsAre(64, 8));
  EXPECT_EQ(cost.footprintBytes, 0);
  // w is in another group, so it is read from global memory. Its 64 · 4 consecutive bytes are two
  // transactions of 128 bytes.
  ASSERT_EQ(cost.loads.size(), 1U);
  EXPECT_FALSE(cost.loads[0].shared);
  EXPECT_EQ(cost.loads[0].consecutiveBytes, 128);
  EXPECT_DOUBLE_EQ(cost.loads[0].cost, 64. * 8 * 5 * 4 / 128 * 40);
}

TEST(AutoGpuCost, ReadsOnInTheNextRowWhereATileReadsTheWholeRow) {
  const PipelinePtr p = pipeline::test::sketch(R"(
    input rgb 3 2048 2048
    func grey(x y) 2048 2048 = rgb(0; x; y) rgb(1; x; y) rgb(2; x; y)
    func red(x y) 2048 2048 = rgb(0; x; y)
    output grey
    output red
  )");
  const Machine turing = shipped("rtx-2080-ti");
  const auto consecutive = [&](FuncId func) {
    const AutoGpuGroup alone{func, {func}, {}, {32, 8}, {true, true}};
    return autoGpuCost(*p, alone, turing, AutoGpuPhase::FinalTiles).loads.at(0).consecutiveBytes;
  };
  EXPECT_EQ(consecutive(FuncId{0}), 96);
  EXPECT_EQ(consecutive(FuncId{1}), 1);
}

TEST(AutoGpuCost, CountsUpdatesAndWhatTheyReadOfTheirOwn) {
  const PipelinePtr p = pipeline::test::sketch(R"(
    input a 1024 1024
    func c(x y) 1024 1024 sine = a(x; y)
    update c(x y) r:0:1024 = c(x; y) a(r; y)
    output c
  )");
  const Machine turing = shipped("rtx-2080-ti");
  const AutoGpuGroup alone{FuncId{0}, {FuncId{0}}, {}, {32, 8}, {true, true}};
  const AutoGpuCost cost = autoGpuCost(*p, alone, turing, AutoGpuPhase::FinalTiles);
  EXPECT_TRUE(cost.valid) << cost.whyNot;
  ASSERT_EQ(cost.stages.size(), 2U);
  EXPECT_EQ(cost.stages[0].operations, 256 * (1 + 10 + 1)); // a sine counts as 10
  EXPECT_EQ(cost.stages[1].operations, 256 * 1024 * (1 + 2));
  EXPECT_EQ(cost.stages[1].threads, 256);
  // The output is in global memory, even for the loads of its own update.
  ASSERT_EQ(cost.loads.size(), 2U);
  EXPECT_FALSE(cost.loads[0].shared);
  EXPECT_EQ(cost.loads[0].bytes, 256 * 1024 * 4);
  EXPECT_EQ(cost.loads[0].consecutiveBytes, 128);
  EXPECT_EQ(cost.loads[1].bytes, 256 * 1 + 256 * 1024 * 1);
  EXPECT_EQ(cost.footprintBytes, 0);
}

TEST(AutoGpuCost, TakesAnInputWithoutEstimatesAsReadAnywhere) {
  pipeline::PipelineParts parts = pipeline::test::sketchParts(R"(
    input table 256
    input in 1024 1024
    func out(x y) 1024 1024 = table(?) in(x; y)
    output out
  )");
  parts.inputs[0].dims[0] = {};
  parts.inputs[0].dims[0].range = pipeline::kEverything;
  const auto p = pipeline::Pipeline::create(std::move(parts));
  ASSERT_TRUE(p) << p.error().message;
  const AutoGpuGroup alone{FuncId{0}, {FuncId{0}}, {}, {32, 8}, {true, true}};
  const AutoGpuCost cost = autoGpuCost(**p, alone, shipped("h200"), AutoGpuPhase::FinalTiles);
  EXPECT_TRUE(cost.valid) << cost.whyNot;
  ASSERT_EQ(cost.loads.size(), 2U);
  EXPECT_EQ(cost.loads[0].bytes, 256);
  EXPECT_EQ(cost.loads[0].consecutiveBytes, 128);
}

TEST(AutoGpuCost, FindsThreadDimensionsByNameElseByPosition) { // line 21 of the listing
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 1024 1024 3
    func swapped(c y x) 3 1024 1024 = in(x; y; c)
    func other(u v) 1024 1026 = swapped(0; v; u) swapped(1; v; u) swapped(2; v; u)
    func out(x y) 1024 1024 = other(x; y) other(x; y+2)
    output out
  )");
  const Machine turing = shipped("rtx-2080-ti");
  const AutoGpuGroup all{FuncId{2}, {FuncId{0}, FuncId{1}, FuncId{2}}, {}, {32, 6}, {true, true}};
  const AutoGpuCost cost = autoGpuCost(*p, all, turing, AutoGpuPhase::FinalTiles);
  EXPECT_TRUE(cost.valid) << cost.whyNot;
  EXPECT_THAT(cost.threadBlock, ElementsAre(32, 8));
  ASSERT_EQ(cost.stages.size(), 3U);
  EXPECT_EQ(cost.stages[0].threads, 32 * 6);
  EXPECT_EQ(cost.stages[1].threads, 32 * 8);
  EXPECT_EQ(cost.stages[2].threads, 32 * 8); // and a serial loop of three iterations over c
}

TEST(AutoGpuCost, ABlockHasTheThreadsOfItsLongestSides) { // lines 25 and 34 of the listing
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 1024 1024
    func wide(x y) 1024 1016 = in(x; y)
    func tall(x y) 1016 1024 = in(x; y)
    func out(x y) 1016 1016 = wide(x; y) wide(x+8; y) tall(x; y) tall(x; y+8)
    output out
  )");
  const AutoGpuGroup all{FuncId{2}, {FuncId{0}, FuncId{1}, FuncId{2}}, {}, {24, 8}, {true, true}};
  const AutoGpuCost cost = autoGpuCost(*p, all, shipped("h200"), AutoGpuPhase::FinalTiles);
  ASSERT_EQ(cost.stages.size(), 3U);
  EXPECT_EQ(cost.stages[1].threads, 24 * 16);
  EXPECT_EQ(cost.stages[2].threads, 32 * 8);
  EXPECT_THAT(cost.threadBlock, ElementsAre(32, 16));
  EXPECT_EQ(cost.threads, 512);
}

std::string_view whyNot(const PipelinePtr &p, const AutoGpuGroup &group, const std::string &machine,
                        AutoGpuPhase phase = AutoGpuPhase::FinalTiles) {
  const AutoGpuCost cost = autoGpuCost(*p, group, shipped(machine), phase);
  EXPECT_EQ(cost.valid, cost.whyNot.empty());
  EXPECT_EQ(std::isinf(cost.total), !cost.valid);
  return cost.whyNot;
}

TEST(AutoGpuCost, RejectsWhatCannotBeLaunched) { // lines 36 and 37 of the listing
  // w needs 32 × (60 + 4) threads.
  EXPECT_EQ(whyNot(figure4(), kwz(32, 60), "h200"), "more threads than a block may have");
  // w and k need 32 × (160 + 4) × (1 + 3) · 4 bytes: 83,968 of 49,152.
  EXPECT_EQ(whyNot(figure4(), kwz(32, 160, false), "h200"),
            "more shared memory than a block may have");
  // The footprint is exactly 49,152: 32 × (92 + 4) × 4 · 4. On this machine, only one block fits.
  // It has one warp, and there is room for 32 warps.
  EXPECT_EQ(whyNot(figure4(), kwz(32, 92, false), "rtx-2080-ti"), "occupancy below the threshold");
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 64 64 1024
    func deep(x y z) 64 64 1024 = in(x; y; z)
    func four(x y z w) 64 64 64 64 = in(x; y; z)
    output deep
    output four
  )");
  const AutoGpuGroup deep{FuncId{0}, {FuncId{0}}, {}, {1, 8, 128}, {true, true, true}};
  EXPECT_EQ(whyNot(p, deep, "h200"), "more threads along a dimension than a block may have");
  const AutoGpuGroup four{FuncId{1}, {FuncId{1}}, {}, {8, 8, 2, 2}, {true, true, true, true}};
  EXPECT_EQ(whyNot(p, four, "h200"), "more than three dimensions of threads");
}

TEST(AutoGpuCost, RejectsAnOccupancyBelowTheThreshold) { // line 28 of the listing
  // The blocks have one warp each. With a footprint of 38,912 bytes, 5 blocks fit on an H200 (5 of
  // 64 warps) and 1 on an RTX 2080 Ti (1 of 32).
  EXPECT_EQ(whyNot(figure4(), kwz(32, 72, false), "h200"), "occupancy below the threshold");
  EXPECT_EQ(whyNot(figure4(), kwz(32, 72, false), "rtx-2080-ti"), "occupancy below the threshold");
  // With 12,288 bytes, 17 blocks fit on the H200 and 5 on the RTX 2080 Ti.
  EXPECT_EQ(whyNot(figure4(), kwz(32, 20, false), "h200"), "");
  EXPECT_EQ(whyNot(figure4(), kwz(32, 20, false), "rtx-2080-ti"), "");
}

TEST(AutoGpuCost, WantsABlockForEachMultiprocessor) { // lines 33 and 36 of the listing
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 256 256
    func out(x y) 256 256 = in(x; y)
    output out
  )");
  const AutoGpuGroup group{FuncId{0}, {FuncId{0}}, {}, {32, 32}, {true, true}}; // 64 blocks
  EXPECT_EQ(whyNot(p, group, "rtx-2080-ti"), "fewer blocks than multiprocessors");
  EXPECT_EQ(whyNot(p, group, "jetson-agx-xavier"), ""); // a Xavier has 8 multiprocessors
}

// The authors' code: min(SMs, min(blocks / resident, resident) · SMs).
TEST(AutoGpuCost, CountsActiveMultiprocessorsByResidentBlocksIfAskedFor) {
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 256 256
    func out(x y) 256 256 = in(x; y)
    output out
  )");
  const auto active = [&](std::int64_t x, std::int64_t y) {
    AutoGpuParameters parameters;
    parameters.activeSms = AutoGpuReading::Artifact;
    return autoGpuCost(*p, {FuncId{0}, {FuncId{0}}, {}, {x, y}, {true, true}},
                       shipped("rtx-2080-ti"), AutoGpuPhase::FinalTiles, parameters)
        .activeSms;
  };
  EXPECT_EQ(active(32, 8), 68);  // 256 blocks, of which 4 fit on a multiprocessor
  EXPECT_EQ(active(32, 32), 68); // 64 blocks, one fits: more than there are blocks
  EXPECT_EQ(active(8, 256), 0);  // it cannot be launched
  EXPECT_EQ(active(256, 4), 68);
  EXPECT_EQ(active(128, 1), 68); // 512 blocks, 8 fit
}

TEST(AutoGpuCost, AsksForMoreOfSmallGroupsIfAskedFor) {
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 1024 1024
    func out(x y) 1024 1024 = in(x; y)
    output out
  )");
  const auto whyNot = [&](AutoGpuParameters parameters) {
    // 4 threads a block; 16 blocks fit, each with one of 32 warps.
    return autoGpuCost(*p, {FuncId{0}, {FuncId{0}}, {}, {4, 1}, {true, true}},
                       shipped("rtx-2080-ti"), AutoGpuPhase::Grouping, parameters)
        .whyNot;
  };
  AutoGpuParameters parameters;
  EXPECT_EQ(whyNot(parameters), "");
  parameters.smallGroupOccupancy = .6;
  EXPECT_EQ(whyNot(parameters), "occupancy below the threshold");
  parameters = {};
  parameters.leastThreads = 16;
  EXPECT_EQ(whyNot(parameters), "fewer threads of a func than asked for");
}

// Halide's scheduler inlines by points: operations and loads, without threads.
TEST(AutoGpuCost, HasCostsWithoutTiles) {
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 1026 1024
    func sum(x y) 1024 1024 = in(x; y) in(x+1; y) in(x+2; y)
    func out(x y) 1024 1024 = sum(x; y) sum(x; y)
    output out
  )");
  const auto perPoint = [&](const AutoGpuGroup &group, const AutoGpuParameters &parameters) {
    return autoGpuUntiledCost(*p, group, shipped("h200"), parameters) / (1024. * 1024);
  };
  const AutoGpuGroup sum{FuncId{0}, {FuncId{0}}, {}, {}, {}};
  const AutoGpuGroup both{FuncId{1}, {FuncId{1}}, {FuncId{0}}, {}, {}};
  AutoGpuParameters parameters;
  EXPECT_EQ(perPoint(sum, parameters), 1 + 3 + 3 * 40); // an addition, loads, their cost
  parameters.loads = AutoGpuReading::Artifact;
  EXPECT_EQ(perPoint(sum, parameters), 1 + 3 + 3 * 200); // bytes of a large buffer
  parameters.stores = AutoGpuStores::Counted;
  EXPECT_EQ(perPoint(sum, parameters), 1 + 3 + 3 * 200 + 4 * 200);
  EXPECT_EQ(perPoint(both, parameters), 1 + 2 * (1 + 3 + 3 * 200) + 4 * 200);
}

TEST(AutoGpuCost, WantsWholeWarpsOfFinalTilesOnly) { // line 36 of the listing
  const PipelinePtr p = pipeline::test::sketch(R"(
    input in 2050 2050
    func a(x y) 2050 2050 = in(x; y)
    func b(x y) 2048 2048 = a(x; y) a(x+1; y+1) a(x+2; y+2)
    output b
  )");
  const AutoGpuGroup group{
      FuncId{1}, {FuncId{0}, FuncId{1}}, {}, {16, 16}, {true, true}}; // regions of 18 × 18
  EXPECT_EQ(whyNot(p, group, "h200", AutoGpuPhase::Grouping), "");
  EXPECT_EQ(whyNot(p, group, "h200", AutoGpuPhase::FinalTiles),
            "the threads are not a multiple of a warp");
}

TEST(AutoGpuCost, MergesPayWhereTheySaveGlobalMemory) {
  const Machine turing = shipped("rtx-2080-ti");
  const auto total = [&](const AutoGpuGroup &group) {
    const AutoGpuCost cost = autoGpuCost(*figure4(), group, turing, AutoGpuPhase::Grouping);
    EXPECT_TRUE(cost.valid) << cost.whyNot;
    return cost.total;
  };
  const double alone = total({kZ, {kZ}, {}, {128, 4}, {true, true}}) +
                       total({kW, {kW}, {kH}, {128, 4}, {true, true}});
  EXPECT_LT(total({kZ, {kZ, kW}, {kH}, {128, 4}, {true, true}}), alone);
}

TEST(AutoGpuTiles, TilesWhatIsLongElseTheLongest) {
  const auto tiled = [](std::vector<std::int64_t> extents) { return autoGpuTiledDims(extents); };
  EXPECT_THAT(tiled({1536, 2560, 3}), ElementsAre(true, true, false));
  EXPECT_THAT(tiled({64, 63}), ElementsAre(true, false));
  EXPECT_THAT(tiled({12, 40, 3}), ElementsAre(false, true, false));
  EXPECT_THAT(tiled({40, 40}), ElementsAre(true, false));
  EXPECT_THAT(tiled({}), ElementsAre());
}

// dims_to_tile of the authors' code: the first dimension, and the longest above 16 (or above 8).
TEST(AutoGpuTiles, TilesTheFirstAndTheLongestIfAskedFor) {
  const auto tiled = [](std::vector<std::int64_t> extents) {
    return autoGpuTiledDims(extents, AutoGpuReading::Artifact);
  };
  EXPECT_THAT(tiled({1536, 2560, 3, 32}), ElementsAre(true, true, false, true));
  EXPECT_THAT(tiled({4, 64, 32, 128}), ElementsAre(true, true, false, true));
  EXPECT_THAT(tiled({12, 10, 3}), ElementsAre(true, true, false));
  EXPECT_THAT(tiled({3, 8}), ElementsAre(true, false));
  EXPECT_THAT(tiled({}), ElementsAre());
}

TEST(AutoGpuTiles, MayHaveACeiling) {
  EXPECT_THAT(autoGpuTileSizes(512, 2, AutoGpuPhase::Grouping, 32), ElementsAre(8, 16, 32));
  EXPECT_THAT(autoGpuTileSizes(512, 2, AutoGpuPhase::Grouping, 2), ElementsAre(8)); // T_min
}

TEST(AutoGpuTiles, ArePowersOfTwoWhileGrouping) {
  const auto sizes = [](std::int64_t extent, int dims) {
    return autoGpuTileSizes(extent, dims, AutoGpuPhase::Grouping);
  };
  EXPECT_THAT(sizes(1536, 2), ElementsAre(8, 16, 32)); // in the range 8 … 48
  EXPECT_THAT(sizes(1536, 1), ElementsAre(8));         // in the range 8 … 12
  EXPECT_THAT(sizes(1024, 1), ElementsAre(8));         // in the range 8 … 8
  EXPECT_THAT(sizes(1024, 2), ElementsAre(8, 16, 32)); // in the range 8 … 32
  EXPECT_THAT(sizes(1023, 1), ElementsAre(8, 16, 32, 64, 128, 256));
  EXPECT_THAT(sizes(64, 2), ElementsAre(8, 16, 32));
  EXPECT_THAT(sizes(63, 1), ElementsAre(2, 4, 8, 16)); // in the range 2 … 31
  EXPECT_THAT(sizes(4, 1), ElementsAre(2));
  EXPECT_THAT(sizes(3, 1), ElementsAre(3)); // the range 2 … 1 is empty, so it is not tiled
}

TEST(AutoGpuTiles, GrowByTwoAtTheEnd) {
  const auto sizes = [](std::int64_t extent, int dims) {
    return autoGpuTileSizes(extent, dims, AutoGpuPhase::FinalTiles);
  };
  EXPECT_THAT(sizes(1536, 1), ElementsAre(8, 10, 12));
  EXPECT_THAT(sizes(1024, 2), ElementsAre(8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32));
  EXPECT_THAT(sizes(64, 1), ElementsAre(8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32));
  EXPECT_THAT(sizes(11, 1), ElementsAre(2, 4)); // in the range 2 … 5
  EXPECT_THAT(sizes(1, 1), ElementsAre(1));
}

} // namespace
} // namespace tessera::search
