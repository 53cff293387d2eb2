// SPDX-License-Identifier: MIT
#include "engine/cost/roofline/needed_points.h"

#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::cost {
namespace {

using pipeline::FuncId;
using pipeline::InputId;
using pipeline::PipelinePtr;
using pipeline::Producer;
using pipeline::test::sketch;

// How many points of the input `in` a func of 100 points reads, which is defined as `definition`.
double readBy(const std::string &definition) {
  const PipelinePtr pipeline =
      sketch("input in 1000 1000\ninput t 256\nfunc g(x) 100 = " + definition + "\noutput g\n");
  return NeededPoints(*pipeline).of(Producer::input(InputId{0}));
}

TEST(NeededPoints, ADimensionHasAsManyAsTheLoopThatMovesIt) {
  EXPECT_EQ(readBy("in(x; 0)"), 100);
  EXPECT_EQ(readBy("in(x+5; 3)"), 100);
  EXPECT_EQ(readBy("in(4*x; 0)"), 100);
  EXPECT_EQ(readBy("in(x/2; 0)"), 50);
  EXPECT_EQ(readBy("in(0; 0)"), 1);
}

TEST(NeededPoints, ADiagonalIsNoSquare) { EXPECT_EQ(readBy("in(x; x)"), 100); }

TEST(NeededPoints, DataMayChooseTheSamePointEachTime) {
  EXPECT_EQ(readBy("in([0,999]?; 0)"), 1);
  EXPECT_EQ(readBy("in(x; [0,999]?)"), 100);
}

TEST(NeededPoints, LoadsWithOtherRemaindersNeverMeet) {
  EXPECT_EQ(readBy("in(2*x; 0) in(2*x+1; 0)"), 200);
  EXPECT_EQ(readBy("in(2*x; 0) in(2*x+2; 0)"), 100);       // most points are read twice
  EXPECT_EQ(readBy("in(2*x; 2*x) in(2*x+1; 2*x+1)"), 100); // no box, so each counts alone
}

TEST(NeededPoints, ABoundaryConditionReadsItsEndsAgain) {
  EXPECT_EQ(readBy("in(clamp(x,0,49); 0)"), 48);
  EXPECT_EQ(readBy("in(clamp(x,-5,200); 0)"), 100);
}

TEST(NeededPoints, WhatNobodyReadsOfAFuncIsNotEvaluated) {
  const PipelinePtr pipeline = sketch("input in 1000\n"
                                      "func f(x) 1000 = in(x)\n"
                                      "func g(x) 100 = f(8*x)\n"
                                      "output g\n");
  const NeededPoints needed(*pipeline);
  EXPECT_EQ(needed.of(Producer::func(FuncId{0})), 100);
  EXPECT_EQ(needed.of(Producer::input(InputId{0})), 100);
  EXPECT_EQ(needed.evaluations(pipeline->stage(pipeline->func(FuncId{0}).firstStage)), 100);
  EXPECT_EQ(needed.evaluations(pipeline->stage(pipeline->func(FuncId{1}).firstStage)), 100);
}

TEST(NeededPoints, AReductionRunsForEachPoint) {
  const PipelinePtr pipeline = sketch("input a 64 32\ninput b 32 64\n"
                                      "func c(x y) 64 64 = b(0; 0)\n"
                                      "update c(x y) r:0:32 = c(x; y) a(x; r) b(r; y)\n"
                                      "output c\n");
  const NeededPoints needed(*pipeline);
  EXPECT_EQ(needed.of(Producer::input(InputId{0})), 64 * 32);
  EXPECT_EQ(needed.of(Producer::input(InputId{1})), 32 * 64);
  EXPECT_EQ(needed.evaluations(pipeline->stages()[1]), 64 * 64 * 32);
  EXPECT_EQ(needed.valuesOf(pipeline->stages()[1], 0b001), 32);
}

} // namespace
} // namespace tessera::cost
