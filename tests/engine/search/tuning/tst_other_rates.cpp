// SPDX-License-Identifier: MIT
#include "engine/search/tuning/other_rates.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera::search {
namespace {

TEST(OtherRates, AreWithinAFactorOfTwoAndTheLimitsStay) {
  const machine::Machine machine;
  std::mt19937_64 random(1);
  std::set<double> bandwidths;
  for (int i = 0; i < 100; ++i) {
    const machine::Machine other = withOtherRates(machine, random);
    EXPECT_EQ(other.limits, machine.limits);
    EXPECT_EQ(other.sm.registers, machine.sm.registers);
    EXPECT_DOUBLE_EQ(other.memory.dramLatency / machine.memory.dramLatency,
                     other.memory.sharedLatency / machine.memory.sharedLatency);
    const double factor = other.memory.l2BytesPerSecond / machine.memory.l2BytesPerSecond;
    EXPECT_GE(factor, 0.5);
    EXPECT_LE(factor, 2);
    bandwidths.insert(factor);
  }
  EXPECT_EQ(bandwidths.size(), 5U);
}

TEST(OtherRates, TheSameSeedGivesTheSame) {
  std::mt19937_64 random(7), again(7), another(8);
  const machine::Machine other = withOtherRates({}, random);
  EXPECT_EQ(other, withOtherRates({}, again));
  EXPECT_NE(other, withOtherRates({}, another));
}

} // namespace
} // namespace tessera::search
