// SPDX-License-Identifier: MIT
#include "engine/open/open.h"

#include <gtest/gtest.h>

namespace tessera::open {
namespace {

TEST(Estimate, ReadsBuffersAndScalars) {
  const auto buffer = parseEstimate("input=0:1536,-2:2560");
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->name, "input");
  ASSERT_EQ(buffer->dims.size(), 2U);
  EXPECT_EQ(buffer->dims[0], (pipeline::Interval{0, 1535}));
  EXPECT_EQ(buffer->dims[1], (pipeline::Interval{-2, 2557}));

  const auto scalar = parseEstimate("sigma=1.5");
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->scalar, "1.5");
  EXPECT_TRUE(scalar->dims.empty());
}

class EstimateRefuses : public testing::TestWithParam<const char *> {};

TEST_P(EstimateRefuses, WithTheSyntax) {
  const auto read = parseEstimate(GetParam());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Usage);
  EXPECT_NE(read.error().message.find(GetParam()), std::string::npos);
  EXPECT_NE(read.error().hint.find("name=min:extent"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Texts, EstimateRefuses,
                         testing::Values("x", "=1", "x=", "x=0:0", "x=0:-3", "x=a:4", "x=0:4,",
                                         "x=1,2", "x=0:4,5", "x=0:4:5", "x=0:99999999999",
                                         "x=9999999999999999999999:1"));

} // namespace
} // namespace tessera::open
