// SPDX-License-Identifier: MIT
#include "engine/cost/time/kernel_time.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using machine::Machine;

constexpr TimeConstants kFitted;

// One block of 256 threads on each multiprocessor. Each thread runs 100 bodies.
KernelLoad oneStage() {
  KernelLoad load;
  load.blocks = 132;
  load.blockThreads = {256, 1, 1};
  StageLoad &stage = load.stages.emplace_back();
  stage.threads = 256;
  stage.warps = 8;
  stage.bodies = 100;
  return load;
}

KernelTime timed(const KernelLoad &load, double fromDram = 0, int registerCap = 64) {
  return timeOf(load, Machine{}, registerCap, fromDram);
}

double clocks(double seconds) { return seconds * Machine{}.clockHz; }

TEST(KernelTime, ArithmeticTakesTheClocksOfItsPipe) {
  KernelLoad load = oneStage();
  load.stages[0].arithmetic.fp32 = 1000;
  load.stages[0].arithmetic.special = 10;
  const KernelTime time = timed(load);
  // 8 warps * 100 bodies * 1000 instructions, 32 / 128 clocks each.
  EXPECT_DOUBLE_EQ(clocks(time.part(Limiter::Fp32)), 200'000);
  EXPECT_DOUBLE_EQ(clocks(time.part(Limiter::Special)), 8 * 100 * 10 * 32 / 16);
  // The total includes the addresses of each iteration and the prologue. It includes no spills,
  // because the estimated registers are far enough below the cap.
  EXPECT_NEAR(clocks(timed(load, 0, 255).part(Limiter::Issue)),
              8 * (100 * (1010 + kFitted.addressesPerTurn) + kFitted.prologue) / 4, 1e-3);
  EXPECT_EQ(time.part(Limiter::Fp64), 0);
}

TEST(KernelTime, TheLargestPartIsTheLimiter) {
  KernelLoad load = oneStage();
  load.stages[0].arithmetic.fp64 = 1000; // 400,000 clocks
  EXPECT_EQ(timed(load).limiter, Limiter::Fp64);
  load.dramBytes = 8.04e9; // 2 ms at the full rate
  const KernelTime time = timed(load, 1);
  EXPECT_DOUBLE_EQ(time.part(Limiter::Dram), 2e-3 / kFitted.dramPart);
  EXPECT_EQ(time.limiter, Limiter::Dram);
}

TEST(KernelTime, PartsOverlapButNotWholly) {
  KernelLoad load = oneStage();
  load.stages[0].arithmetic.fp64 = 1000;
  load.dramBytes = 8.04e8;
  const KernelTime time = timed(load, 1);
  double sum = 0;
  for (const double part : time.parts)
    sum += part;
  EXPECT_GT(time.seconds, time.part(time.limiter));
  EXPECT_LT(time.seconds, sum);
}

TEST(KernelTime, AKernelThatDoesNothingStillTakesMicroseconds) {
  const double seconds = timed(oneStage()).seconds;
  EXPECT_GT(seconds, 2e-6);
  EXPECT_LT(seconds, 10e-6);
}

TEST(KernelTime, EachLaunchTakesAsLong) {
  KernelLoad load = oneStage();
  load.stages[0].arithmetic.fp32 = 1000;
  const KernelTime one = timed(load);
  load.launches = 10;
  EXPECT_DOUBLE_EQ(timed(load).seconds, 10 * one.seconds);
  EXPECT_DOUBLE_EQ(timed(load).part(Limiter::Fp32), 10 * one.part(Limiter::Fp32));
}

TEST(KernelTime, WhatTheSecondLevelCacheHoldsDoesNotComeFromDram) {
  KernelLoad load = oneStage();
  load.dramBytes = 4.02e9;
  EXPECT_EQ(timed(load, 0).part(Limiter::Dram), 0);
  EXPECT_DOUBLE_EQ(timed(load, 0.25).part(Limiter::Dram), 0.25e-3 / kFitted.dramPart);
  load.stages[0].l2Bytes = 9.2e9 / 132;
  load.stages[0].storeBytes = 9.2e9 / 132;
  EXPECT_DOUBLE_EQ(timed(load, 0).part(Limiter::L2), 2e-3 / kFitted.l2Part);
}

TEST(KernelTime, ALoadThatMissesWaitsForWhereTheValueIs) {
  KernelLoad load = oneStage();
  load.stages[0].loads = 1;
  const auto latency = [&](double missing, double fromDram) {
    load.stages[0].missing = missing;
    return clocks(timed(load, fromDram).part(Limiter::Latency));
  };
  // Each of the 100 iterations waits 39 clocks (L1 hit), 287 (L2 hit) or 600 (device memory).
  EXPECT_NEAR(latency(1, 0) - latency(0, 0), 100 * (287 - 39), 1e-6);
  EXPECT_NEAR(latency(1, 1) - latency(0, 1), 100 * (600 - 39), 1e-6);
  EXPECT_NEAR(latency(0.5, 1) - latency(0, 1), 100 * (600 - 39) / 2.0, 1e-6);
}

TEST(KernelTime, TurnsBehindConditionsWaitOneAfterTheOther) {
  KernelLoad load = oneStage();
  load.stages[0].loads = 1;
  load.stages[0].missing = 1;
  load.stages[0].turns = 8;
  const double unrolled = timed(load).part(Limiter::Latency);
  load.stages[0].guarded = 1;
  // Nothing unrolls the 100 iterations, and each waits 287 clocks.
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Latency) - unrolled),
              100 * 287 * (1 - 1 / kFitted.unrolledByPtxas), 1e-6);
  load.stages[0].guarded = 8; // each of the eight copies waits
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Latency) - unrolled),
              100 * 287 * (8 - 1 / kFitted.unrolledByPtxas), 1e-6);
}

