// SPDX-License-Identifier: MIT
#include "engine/measure/verified_output.h"

#include "tests/engine/host/scratch_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace tessera::measure::test {
namespace {

array::Array floats(const std::vector<float> &numbers) {
  array::Array made{{pipeline::TypeKind::Float, 32},
                    {static_cast<std::int64_t>(numbers.size())},
                    std::vector<std::uint8_t>(numbers.size() * sizeof(float)),
                    0};
  std::memcpy(made.data.data(), numbers.data(), made.data.size());
  return made;
}

class VerifiedOutputTest : public host::test::ScratchTest {
protected:
  // The expected output is 100 everywhere, and `found` is the output that was found.
  VerifiedOutput read(const std::vector<float> &found, std::int64_t undecided, double worstError) {
    EXPECT_TRUE(writeArray(folder() + "/out.npy", floats(found)));
    EXPECT_TRUE(
        writeArray(folder() + "/out.expected.npy", floats(std::vector<float>(found.size(), 100))));
    report::OutputComparison comparison;
    comparison.name = "out";
    comparison.rule = report::ComparisonRule::Relative;
    comparison.tolerance = 1e-4;
    comparison.undecided = undecided;
    comparison.worstError = worstError;
    auto output = readVerifiedOutput(folder(), comparison);
    EXPECT_TRUE(output);
    return output ? *output : VerifiedOutput();
  }
};

TEST_F(VerifiedOutputTest, ErrorsAreInWhatIsAllowed) {
  const VerifiedOutput output = read({100, 100.02F, 150}, 0, 0.5);
  ASSERT_EQ(output.errors.size(), 3U);
  EXPECT_EQ(output.errors[0], 0);
  EXPECT_NEAR(output.errors[1], 2, 0.01);
  EXPECT_NEAR(output.errors[2], 5000, 1);
  EXPECT_TRUE(std::isinf(output.excused)); // nothing was excused
}

// The second value is off by twice the tolerance and counts. The third is further off and does not
// count, as rounding decides it.
TEST_F(VerifiedOutputTest, WhatIsFurtherOffThanTheWorstThatCountsIsExcused) {
  const VerifiedOutput output = read({100, 100.02F, 150}, 1, 2e-4);
  EXPECT_NEAR(output.excused, 2, 1e-6);
  EXPECT_GT(output.errors[2], output.excused);
}

} // namespace
} // namespace tessera::measure::test
