// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/stage_boxes.h"

#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::Box;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Producer;
using pipeline::StageId;
using pipeline::test::sketch;

Box boxOf(const std::vector<ProducerBox> &boxes, Producer producer) {
  for (const ProducerBox &one : boxes)
    if (one.producer == producer) return one.box;
  return {};
}

// A tile of figure 3 reads a tile of each matrix, and has one of its own.
TEST(StageBoxes, AreThoseOfReductionsToo) {
  const auto product = testing::paperMatMul();
  const pipeline::Stage &update = product->stage(StageId{3});
  std::vector<Interval> loops;
  for (const pipeline::LoopDim &loop : update.loops)
    loops.push_back(loop.argument ? Interval{64, 95} : Interval{128, 135});
  const auto boxes = stageBoxes(*product, StageId{3}, loops, {});
  EXPECT_EQ(boxOf(boxes, Producer::func(testing::kMatrixA)), (Box{{128, 135}, {64, 95}}));
  EXPECT_EQ(boxOf(boxes, Producer::func(testing::kMatrixB)), (Box{{64, 95}, {128, 135}}));
  EXPECT_EQ(boxOf(boxes, Producer::func(testing::kMatrixC)), (Box{{64, 95}, {64, 95}}));
  EXPECT_EQ(boxes.size(), 3U);
}

TEST(StageBoxes, GoThroughInlinedFuncs) {
  const auto blur = testing::paperBlur();
  const std::vector<Interval> loops{{10, 13}, {20, 21}};
  const std::vector<FuncId> inlined{testing::kBlurX};
  const auto boxes = stageBoxes(*blur, StageId{1}, loops, inlined);
  EXPECT_EQ(boxOf(boxes, Producer::input(pipeline::InputId{0})), (Box{{10, 15}, {20, 23}}));
  EXPECT_EQ(boxes.size(), 2U); // the input, and what the stage writes
}

TEST(StageBoxes, EndWithTheProducer) {
  const auto pipeline = sketch(R"(
    input in 640 480
    func table(i) 256 = in(i; 0)
    func out(x y) 640 480 = table(?) in(x; y)
    output out
  )");
  const std::vector<Interval> loops{{0, 0}, {0, 0}};
  EXPECT_EQ(boxOf(stageBoxes(*pipeline, StageId{1}, loops, {}), Producer::func(FuncId{0})),
            (Box{{0, 255}}));
}

} // namespace
} // namespace tessera::search
