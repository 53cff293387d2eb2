// SPDX-License-Identifier: MIT
#include "engine/cost/roofline/floor.h"

#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

#include <utility>

namespace tessera::cost {
namespace {

using machine::Machine;
using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::PipelineParts;
using pipeline::ScalarType;
using pipeline::TypeKind;

constexpr ScalarType kFloats{TypeKind::Float, 32}, kInts{TypeKind::Int, 32},
    kBytes{TypeKind::UInt, 8};

// 1024 * 1024 values, each the sum of three elements of a row.
PipelineParts sums() {
  PipelineParts parts = pipeline::test::sketchParts(
      "input i 1026 1024\n"
      "func g(x y) 1024 1024 = i(x; y) i(x+1; y) i(x+2; y)\noutput g\n");
  parts.stages.at(0).operations = {{OpKind::Add, kFloats, 2}};
  return parts;
}

Floor floorOfParts(PipelineParts parts, const Machine &machine = {}) {
  return cost::floorOf(*pipeline::Pipeline::create(std::move(parts)).value(), machine);
}

TEST(Floor, ReadsComputesAndWritesEverythingOnce) {
  const Floor floor = floorOfParts(sums());
  EXPECT_DOUBLE_EQ(floor.bytes, 1024.0 * (1024 + 4 * 1024)); // the input has one byte an element
  EXPECT_DOUBLE_EQ(floor.operations.fp32, 2.0 * 1024 * 1024);
  EXPECT_EQ(floor.operations.integer, 0); // the floor counts no addresses, as they can be avoided
}

TEST(Floor, WhatTheCacheCanKeepDoesNotComeFromDeviceMemory) {
  Machine machine;
  machine.memory.l2Bytes = 1024 * 1024 * 5 / 4;
  EXPECT_DOUBLE_EQ(floorOfParts(sums(), machine).fromDram, 0.75);
  machine.memory.l2Bytes = 1024 * 1024 * 6;
  EXPECT_EQ(floorOfParts(sums(), machine).fromDram, 0);
}

TEST(Floor, WhatDependsOnOneLoopAloneIsComputedOnceForTheOthers) {
  PipelineParts parts = sums();
  parts.stages.at(0).steady = {{0b01, {{OpKind::Add, kFloats, 1}}},
                               {0, {{OpKind::Add, kFloats, 1}}}};
  EXPECT_DOUBLE_EQ(floorOfParts(parts).operations.fp32, 1024 + 1);
}

TEST(Floor, AnUnrolledLoopMayComputeLess) {
  PipelineParts parts = sums();
  parts.stages.at(0).folded = {{1, 4, {{OpKind::Add, kFloats, 4}}, {}, {}}};
  EXPECT_DOUBLE_EQ(floorOfParts(parts).operations.fp32, 1.0 * 1024 * 1024);
}

TEST(Floor, EachOperationIsTheLeastThatACompilerMakesOfIt) {
  PipelineParts parts = sums();
  parts.stages.at(0).operations = {{OpKind::Add, kInts, 5},
                                   {OpKind::Multiply, kInts, 3}, // with three of the additions
                                   {OpKind::Compare, kBytes, 4}, // four in an instruction
                                   {OpKind::Cast, kFloats, 7},
                                   {OpKind::Transcendental, kFloats, 2}};
  const Floor floor = floorOfParts(parts);
  EXPECT_DOUBLE_EQ(floor.operations.integer, (3 + 1 + 0.5) * 1024 * 1024);
  EXPECT_DOUBLE_EQ(floor.operations.fp32, 2.0 * 1024 * 1024);
}

TEST(Floor, AStageThatMayNeverRunCostsNothing) {
  PipelineParts parts = sums();
  parts.stages.at(0).predicate = "x < y";
  EXPECT_EQ(floorOfParts(parts).operations, Operations{});
}

TEST(Floor, OfABundleItIsTheArguments) {
  using report::PipelineArgument;
  report::CompileReport report;
  report.arguments = {{"in", PipelineArgument::Kind::Input, kFloats, {{0, 9}, {0, 4}}, ""},
                      {"s", PipelineArgument::Kind::Scalar, kFloats, {}, "1"},
                      {"out", PipelineArgument::Kind::Output, kBytes, {{0, 7}}, ""}};
  report.allocations = {{"f", 100, 2}}; // another schedule may not need them
  Machine machine;
  machine.memory.l2Bytes = 52;
  EXPECT_DOUBLE_EQ(cost::floorOf(report, machine).bytes, 10 * 5 * 4 + 8);
  EXPECT_DOUBLE_EQ(cost::floorOf(report, machine).fromDram, 0.75);
}

} // namespace
} // namespace tessera::cost
