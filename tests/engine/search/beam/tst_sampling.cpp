// SPDX-License-Identifier: MIT
#include "engine/search/beam/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::search {
namespace {

constexpr pipeline::FuncId kFunc{3};

std::vector<BeamOption> options() {
  std::vector<BeamOption> all(40);
  for (std::size_t o = 0; o < all.size(); ++o)
    all[o].shape = {BeamPlace::Root, 0, {o < 8 ? 1 : static_cast<std::int64_t>(o)}, {32}, {1}, 0};
  return all;
}

// Section 3.
TEST(Sampling, TakesALogarithmOfEachBucket) {
  EXPECT_EQ(representatives(1), 1U);
  EXPECT_EQ(representatives(2), 1U);
  EXPECT_EQ(representatives(8), 3U);
  EXPECT_EQ(representatives(240), 7U);
  BeamRandom random(1);
  const auto all = options();
  EXPECT_EQ(bucketsOf(kFunc, all, 0, BeamSampling::Buckets, random).size(), 1U);
  auto buckets = bucketsOf(kFunc, all, 1, BeamSampling::Buckets, random); // one block or several
  ASSERT_EQ(buckets.size(), 2U);
  std::ranges::sort(buckets, {}, &BeamBucket::wanted);
  EXPECT_EQ(buckets[0].options.size(), 8U);
  EXPECT_EQ(buckets[0].wanted, 3U);
  EXPECT_EQ(buckets[1].options.size(), 32U);
  EXPECT_EQ(buckets[1].wanted, 5U);
  EXPECT_EQ(bucketsOf(kFunc, all, 2, BeamSampling::Buckets, random).size(), 33U);
}

TEST(Sampling, DependsOnTheSeedAlone) {
  const auto all = options();
  const auto orderOf = [&](std::uint64_t seed) {
    BeamRandom random(seed);
    return bucketsOf(kFunc, all, 0, BeamSampling::Buckets, random).front().options;
  };
  EXPECT_EQ(orderOf(5), orderOf(5));
  EXPECT_NE(orderOf(5), orderOf(6));
}

TEST(Sampling, MayTakeAll) {
  BeamRandom random(1);
  EXPECT_EQ(bucketsOf(kFunc, options(), 0, BeamSampling::All, random).front().wanted, 40U);
}

} // namespace
} // namespace tessera::search