TEST(KernelTime, ChainedUpdatesWaitForEachOther) {
  KernelLoad load = oneStage();
  load.stages[0].loads = 4;
  load.stages[0].missing = 1;
  load.stages[0].points = 4;
  const double together = timed(load).part(Limiter::Latency);
  load.stages[0].chained = load.stages[0].points;
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Latency) - together), 100 * 287 * (4 - 1), 1e-6);
  load.stages[0].forwarded = true; // only the first access waits for memory
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Latency) - together),
              100 * kFitted.chainStep * (4 - 1), 1e-6);
  // Two bodies in a straight line wait once.
  load.stages[0].together = 2;
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Latency) - together),
              100 * ((287 + kFitted.chainStep * (2 * 4 - 1)) / 2 - 287), 1e-6);
}

TEST(KernelTime, ALineMoreTakesAWhile) {
  KernelLoad load = oneStage();
  load.stages[0].loads = 2;
  load.stages[0].lines = 2;
  const double side = timed(load).part(Limiter::Latency);
  load.stages[0].lines = 2 * 32; // each lane reads a different line
  const double scattered = timed(load).part(Limiter::Latency);
  EXPECT_NEAR(clocks(scattered - side), 100 * kFitted.waitForLine * (32 - 1), 1e-6);
  load.stages[0].chained = 1; // the two loads wait one after the other
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Latency) - scattered),
              100 * kFitted.waitForLine * 32, 1e-6);
}

TEST(KernelTime, EachThreadBeginsWithAPrologue) {
  KernelLoad load = oneStage();
  load.stages.clear();
  const KernelTime time = timed(load);
  EXPECT_DOUBLE_EQ(clocks(time.part(Limiter::Issue)), 8 * kFitted.prologue / 4);
  EXPECT_DOUBLE_EQ(clocks(time.part(Limiter::Latency)), kFitted.prologue * kFitted.clocksPerIssue);
  // Half of the prologue is integer work, with 32 / 64 clocks for each instruction.
  EXPECT_DOUBLE_EQ(clocks(time.part(Limiter::Integer)), 8 * kFitted.prologue / 2 * 32 / 64);
}

TEST(KernelTime, RowsTakeAddresses) {
  KernelLoad load = oneStage();
  const double none = timed(load).part(Limiter::Integer);
  load.stages[0].rows = 3;
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Integer) - none),
              8 * 100 * 3 * kFitted.addressesPerRow * 32 / 64, 1e-6);
  load.stages[0].rows = 0;
  load.stages[0].sharedAccesses = 5;
  EXPECT_NEAR(clocks(timed(load).part(Limiter::Integer) - none),
              8 * 100 * 5 * kFitted.addressesPerRequest * 32 / 64, 1e-6);
}

TEST(KernelTime, ProductsOfIntegersTakeThePipeOfFloatsAtTheRateOfIntegers) {
  KernelLoad load = oneStage();
  const double integer = timed(load).part(Limiter::Integer);
  load.stages[0].arithmetic.products = 1000;
  EXPECT_DOUBLE_EQ(clocks(timed(load).part(Limiter::Fp32)), 8 * 100 * 1000 * 32 / 64);
  EXPECT_EQ(timed(load).part(Limiter::Integer), integer);
}

