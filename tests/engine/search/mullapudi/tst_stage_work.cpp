// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/stage_work.h"

#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::InputId;
using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::Producer;
using pipeline::test::sketch;

// Section 4.3: "it substitutes the producer function expression into the consumer function and
// reevaluates the arithmetic cost of the new expression". Each stage of a sketch has one addition.
TEST(StageWork, SubstitutesInlinedExpressions) {
  const auto pipeline = sketch(R"(
    input in 66 66
    func a(x y) 66 64 = in(x; y) in(x; y+1)
    func b(x y) 64 64 = a(x; y) a(x+1; y)
    func c(x y) 64 64 = b(x; y) b(x; y) a(x; y)
    output c
  )");
  const pipeline::Stage &c = pipeline->stage(pipeline->func(FuncId{2}).firstStage);
  const StageWork apart = workOf(*pipeline, c, {}, 5);
  EXPECT_EQ(apart.operations, 1);
  ASSERT_EQ(apart.loads.size(), 2U);
  const std::vector<FuncId> b{FuncId{1}}, both{FuncId{0}, FuncId{1}};
  EXPECT_EQ(workOf(*pipeline, c, b, 5).operations, 1 + 2 * 1);
  const StageWork whole = workOf(*pipeline, c, both, 5);
  EXPECT_EQ(whole.operations, 1 + 2 * 1 + (2 * 2 + 1) * 1);
  ASSERT_EQ(whole.loads.size(), 1U);
  EXPECT_EQ(whole.loads.front().producer, Producer::input(InputId{0}));
  EXPECT_EQ(whole.loads.front().count, (2 * 2 + 1) * 2);
}

// Section 4.1: "unit cost to most arithmetic operations and higher costs to more complex operations
// such as division and transcendentals".
TEST(StageWork, WeighsOperations) {
  auto parts = pipeline::test::sketchParts("func f(x) 64 = \noutput f\n");
  const auto workOfOne = [&](OpKind kind, std::uint8_t bits) {
    parts.stages.front().operations = {OpCount{kind, {pipeline::TypeKind::Float, bits}, 2}};
    auto made = pipeline::Pipeline::create(parts);
    EXPECT_TRUE(made);
    return workOf(**made, (*made)->stages().front(), {}, 5).operations / 2;
  };
  EXPECT_EQ(workOfOne(OpKind::Multiply, 32), 1);
  EXPECT_EQ(workOfOne(OpKind::Divide, 32), 5);
  EXPECT_EQ(workOfOne(OpKind::Modulo, 32), 5);
  EXPECT_EQ(workOfOne(OpKind::Transcendental, 16), 5);
  EXPECT_EQ(workOfOne(OpKind::Transcendental, 32), 10);
  EXPECT_EQ(workOfOne(OpKind::Transcendental, 64), 20);
  EXPECT_EQ(workOfOne(OpKind::Load, 32), 0);
}

} // namespace
} // namespace tessera::search
