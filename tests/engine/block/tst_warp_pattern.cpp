// SPDX-License-Identifier: MIT
#include "tests/engine/block/blocked.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tessera::block {
namespace {

using cost::MemorySpace;
using testing::Blocked;

const std::string kRows = "f split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                          "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo";

TEST(WarpPattern, NeighboursReadARow) {
  const auto accesses =
      Blocked("input in 1024 64\nfunc f(x y) 1024 64 = in(x; y)\noutput f\n", kRows)
          .of("f")
          .accesses;
  ASSERT_EQ(accesses.size(), 2u);
  const WarpPattern &load = accesses[0], &store = accesses[1];
  EXPECT_FALSE(load.load.isStore());
  EXPECT_EQ(load.array, "in");
  ASSERT_EQ(load.lanes.size(), 32u);
  EXPECT_EQ(load.elementBytes, 1); // inputs have bytes
  EXPECT_EQ(load.lanes[5].byte, load.lanes[0].byte + 5);
  EXPECT_EQ(load.sectors().size(), 1u);
  EXPECT_TRUE(store.load.isStore());
  EXPECT_EQ(store.lanes[31].at[0], store.lanes[0].at[0] + 31);
  EXPECT_EQ(store.sectors().size(), 4u);
  EXPECT_EQ(store.lines().size(), 1u);
  EXPECT_EQ(store.load.sectors, 4);
  EXPECT_FALSE(store.startsAnywhere);
  EXPECT_DOUBLE_EQ(store.efficiency(), 1);
}

TEST(WarpPattern, ATurnedReadTouchesASectorForEachLane) {
  const auto accesses = Blocked("input in 64 1024\nfunc g(x y) 64 1024 = in(x; y)\n"
                                "func f(x y) 1024 64 = g(y; x)\noutput f\n",
                                kRows + "\ng compute_root | split x xo xi 32 guard_with_if | "
                                        "gpu_threads xi | gpu_blocks xo y")
                            .of("f")
                            .accesses;
  const WarpPattern &load = accesses.front();
  EXPECT_EQ(load.array, "g");
  EXPECT_EQ(load.load.sectors, 32);
  EXPECT_EQ(load.sectors().size(), 32u);
  EXPECT_DOUBLE_EQ(load.efficiency(), 1 / 8.0);
  EXPECT_EQ(load.lanes[3].at[1], load.lanes[0].at[1] + 3);
}

// Rows of 32 floats put neighbours along y into one bank.
TEST(WarpPattern, ColumnsOfSharedMemoryMeetInOneBank) {
  const Blocked blocked("input in 1024 1024\nfunc g(x y) 1024 1024 = in(x; y)\n"
                        "func f(x y) 1024 1024 = g(y; x)\noutput f\n",
                        "f split x xo xi 32 guard_with_if | split y yo yi 32 guard_with_if | "
                        "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                        "g compute_at f:xo | gpu_threads x y");
  const auto accesses = blocked.of("f").accesses;
  const WarpPattern &load = accesses.front();
  ASSERT_EQ(load.load.space, MemorySpace::Shared);
  EXPECT_EQ(load.load.passes, 32);
  const auto banks = load.banks();
  EXPECT_EQ(*std::ranges::max_element(banks), 32);
  EXPECT_EQ(std::ranges::count(banks, 0), 31);
  // g is stored row by row, which puts one word into each bank.
  const auto stores = blocked.of("g").accesses;
  const auto filled = stores.back().banks();
  EXPECT_EQ(stores.back().load.passes, 1);
  EXPECT_EQ(std::accumulate(filled.begin(), filled.end(), 0), 32);
}

TEST(WarpPattern, WhatDataChooseIsSaid) {
  const auto accesses = Blocked("input in 1024\ninput table 256\n"
                                "func f(x) 1024 = in(x) table([0,255]!)\noutput f\n",
                                "f split x xo xi 32 guard_with_if | gpu_threads xi | gpu_blocks xo")
                            .of("f")
                            .accesses;
  const auto table = std::ranges::find(accesses, "table", &WarpPattern::array);
  ASSERT_NE(table, accesses.end());
  EXPECT_TRUE(table->isChosen);
  EXPECT_FALSE(std::ranges::find(accesses, "in", &WarpPattern::array)->isChosen);
}

TEST(WarpPattern, WhatAThreadKeepsHasNoAddresses) {
  const auto accesses =
      Blocked("input in 1024\nfunc g(x) 1024 = in(x)\n"
              "func f(x) 1024 = g(x)\noutput f\n",
              "f split x xo xi 32 guard_with_if | gpu_threads xi | gpu_blocks xo\n"
              "g compute_at f:xi")
          .of("f")
          .accesses;
  EXPECT_EQ(accesses.front().load.space, MemorySpace::Registers);
  EXPECT_EQ(accesses.front().load.requests, 0);
  EXPECT_TRUE(accesses.front().lanes.empty());
}

} // namespace
} // namespace tessera::block
