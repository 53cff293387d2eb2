// SPDX-License-Identifier: MIT
#include "engine/search/beam/freezing.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

// Section 4, with the paper's three numbers of stages.
TEST(Freezing, LeavesALogarithm) {
  EXPECT_EQ(frozenCount(13), 9U);
  EXPECT_EQ(frozenCount(34), 28U);
  EXPECT_EQ(frozenCount(103), 96U);
  EXPECT_EQ(frozenCount(1), 1U);
  EXPECT_EQ(frozenCount(0), 0U);
}

} // namespace
} // namespace tessera::search
