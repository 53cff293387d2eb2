// SPDX-License-Identifier: MIT
#include "engine/bench/spread.h"

#include <gtest/gtest.h>

namespace tessera::bench {
namespace {

TEST(Spread, OfEleven) {
  const Spread spread = spreadOf({11, 1, 10, 2, 9, 3, 8, 4, 7, 5, 6});
  EXPECT_EQ(spread, (Spread{6, 3, 9, 11}));
}

TEST(Spread, OfAnEvenNumber) { EXPECT_EQ(spreadOf({1, 2, 3, 10}), (Spread{2.5, 2, 10, 4})); }

TEST(Spread, OfOne) { EXPECT_EQ(spreadOf({5}), (Spread{5, 5, 5, 1})); }

TEST(Spread, OfNone) { EXPECT_FALSE(spreadOf({}).measured()); }

} // namespace
} // namespace tessera::bench
