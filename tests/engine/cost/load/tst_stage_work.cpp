// SPDX-License-Identifier: MIT
#include "engine/cost/load/stage_work.h"

#include "engine/cost/load/reads.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::ScalarType;
using pipeline::TypeKind;

constexpr ScalarType kFloat{TypeKind::Float, 32}, kDouble{TypeKind::Float, 64},
    kHalf{TypeKind::Float, 16}, kInt{TypeKind::Int, 32}, kLong{TypeKind::Int, 64},
    kByte{TypeKind::UInt, 8}, kBool{TypeKind::UInt, 1};

Slots slotsOf(std::vector<OpCount> operations) {
  pipeline::Stage stage;
  stage.operations = std::move(operations);
  return arithmeticOf(stage);
}

TEST(StageWork, EachTypeHasItsPipe) {
  EXPECT_EQ(slotsOf({{OpKind::Add, kFloat, 3}}).fp32, 3);
  EXPECT_EQ(slotsOf({{OpKind::Add, kDouble, 3}}).fp64, 3);
  EXPECT_EQ(slotsOf({{OpKind::Add, kHalf, 3}}).fp16, 3);
  for (const ScalarType type : {kFloat, kDouble, kHalf})
    EXPECT_EQ(slotsOf({{OpKind::Add, type, 3}}).all(), 3);
}

TEST(StageWork, IntegersAreAddedThreeAtATime) {
  EXPECT_DOUBLE_EQ(slotsOf({{OpKind::Add, kInt, 10}}).integer, 0.6 * 10);
  EXPECT_DOUBLE_EQ(slotsOf({{OpKind::Add, kInt, 10}}).all(), 0.6 * 10);
}

TEST(StageWork, ProductsOfIntegersTakeWhatIsAddedAlong) {
  const Slots slots = slotsOf({{OpKind::Add, kInt, 3}, {OpKind::Multiply, kInt, 2}});
  EXPECT_EQ(slots.products, 2);
  EXPECT_DOUBLE_EQ(slots.integer, 0.6 * (3 - 0.8 * 2));
  EXPECT_EQ(slots.fp32, 0);
  // Additions of 64-bit integers are not fused, nor are integer additions with float products.
  EXPECT_DOUBLE_EQ(slotsOf({{OpKind::Add, kLong, 3}, {OpKind::Multiply, kLong, 2}}).integer,
                   3 * 0.6 * 3);
  EXPECT_DOUBLE_EQ(slotsOf({{OpKind::Add, kInt, 3}, {OpKind::Multiply, kFloat, 2}}).integer,
                   0.6 * 3);
}

TEST(StageWork, MostMultiplicationsAreFusedWithAnAddition) {
  // 5 instructions. The model fuses 80 % of the 2 possible pairs; a fused pair is one instruction.
  EXPECT_DOUBLE_EQ(slotsOf({{OpKind::Add, kFloat, 3}, {OpKind::Multiply, kFloat, 2}}).fp32,
                   5 - 0.8 * 2);
  EXPECT_EQ(slotsOf({{OpKind::Multiply, kFloat, 2}}).fp32, 2);
}

TEST(StageWork, DivisionsAreSeveralInstructions) {
  const Slots floats = slotsOf({{OpKind::Divide, kFloat, 1}});
  EXPECT_EQ(floats.special, 1); // the reciprocal
  EXPECT_GT(floats.fp32, 1);
  const Slots integers = slotsOf({{OpKind::Modulo, kInt, 1}});
  EXPECT_EQ(integers.special, 0);
  // A modulo takes more than a float division, as its quotient is corrected.
  EXPECT_GT(integers.integer, floats.all());
}

TEST(StageWork, RootsTakeTheSpecialPipe) {
  EXPECT_EQ(slotsOf({{OpKind::Transcendental, kFloat, 2}}).special, 2);
  EXPECT_GT(slotsOf({{OpKind::Transcendental, kFloat, 2}}).fp32, 2);
}

TEST(StageWork, ConversionsToFloatAreInstructionsAndOfWidthsMostlyNone) {
  EXPECT_EQ(slotsOf({{OpKind::Cast, kFloat, 2}}).integer, 2);
  EXPECT_EQ(slotsOf({{OpKind::Cast, kFloat, 2}}).all(), 2);
  EXPECT_DOUBLE_EQ(slotsOf({{OpKind::Cast, kInt, 2}}).integer, 0.1 * 2);
}

