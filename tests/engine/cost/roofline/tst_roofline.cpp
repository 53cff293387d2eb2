// SPDX-License-Identifier: MIT
// Every expected number was computed by hand from round ceilings.
#include "engine/cost/roofline/roofline.h"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::cost {
namespace {

// The unit is bytes or operations per second.
Ceilings roundCeilings() {
  Ceilings c;
  c.dram = 100;
  c.l2 = 400;
  c.l1 = 1000;
  c.shared = 2000;
  c.fp64 = 50;
  c.fp32 = 800;
  c.fp16 = 1600;
  c.integer = 500;
  return c;
}

Work work(double seconds, const Operations &operations, const Traffic &traffic) {
  return {"k", Origin::Predicted, seconds, operations, traffic};
}

double roofSeconds(const Placed &placed, Roof roof) {
  return placed.roofSeconds[static_cast<std::size_t>(roof)];
}

TEST(Roofline, EachRoofHasItsOwnTime) {
  const Placed k = place(work(10, {100, 1600, 800, 1000}, {300, 800, 1000, 4000}), roundCeilings());
  EXPECT_DOUBLE_EQ(roofSeconds(k, Roof::Dram), 3);    // 300 / 100
  EXPECT_DOUBLE_EQ(roofSeconds(k, Roof::L2), 2);      // 800 / 400
  EXPECT_DOUBLE_EQ(roofSeconds(k, Roof::Cache), 3);   // 1000 / 1000 + 4000 / 2000
  EXPECT_DOUBLE_EQ(roofSeconds(k, Roof::Fp64), 2);    // 100 / 50
  EXPECT_DOUBLE_EQ(roofSeconds(k, Roof::Fp32), 2);    // 1600 / 800
  EXPECT_DOUBLE_EQ(roofSeconds(k, Roof::Fp16), 0.5);  // 800 / 1600
  EXPECT_DOUBLE_EQ(roofSeconds(k, Roof::Integer), 2); // 1000 / 500
}

TEST(Roofline, TheLongestTimeBinds) {
  const Placed memory = place(work(4, {0, 1600, 0, 0}, {300, 800, 0, 0}), roundCeilings());
  EXPECT_EQ(memory.binding, Roof::Dram);
  EXPECT_DOUBLE_EQ(memory.boundSeconds, 3);
  EXPECT_DOUBLE_EQ(memory.reached(), 0.75); // the DRAM roof takes 3 of the 4 seconds
  const Placed doubles = place(work(16, {400, 1600, 0, 0}, {300, 800, 0, 0}), roundCeilings());
  EXPECT_EQ(doubles.binding, Roof::Fp64);
  EXPECT_DOUBLE_EQ(doubles.reached(), 0.5); // the FP64 roof takes 400 / 50 of the 16 seconds
  const Placed shared = place(work(5, {}, {0, 0, 0, 8000}), roundCeilings());
  EXPECT_EQ(shared.binding, Roof::Cache);
  EXPECT_DOUBLE_EQ(shared.reached(), 0.8); // the cache roof takes 8000 / 2000 of the 5 seconds
}

TEST(Roofline, APointStandsAtItsIntensityOfEachLevel) {
  const Placed k = place(work(2, {0, 600, 200, 50}, {400, 1600, 1000, 600}), roundCeilings());
  EXPECT_DOUBLE_EQ(k.intensity(Level::Dram, Arithmetic::Float).value(), 2);    // 800 / 400
  EXPECT_DOUBLE_EQ(k.intensity(Level::L2, Arithmetic::Float).value(), 0.5);    // 800 / 1600
  EXPECT_DOUBLE_EQ(k.intensity(Level::Cache, Arithmetic::Float).value(), 0.5); // 800 / 1600
  EXPECT_DOUBLE_EQ(k.intensity(Level::Dram, Arithmetic::Integer).value(), 0.125);
  EXPECT_DOUBLE_EQ(k.performance(Arithmetic::Float).value(), 400); // 800 / 2
  EXPECT_DOUBLE_EQ(k.performance(Arithmetic::Integer).value(), 25);
}

TEST(Roofline, WhatIsNotKnownHasNoPlace) {
  const Placed k = place(work(0, {0, 100, 0, 0}, {{}, {}, 50, 50}), roundCeilings());
  EXPECT_FALSE(k.intensity(Level::Dram, Arithmetic::Float));
  EXPECT_FALSE(k.intensity(Level::L2, Arithmetic::Float));
  EXPECT_DOUBLE_EQ(k.intensity(Level::Cache, Arithmetic::Float).value(), 1);
  EXPECT_FALSE(k.intensity(Level::Cache, Arithmetic::Integer)); // it has no integer operations
  EXPECT_FALSE(k.performance(Arithmetic::Float));               // the work has no time
  EXPECT_EQ(k.reached(), 0);
  EXPECT_EQ(roofSeconds(k, Roof::Dram), 0);
  EXPECT_EQ(k.binding, Roof::Fp32); // 100 / 800 s; the cache takes 50 / 1000 + 50 / 2000 s
  const Placed half = place(work(1, {}, {{}, {}, 50, {}}), roundCeilings());
  EXPECT_FALSE(half.intensity(Level::Cache, Arithmetic::Float)); // the shared traffic is unknown
}

TEST(Roofline, WithoutTrafficAtALevelThereIsNoPointAtInfinity) {
  const Placed k = place(work(1, {0, 100, 0, 0}, {0, 10, 10, 0}), roundCeilings());
  EXPECT_FALSE(k.intensity(Level::Dram, Arithmetic::Float));
  EXPECT_DOUBLE_EQ(k.intensity(Level::L2, Arithmetic::Float).value(), 10);
}

TEST(Roofline, AWholeIsTheSumOfItsParts) {
  const std::vector<Work> parts{work(1, {1, 2, 3, 4}, {10, 20, 30, 40}),
                                work(2, {10, 20, 30, 40}, {1, {}, 3, 4})};
  const Work all = total("all", parts);
  EXPECT_EQ(all.name, "all");
  EXPECT_DOUBLE_EQ(all.seconds, 3);
  EXPECT_EQ(all.operations, (Operations{11, 22, 33, 44}));
  EXPECT_EQ(all.traffic, (Traffic{11, {}, 33, 44})); // the L2 traffic of one part is unknown
}

TEST(Roofline, FloatsAreCountedUnlessIntegersAreMoreThanTheirAddresses) {
  const auto counted = [](double floats, double integers) {
    const std::vector<Work> kernels{work(1, {0, floats, 0, integers}, {})};
    return roofline(roundCeilings(), kernels, {}).counted;
  };
  EXPECT_EQ(counted(100, 0), Arithmetic::Float);
  EXPECT_EQ(counted(100, 400), Arithmetic::Float);
  EXPECT_EQ(counted(100, 401), Arithmetic::Integer);
  EXPECT_EQ(counted(0, 100), Arithmetic::Integer);
}

TEST(Roofline, WhatMostOfTheTimeGoesIntoIsCounted) {
  const Work floats = work(2, {0, 9e6, 0, 100}, {}), integers = work(3, {0, 0, 0, 100}, {});
  const auto counted = [](const std::vector<Work> &kernels) {
    return roofline(roundCeilings(), kernels, {}).counted;
  };
  EXPECT_EQ(counted({floats, integers}), Arithmetic::Integer);
  EXPECT_EQ(counted({floats, integers, floats}), Arithmetic::Float);
  const Work untimed = work(0, {0, 0, 0, 100}, {});
  EXPECT_EQ(counted({untimed, untimed, work(0, {0, 1, 0, 0}, {})}), Arithmetic::Integer);
}

TEST(Roofline, TheFloorIsWhatNoScheduleAvoids) {
  Floor floor{800, 1, {0, 1600, 0, 250}};
  EXPECT_DOUBLE_EQ(place(floor, roundCeilings()).seconds, 8); // 800 bytes at 100 per second
  EXPECT_EQ(place(floor, roundCeilings()).binding, Roof::Dram);
  floor.fromDram = 0.125; // 1 s from device memory and 2 s from the L2 cache
  floor.operations.fp32 = 800;
  EXPECT_DOUBLE_EQ(place(floor, roundCeilings()).seconds, 2); // 800 bytes at 400 per second
  EXPECT_EQ(place(floor, roundCeilings()).binding, Roof::L2);
  floor.operations.fp64 = 500;
  EXPECT_DOUBLE_EQ(place(floor, roundCeilings()).seconds, 10); // 500 operations at 50 per second
  EXPECT_EQ(place(floor, roundCeilings()).binding, Roof::Fp64);
}

TEST(Roofline, TheFloorStandsWhereOnlyNecessaryBytesMove) {
  const PlacedFloor placed = place(Floor{800, 0.5, {0, 1600, 0, 200}}, roundCeilings());
  EXPECT_DOUBLE_EQ(placed.intensity(Arithmetic::Float).value(), 2);
  EXPECT_DOUBLE_EQ(placed.intensity(Arithmetic::Integer).value(), 0.25);
  EXPECT_FALSE(place(Floor{800, 1, {}}, roundCeilings()).intensity(Arithmetic::Float));
}

TEST(Roofline, DistanceToTheFloor) {
  const std::vector<Work> pipelines{work(24, {}, {}), work(0, {}, {})};
  const Roofline with = roofline(roundCeilings(), {}, pipelines, Floor{800, 1, {}});
  EXPECT_DOUBLE_EQ(with.timesFloor(with.pipelines[0]).value(), 3); // 24 s, and 8 s for the floor
  EXPECT_FALSE(with.timesFloor(with.pipelines[1]));                // the pipeline has no time
  const Roofline without = roofline(roundCeilings(), {}, pipelines);
  EXPECT_FALSE(without.timesFloor(without.pipelines[0]));
}

TEST(Roofline, TimesAFloorNeedBoth) {
  const PlacedFloor placed = place(Floor{800, 1, {}}, roundCeilings()); // the floor takes 8 seconds
  EXPECT_DOUBLE_EQ(placed.times(12).value(), 1.5);
  EXPECT_FALSE(placed.times(0));
  EXPECT_FALSE(place(Floor{}, roundCeilings()).times(12));
}

TEST(Roofline, AMachineHasCeilingsThatNobodyMeasured) {
  machine::Machine machine;
  machine.title = "Round GPU";
  machine.multiprocessors = 10;
  machine.clockHz = 1e9;
  machine.sm.fp32 = 128;
  machine.sm.fp64 = 2;
  machine.sm.fp16 = 256;
  machine.sm.int32 = 64;
  machine.sm.warpsIssued = 4;
  machine.sm.cacheBytesPerClock = 64;
  machine.sm.sharedBytesPerClock = 128;
  machine.memory.dramBytesPerSecond = 5e11;
  machine.memory.l2BytesPerSecond = 2e12;
  const Ceilings c = ceilingsOf(machine);
  EXPECT_EQ(c.dram, 5e11);
  EXPECT_EQ(c.l2, 2e12);
  EXPECT_EQ(c.l1, 640e9);
  EXPECT_EQ(c.shared, 1280e9);
  EXPECT_EQ(c.at(Level::Cache), 1280e9); // the faster of L1 and shared memory
  EXPECT_EQ(c.fp32, 2560e9);             // 10 * 128 * 2 * 1e9
  EXPECT_EQ(c.fp64, 40e9);
  EXPECT_EQ(c.fp16, 5120e9);
  EXPECT_EQ(c.of(Arithmetic::Float), 5120e9);
  EXPECT_EQ(c.integerAdd, 640e9);
  EXPECT_EQ(c.integer, 1280e9); // two pipes, limited by the issue rate
  machine.sm.int32 = 128;       // one wide pipe, also limited by the issue rate
  EXPECT_EQ(ceilingsOf(machine).integer, 1280e9);
  EXPECT_FALSE(c.areMeasured);
  EXPECT_EQ(c.source, "the description of Round GPU, not measured");
}

} // namespace
} // namespace tessera::cost
