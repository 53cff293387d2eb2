// SPDX-License-Identifier: MIT
#include "engine/machine/architecture.h"

#include <gtest/gtest.h>

namespace tessera::machine {
namespace {

TEST(Architecture, IsNamedAfterItsComputeCapability) {
  EXPECT_EQ(architectureName(9, 0), "sm_90");
  EXPECT_EQ(architectureName(12, 1), "sm_121");
  EXPECT_EQ(architectureName(6, 1), "sm_61") << "whether ptxas knows it or not";
}

TEST(Architecture, IsTheGpusOwnWherePtxasKnowsIt) {
  EXPECT_EQ(assembledArchitecture(7, 5), "sm_75");
  EXPECT_EQ(assembledArchitecture(8, 6), "sm_86");
  EXPECT_EQ(assembledArchitecture(9, 0), "sm_90");
  EXPECT_EQ(assembledArchitecture(12, 1), "sm_121");
}

TEST(Architecture, IsTheNearestThatPtxasKnowsElse) {
  EXPECT_EQ(assembledArchitecture(13, 0), "sm_121") << "newer than any";
  EXPECT_EQ(assembledArchitecture(9, 9), "sm_90") << "between two";
  EXPECT_EQ(assembledArchitecture(7, 2), "sm_75") << "older than any";
  EXPECT_EQ(assembledArchitecture(0, 0), "sm_75") << "not known at all";
}

} // namespace
} // namespace tessera::machine