TEST(StageWork, ComparisonsAreIntegerWorkWhateverTheyCompare) {
  for (const OpKind kind : {OpKind::MinMax, OpKind::Compare, OpKind::Select, OpKind::Logic}) {
    EXPECT_EQ(slotsOf({{kind, kFloat, 1}}).integer, kind == OpKind::MinMax ? 2 : 1);
    EXPECT_EQ(slotsOf({{kind, kFloat, 1}}).fp32, 0);
  }
}

TEST(StageWork, IntegersOfTwoRegistersTakeMore) {
  const double plain = slotsOf({{OpKind::Add, kInt, 1}}).integer;
  EXPECT_DOUBLE_EQ(slotsOf({{OpKind::Add, kLong, 1}}).integer, 3 * plain);
  EXPECT_EQ(slotsOf({{OpKind::Add, kByte, 1}}).integer, plain); // the store cuts off the upper bits
  EXPECT_EQ(slotsOf({{OpKind::Add, kBool, 1}}).integer, plain);
}

TEST(StageWork, ComparingNarrowIntegersCutsThemOut) {
  EXPECT_EQ(slotsOf({{OpKind::MinMax, kByte, 1}}).integer,
            2 * slotsOf({{OpKind::MinMax, kInt, 1}}).integer);
  EXPECT_EQ(slotsOf({{OpKind::Logic, kBool, 1}}).integer, 1);
}

TEST(StageWork, WhatIsSteadyIsComputedForAllThatDifferInOtherLoops) {
  // There are three integer operations in each of 8 evaluations, 4 along the first loop by 2 along
  // the second. Two of the operations depend only on the first loop.
  const Reads::Definition definition{{{.integer = 3}, {{0b01, {.integer = 2}}}}, {}, {}};
  const double extents[] = {4, 2};
  const auto integers = [&](double evaluations, std::uint32_t numbers) {
    return definition.of(evaluations, numbers, [&](std::size_t loop) { return extents[loop]; })
        .integer;
  };
  EXPECT_EQ(integers(8, 0), 8 * 1 + 4 * 2);
  EXPECT_EQ(integers(2, 0), 2 * 3); // fewer evaluations than the box has points
  EXPECT_EQ(integers(8, 0b01), 8);  // operations that depend only on a constant loop cost nothing
  EXPECT_EQ(integers(8, 0b10), 8 * 1 + 4 * 2);
}

TEST(StageWork, ChoicesByANumberAreMade) {
  // If the second loop is a constant, the choice among its 3 cases is made in advance. The 3 cases
  // have 6 operations in all, so 2 instead of 9 remain per evaluation.
  const Reads::Definition definition{
      {{.integer = 9}, {}},
      {{1, arithmeticOf(pipeline::Folded{1, 3, {{OpKind::MinMax, kInt, 6}}, {}, {}})}},
      {}};
  const auto extentOf = [](std::size_t) { return 1.0; };
  EXPECT_EQ(definition.of(4, 0b01, extentOf).integer, 4 * 9);
  EXPECT_EQ(definition.of(4, 0b10, extentOf).integer, 4 * 2);
}

TEST(StageWork, LoadsAreCountedElsewhere) {
  EXPECT_EQ(slotsOf({{OpKind::Load, kFloat, 7}}).all(), 0);
}

TEST(StageWork, SlotsAddUp) {
  Slots slots{.fp32 = 1, .fp64 = 2, .fp16 = 3, .integer = 4, .products = 6, .special = 5};
  slots.add({.fp32 = 1, .fp64 = 1, .fp16 = 1, .integer = 1, .products = 3, .special = 2}, 10);
  EXPECT_EQ(slots.fp32, 11);
  EXPECT_EQ(slots.fp64, 12);
  EXPECT_EQ(slots.fp16, 13);
  EXPECT_EQ(slots.integer, 14);
  EXPECT_EQ(slots.products, 36);
  EXPECT_EQ(slots.special, 25);
  EXPECT_EQ(slots.all(), 11 + 12 + 13 + 14 + 36 + 25);
}

} // namespace
} // namespace tessera::cost
