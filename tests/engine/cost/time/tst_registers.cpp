// SPDX-License-Identifier: MIT
#include "engine/cost/time/registers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::cost {
namespace {

using report::AssemblerReport;

// A smooth maximum of 0 and `beyond`, because the estimate may be wrong near the cap.
double blurred(double beyond) { return 4 * std::log1p(std::exp(beyond / 4)); }

// Two stages. The second holds more values, but the first has to keep more of them live.
KernelLoad twoStages() {
  KernelLoad load;
  load.stages.resize(2);
  load.stages[0].held = 20;
  load.stages[0].live = 20;
  load.stages[1].held = 60;
  load.stages[1].live = 5;
  return load;
}

TEST(Registers, ThoseOfTheStageThatHoldsMostAndTheAddressesOfAll) {
  const KernelLoad load = twoStages();
  EXPECT_EQ(Registers(load, 255, std::nullopt).used(), 15 + static_cast<int>(4.5 * 2) + 60);
  EXPECT_EQ(Registers(load, 40, std::nullopt).used(), 40); // at most the cap
}

TEST(Registers, OfManyStagesAddressesAreComputedAnew) {
  KernelLoad load;
  load.stages.resize(100);
  EXPECT_EQ(Registers(load, 255, std::nullopt).used(), 15 + 88);
}

TEST(Registers, OperationsTakeAFew) {
  KernelLoad load = twoStages();
  load.stages[1].arithmetic.fp32 = 100;
  // 8 registers for 100 operations: 0.8 * sqrt(100).
  EXPECT_EQ(Registers(load, 255, std::nullopt).used(), 15 + 9 + 60 + 8);
  load.stages[1].arithmetic.fp32 = 10'000;
  EXPECT_EQ(Registers(load, 255, std::nullopt).used(), 15 + 9 + 60 + 10);
}

TEST(Registers, WhatHasToLiveSpillsAndNotWhatIsMerelyHeld) {
  KernelLoad load = twoStages();
  EXPECT_DOUBLE_EQ(Registers(load, 32, std::nullopt).spilled(), blurred(0.75 * 48 - 32));
  // Values that are only held do not spill: the compiler may compute them in a different order.
  load.stages[1].held = 200;
  EXPECT_DOUBLE_EQ(Registers(load, 32, std::nullopt).spilled(), blurred(0.75 * 48 - 32));
  load.stages[1].live = 100;
  EXPECT_DOUBLE_EQ(Registers(load, 32, std::nullopt).spilled(), blurred(12 + 100 - 32));
}

// The code has 3,600 operations, 2,500 of them in one stage, 100 scattered addresses and 225 rows.
TEST(Registers, LongCodeSpillsWhateverHasToLive) {
  KernelLoad load = twoStages();
  load.stages[0].arithmetic.fp32 = 2500;
  load.stages[1].arithmetic.fp32 = 1100;
  load.stages[0].scattered = load.stages[1].scattered = 50;
  load.stages[0].rows = 225;
  const auto spilled = [&](int cap) { return Registers(load, cap, std::nullopt).spilled(); };
  const double beyond = -24.7 + 1.96 * 60 - 1.6 * 50 + 1.31 * 10 + 1.21 * 15;
  const double values = 4 * 3.2 * std::log1p(std::exp(beyond / 3.2));
  EXPECT_DOUBLE_EQ(spilled(64), values);
  EXPECT_DOUBLE_EQ(Registers(load, 64, std::nullopt).spillAccesses(load.stages[0]),
                   3.4 * values * values / (values + 8));
  EXPECT_LT(spilled(128), spilled(64) - 4 * 64 / 4);
  const double ofTwo = spilled(64);
  load.stages[0].arithmetic.fp32 = 3600; // all in one stage, which soon needs few of its values
  load.stages[1].arithmetic.fp32 = 0;
  EXPECT_LT(spilled(64), ofTwo - 4 * 15);
}

// A body has 220 loads, 100 more than fit. Of these 100, two of five stay in memory.
TEST(Registers, LoadsThatComeEarlySpillWhereTheyAre) {
  KernelLoad load = twoStages();
  load.stages[0].live = 20;
  load.stages[1].loads = 220;
  const auto values = [](double beyond) { return 0.4 * 20 * std::log1p(std::exp(beyond / 20)); };
  const Registers registers(load, 64, std::nullopt);
  EXPECT_DOUBLE_EQ(registers.spilled(), values(100));
  EXPECT_DOUBLE_EQ(registers.spillAccesses(load.stages[1]),
                   3.4 * values(100) * values(100) / (values(100) + 8));
  EXPECT_EQ(registers.spillAccesses(load.stages[0]), 0);
  const auto spilled = [&](int cap) { return Registers(load, cap, std::nullopt).spilled(); };
  EXPECT_DOUBLE_EQ(spilled(96), values(100 - 2 * 32));
  load.stages[1].loads = 55;
  load.stages[1].bodies = 4; // so few iterations that LLVM unrolls the loop
  EXPECT_DOUBLE_EQ(spilled(64), values(100));
  load.stages[1].bodies = 5;
  EXPECT_LT(spilled(64), 1);
  load.stages[1].loads = 220;
  load.stages[1].turns = 5; // a sum of 200 points with one load for each
  load.stages[1].points = 200;
  EXPECT_LT(spilled(64), 1);
}

TEST(Registers, NeverMoreThanAFullWindowSpills) {
  KernelLoad load = twoStages();
  load.stages[0].live = 5000;
  EXPECT_EQ(Registers(load, 32, std::nullopt).spilled(), 300);
}

TEST(Registers, TheStageThatKeepsMostAccessesWhatIsSpilled) {
  KernelLoad load = twoStages();
  // n, about 96, live values do not fit into registers. Together they cause 60·√n accesses, and
  // fewer where n is small.
  load.stages[0].live = 116;
  const Registers registers(load, 32, std::nullopt);
  const double missing = blurred(12 + 116 - 32);
  EXPECT_DOUBLE_EQ(registers.spillAccesses(load.stages[0]),
                   60 * std::sqrt(missing) * missing / (missing + 4));
  EXPECT_EQ(registers.spillAccesses(load.stages[1]), 0);
}

TEST(Registers, AsTheAssemblerSays) {
  const KernelLoad load = twoStages();
  const Registers registers(load, 32, AssemblerReport{30, 64, 40, 80});
  EXPECT_EQ(registers.used(), 30);
  EXPECT_EQ(registers.spilled(), 64 / 4);
  // All spill accesses are in the stage with the most live values, even if another stage holds
  // more.
  EXPECT_EQ(registers.spillAccesses(load.stages[0]), (40 + 80) / 4);
  EXPECT_EQ(registers.spillAccesses(load.stages[1]), 0);
}

} // namespace
} // namespace tessera::cost