TEST(KernelTime, TurnsThatOnlyAddUpAreUnrolledWhereTheyAreShort) {
  const auto latency = [](const KernelLoad &load) {
    return clocks(timed(load).part(Limiter::Latency));
  };
  KernelLoad load = oneStage();
  load.stages[0].loads = 1;
  load.stages[0].missing = 1;
  const double each = latency(load);
  load.stages[0].turns = 100;
  EXPECT_NEAR(latency(load), each - 100 * 287 * (1 - 1.0 / 4), 1e-6);
  load.stages[0].turns = 2; // no more than the two iterations of the loop
  EXPECT_NEAR(latency(load), each - 100 * 287 * (1 - 1.0 / 2), 1e-6);
}

// ptxas unrolls a load with 43 operations four times, and one with 44 not at all (MODEL_LOG.md).
TEST(KernelTime, TurnsOfALongBodyWaitOneAfterTheOther) {
  KernelLoad load = oneStage();
  load.stages[0].loads = 1;
  load.stages[0].missing = 1;
  load.stages[0].turns = 100;
  const auto saved = [&](double operations) {
    load.stages[0].arithmetic.fp32 = operations;
    const double before = timed(load).part(Limiter::Latency);
    KernelLoad once = load;
    once.stages[0].turns = 1;
    return clocks(timed(once).part(Limiter::Latency) - before);
  };
  EXPECT_NEAR(saved(42), 100 * 287 * (1 - 1.0 / 4), 1e-6);
  EXPECT_NEAR(saved(44), 0, 1e-6);
}

TEST(KernelTime, BlocksWaitAtBarriers) {
  KernelLoad load = oneStage();
  const double without = timed(load).part(Limiter::Latency);
  load.stages[0].barriers = 10;
  EXPECT_GT(timed(load).part(Limiter::Latency), without);
}

// The one-time cost of fetching code, for a kernel with one stage.
double codeSeconds(KernelLoad load, int registerCap = 64) {
  TimeConstants constants;
  constants.fetch = 0;
  const auto latency = [&](const TimeConstants &k) {
    return timeOf(load, Machine{}, registerCap, 0, std::nullopt, k).part(Limiter::Latency);
  };
  return latency({}) - latency(constants);
}

TEST(KernelTime, NewCodeIsFetchedOnce) {
  KernelLoad load = oneStage();
  load.stages[0].arithmetic.integer = 0;
  constexpr int kMost = 255; // the largest register cap, so that nothing spills
  const double few = codeSeconds(load, kMost);
  load.stages[0].arithmetic.integer = 1000;
  EXPECT_NEAR(clocks(codeSeconds(load, kMost) - few), 1000 * kFitted.fetch, 1e-3);
  load.stages[0].bodies *= 7; // all iterations run the same code
  EXPECT_NEAR(clocks(codeSeconds(load, kMost) - few), 1000 * kFitted.fetch, 1e-3);
}

TEST(KernelTime, MoreBlocksHideLatencyUntilNoMoreAreResident) {
  KernelLoad load = oneStage();
  const double once = codeSeconds(load); // the code is fetched once for any number of blocks
  const double one = timed(load).part(Limiter::Latency) - once;
  load.blocks = 132 * 8; // 2,048 threads on each multiprocessor, the most that fit
  EXPECT_NEAR(timed(load).part(Limiter::Latency), one + once, 1e-15);
  EXPECT_EQ(timed(load).waves, 1);
  load.blocks = 132 * 16;
  EXPECT_NEAR(timed(load).part(Limiter::Latency), 2 * one + once, 1e-15);
  EXPECT_EQ(timed(load).waves, 2);
}

TEST(KernelTime, SharedMemoryLimitsHowManyBlocksAreResident) {
  KernelLoad load = oneStage();
  load.blocks = 132 * 8;
  load.sharedBytes = 48 * 1024; // with 1 KiB for the driver: 4 times 49 KiB fit into 228 KiB
  EXPECT_EQ(timed(load).occupancy.blocks, 4);
  EXPECT_EQ(timed(load).waves, 2);
}

TEST(KernelTime, ManyValuesTakeRegistersUpToTheCap) {
  KernelLoad load = oneStage();
  const int few = timed(load, 0, 255).registers;
  load.stages[0].held = 30;
  const int many = timed(load, 0, 255).registers;
  EXPECT_EQ(many - few, 30);
  EXPECT_LT(timed(load, 0, 255).spilled, 1e-6);
  EXPECT_EQ(timed(load, 0, 32).registers, 32);
  load.stages[0].live = 30;
  EXPECT_GT(timed(load, 0, 32).spilled, 30 + 12 - 32);
  EXPECT_GT(timed(load, 0, 32).part(Limiter::Latency), timed(load, 0, 255).part(Limiter::Latency));
}

