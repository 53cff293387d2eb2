// SPDX-License-Identifier: MIT
#include "engine/chart/kernel_colours.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::chart {
namespace {

using ::testing::ElementsAre;
using Kernels = std::vector<ColouredKernel>;

std::vector<int> coloursOf(const Kernels &kernels) {
  std::vector<int> colours;
  for (const ColouredKernel &kernel : kernels)
    colours.push_back(kernel.colour);
  return colours;
}

TEST(KernelColours, TheFirstScheduleCountsFromOne) {
  EXPECT_THAT(coloursOf(withColours({{"a", {}}, {"b", {}}, {"c", {}}}, {})), ElementsAre(1, 2, 3));
}

// The third kernel becomes the second launch, but keeps its colour.
TEST(KernelColours, AKernelKeepsItsColourWhenAnotherGoes) {
  const Kernels before = withColours({{"a", {}}, {"b", {}}, {"c", {}}}, {});
  const Kernels fused = withColours({{"b", {"a"}}, {"c", {}}}, before);
  EXPECT_THAT(coloursOf(fused), ElementsAre(2, 3));
  // The kernel that comes back counts as new, because it was not shown in between.
  EXPECT_THAT(coloursOf(withColours({{"a", {}}, {"b", {}}, {"c", {}}}, fused)),
              ElementsAre(1, 2, 3));
}

TEST(KernelColours, ANewKernelDoesNotTakeTheColourOfOneThatJustWent) {
  const Kernels before = withColours({{"a", {}}, {"b", {}}}, {});
  EXPECT_THAT(coloursOf(withColours({{"new", {}}, {"b", {}}}, before)), ElementsAre(3, 2));
}

// A shown schedule already has colours of its own, counted from 1. They are ignored here.
TEST(KernelColours, ColoursOfTheirOwnDoNotCount) {
  const Kernels before = withColours({{"a", {}}, {"b", {}}}, {});
  const Kernels alone = withColours({{"new", {}}, {"b", {}}}, {});
  EXPECT_THAT(coloursOf(withColours(alone, before)), ElementsAre(3, 2));
  EXPECT_THAT(coloursOf(withColours(withColours({{"c", {"b"}}}, {}), before)), ElementsAre(2));
}

// Stages move into the blocks of another owner, but it is mostly the same kernel.
TEST(KernelColours, WithAnotherOwnerTheMostStagesDecide) {
  const Kernels before = withColours({{"a", {"x"}}, {"b", {"y", "z"}}}, {});
  EXPECT_THAT(coloursOf(withColours({{"c", {"y", "z", "x"}}, {"d", {"a"}}}, before)),
              ElementsAre(2, 1));
}

// One kernel becomes two. The one with the old owner keeps the colour.
TEST(KernelColours, OnlyOneKernelInheritsAColour) {
  const Kernels before = withColours({{"a", {"b", "c"}}}, {});
  EXPECT_THAT(coloursOf(withColours({{"b", {"c"}}, {"a", {}}}, before)), ElementsAre(2, 1));
}

TEST(KernelColours, AThousandKernelsKeepTheirsWhateverTheOrder) {
  Kernels kernels;
  for (int i = 0; i < 1000; ++i)
    kernels.push_back({"k" + std::to_string(i), {}});
  const Kernels before = withColours(kernels, {});
  std::ranges::reverse(kernels);
  const Kernels after = withColours(kernels, before);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(after[std::size_t(i)].colour, 1000 - i);
}

} // namespace
} // namespace tessera::chart
