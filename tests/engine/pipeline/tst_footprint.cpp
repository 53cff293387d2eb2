// SPDX-License-Identifier: MIT
#include "engine/pipeline/footprint.h"
#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tessera::pipeline {
namespace {

using test::sketch;

std::vector<FuncId> allFuncs(const Pipeline &pipeline) {
  std::vector<FuncId> funcs;
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f)
    funcs.push_back(FuncId{f});
  return funcs;
}

std::map<std::string, Box> boxes(const Pipeline &pipeline, const FootprintPlan &plan,
                                 const Box &tile) {
  std::vector<Interval> flat(plan.boxDims());
  plan.evaluate(tile, flat);
  std::map<std::string, Box> named;
  for (const FootprintPlan::Entry &entry : plan.entries())
    named[pipeline.producerName(entry.producer)] =
        Box(flat.begin() + entry.firstDim, flat.begin() + entry.firstDim + entry.dims);
  return named;
}

std::map<std::string, Box> boxesOfAll(const Pipeline &pipeline, const Box &tile) {
  const FootprintPlan plan(pipeline, allFuncs(pipeline), pipeline.outputs()[0].func);
  return boxes(pipeline, plan, tile);
}

TEST(Footprint, GrowsThroughAStencilChain) {
  const PipelinePtr p = sketch("input in 68 68\n"
                               "func a(x y) 68 66 = in(x; y+[0,2])\n"
                               "func b(x y) 66 64 = a(x+[0,2]; y+[0,2])\n"
                               "output b\n");
  const auto found = boxesOfAll(*p, {{8, 15}, {0, 7}});
  EXPECT_EQ(found.at("b"), (Box{{8, 15}, {0, 7}}));
  EXPECT_EQ(found.at("a"), (Box{{8, 17}, {0, 9}}));
  EXPECT_EQ(found.at("in"), (Box{{8, 17}, {0, 11}}));
}

TEST(Footprint, IsTheHullOverAllConsumers) {
  const PipelinePtr p = sketch("input in 99\n"
                               "func a(x) 99 = in(x)\n"
                               "func b(x) 32 = a(x+5)\n"
                               "func c(x) 32 = a(x-5) b(x)\n"
                               "output c\n");
  EXPECT_EQ(boxesOfAll(*p, {{10, 13}}).at("a"), (Box{{5, 18}}));
}

TEST(Footprint, HalvesAndDoublesThroughAPyramid) {
  const PipelinePtr p = sketch("input in 256\n"
                               "func down(x) 128 = in(2*x+[-1,2])\n"
                               "func up(x) 256 = down(x/2+[0,1])\n"
                               "output up\n");
  EXPECT_EQ(boxesOfAll(*p, {{16, 31}}).at("down"), (Box{{8, 16}}));
  EXPECT_EQ(boxesOfAll(*p, {{16, 31}}).at("in"), (Box{{15, 34}}));
}

TEST(Footprint, ReductionsReachOverTheirDomain) {
  const PipelinePtr p = sketch("input a 1024 1024\n"
                               "input b 1024 1024\n"
                               "func c(x y) 1024 1024 = \n"
                               "update c(x y) k:0:1024 = c(x; y) a(x; k) b(k; y)\n"
                               "output c\n");
  const auto found = boxesOfAll(*p, {{32, 63}, {0, 15}});
  EXPECT_EQ(found.at("a"), (Box{{32, 63}, {0, 1023}}));
  EXPECT_EQ(found.at("b"), (Box{{0, 1023}, {0, 15}}));
}

TEST(Footprint, UpdatesWidenWhatEarlierStagesFill) {
  const PipelinePtr p = sketch("input in 64\n"
                               "func scan(x) 64 = in(x)\n"
                               "update scan(r) r:1:63 = scan(r-1) in(r)\n"
                               "func out(x) 64 = scan(x)\n"
                               "output out\n");
  const auto found = boxesOfAll(*p, {{40, 47}});
  EXPECT_EQ(found.at("scan"), (Box{{0, 63}})) << "the scan needs all of it, whoever asks";
  EXPECT_EQ(found.at("in"), (Box{{0, 63}}));
}

TEST(Footprint, DataDependentLoadsNeedTheWholeProducer) {
  const PipelinePtr p = sketch("input in 64\n"
                               "func table(x) 256 = \n"
                               "func out(x) 64 = table(?) in(x)\n"
                               "output out\n");
  EXPECT_EQ(boxesOfAll(*p, {{3, 4}}).at("table"), (Box{{0, 255}}));
}

TEST(Footprint, OfAPartReadsTheRestFromOutside) {
  const PipelinePtr p = sketch("input in 99\n"
                               "func a(x) 99 = in(x)\n"
                               "func b(x) 99 = a(x+[-1,1])\n"
                               "func c(x) 99 = b(x+[-1,1])\n"
                               "output c\n");
  const std::vector<FuncId> members{FuncId{1}, FuncId{2}};
  const FootprintPlan plan(*p, members, FuncId{2});
  const auto found = boxes(*p, plan, {{10, 19}});
  EXPECT_EQ(found.at("a"), (Box{{8, 21}}));
  EXPECT_FALSE(found.contains("in"));
  EXPECT_TRUE(plan.entries()[1].member);
  EXPECT_FALSE(plan.entries()[2].member);
}

TEST(Footprint, AgreesWithItsEdgesOnASingleStep) {
  const PipelinePtr p = sketch("input in 99 99\n"
                               "func a(x y) 99 99 = in(clamp(x+[-2,2],0,98); 2*y/3+1)\n"
                               "output a\n");
  const Box tile{{0, 5}, {7, 9}};
  EXPECT_EQ(footprint(p->edge(EdgeId{0}), tile), boxesOfAll(*p, tile).at("in"));
}

TEST(Footprint, AMemberThatNobodyNeedsStaysEmpty) {
  const PipelinePtr p = sketch("input in 99\n"
                               "func lonely(x) 99 = in(x)\n"
                               "func out(x) 99 = in(x+1)\n"
                               "output lonely\n"
                               "output out\n");
  const std::vector<FuncId> members{FuncId{0}, FuncId{1}};
  const auto found = boxes(*p, FootprintPlan(*p, members, FuncId{1}), {{0, 3}});
  EXPECT_TRUE(found.at("lonely")[0].empty());
  EXPECT_EQ(found.at("in"), (Box{{1, 4}}));
}

} // namespace
} // namespace tessera::pipeline