TEST(KernelTime, SpillsThatTheSecondLevelCacheHasNoRoomForGoToMemory) {
  KernelLoad load = oneStage();
  load.blockThreads = {1024, 1, 1};
  load.blocks = 132;
  const auto dram = [&](double spilled) {
    return timeOf(load, Machine{}, 32, 0,
                  report::AssemblerReport{32, static_cast<int>(4 * spilled), 4000, 4000})
        .part(Limiter::Dram);
  };
  EXPECT_EQ(dram(100), 0); // 132 · 1,024 threads spill 54 MB, and the L2 cache has 60 MB
  EXPECT_GT(dram(200), 0);
}

TEST(KernelTime, SpillsThatTheFirstLevelCacheHasNoRoomForGoBeyond) {
  KernelLoad load = oneStage();
  const auto bytes = [&](int stackBytes) {
    const report::AssemblerReport report{32, stackBytes, 400, 400};
    return timeOf(load, Machine{}, 32, 0, report).part(Limiter::L2) * kFitted.l2Part *
           Machine{}.memory.l2BytesPerSecond;
  };
  // The 256 threads of a multiprocessor spill 128 KiB, which fits into the half of the cache that
  // they may use.
  EXPECT_EQ(bytes(512), 0);
  // Now the threads spill twice as much, so half of the 200 accesses of an iteration miss the
  // cache.
  EXPECT_NEAR(bytes(1024), 132.0 * 100 * 256 * (200 * 4) / 2, 1);
}

TEST(KernelTime, AtomicsThatMeetWaitForEachOther) {
  KernelLoad load = oneStage();
  load.stages[0].stores = load.stages[0].atomics = 1;
  load.stages[0].adders = 32;
  load.stages[0].places = 1000;
  const double atomics = 132 * 8 * 100 * 32; // one for each thread in each of the 100 iterations
  EXPECT_DOUBLE_EQ(timed(load).part(Limiter::Atomics),
                   atomics * (kFitted.atomicSeconds + kFitted.samePlaceSeconds / 1000));
  load.stages[0].conflicts = 32;
  EXPECT_DOUBLE_EQ(timed(load).part(Limiter::Atomics),
                   atomics * (kFitted.atomicSeconds + kFitted.conflictSeconds * 31 / 32 +
                              kFitted.samePlaceSeconds / 1000));
}

TEST(KernelTime, AtomicsThatAreTriedAgainTakeAllThatAThreadHas) {
  KernelLoad load = oneStage();
  const KernelTime once = timed(load);
  load.stages[0].retries = 31;
  const KernelTime again = timed(load);
  for (const Limiter limiter : {Limiter::Issue, Limiter::Cache, Limiter::Latency})
    EXPECT_GT(again.part(limiter), once.part(limiter)) << name(limiter);
}

// Two stages: the first computes, and the second waits for memory.
KernelLoad twoStages() {
  KernelLoad load = oneStage();
  load.stages.push_back(load.stages[0]);
  load.stages[0].arithmetic.fp32 = 1000;
  load.stages[1].loads = 32;
  load.stages[1].lines = 32 * 32;
  return load;
}

// The two stages without and with a barrier between them.
TEST(KernelTime, PhasesOfABlockThatIsAloneAreNotSideBySide) {
  KernelLoad load = twoStages();
  const double together = timed(load).seconds;
  load.stages[1].barriers = 1;
  const double apart = timed(load).seconds;
  EXPECT_GT(apart, 1.1 * together);
  // With eight blocks on a multiprocessor, one block loads while another computes.
  load.blocks *= 8;
  const double eight = timed(load).seconds;
  load.stages[1].barriers = 0;
  EXPECT_LT(eight / timed(load).seconds - 1, (apart / together - 1) / 2);
}

// In one wave, all blocks load at the same time and then compute at the same time, however many are
// resident. In later waves, some load while others compute.
TEST(KernelTime, BlocksOfOneWaveGoThroughTheirPhasesInStep) {
  const auto lostIn = [](double waves) {
    KernelLoad load = twoStages();
    load.blocks *= 8 * waves;
    const double together = timed(load).seconds;
    load.stages[1].barriers = 1;
    return timed(load).seconds / together - 1;
  };
  EXPECT_GT(lostIn(1), 1.5 * lostIn(16));
}

TEST(KernelTime, LimitersHaveNames) {
  EXPECT_EQ(name(Limiter::Issue), "issue");
  EXPECT_EQ(name(Limiter::Latency), "latency");
  EXPECT_EQ(name(Limiter::Dispatch), "dispatch");
}

} // namespace
} // namespace tessera::cost
