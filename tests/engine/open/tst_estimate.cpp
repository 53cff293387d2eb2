// SPDX-License-Identifier: MIT
#include "engine/open/open.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

struct Written {
  const char *text;
  std::vector<pipeline::Interval> dims;
};
class EstimateReadsSizes : public testing::TestWithParam<Written> {};

TEST_P(EstimateReadsSizes, AsPeopleWriteThem) {
  const auto read = parseEstimate(GetParam().text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name, "in");
  EXPECT_EQ(read->dims, GetParam().dims);
  EXPECT_EQ(read->scalar, "");
}

const std::vector<pipeline::Interval> kScreen{{0, 1023}, {0, 767}};
const std::vector<pipeline::Interval> kColour{{0, 1023}, {0, 767}, {0, 2}};

INSTANTIATE_TEST_SUITE_P(
    Texts, EstimateReadsSizes,
    testing::Values(Written{"in=1024×768", kScreen}, Written{"in=1024x768", kScreen},
                    Written{"in=1024X768", kScreen}, Written{"in=1024*768", kScreen},
                    Written{"in=1024 × 768", kScreen}, Written{" in = 1024 x 768 ", kScreen},
                    Written{"in=1024 * 768", kScreen}, Written{"in=1024x768x3", kColour},
                    Written{"in=1024×768 x 3", kColour}, Written{"in=0:1024, 0:768", kScreen},
                    Written{"in = 0 : 1024 , 0 : 768", kScreen}));

TEST(Estimate, TellsValuesFromSizes) {
  for (const char *value : {"max", "1e5", "x", "-2", "0.5x", "three x 4", "true", "1024"}) {
    const auto read = parseEstimate("in=" + std::string(value));
    ASSERT_TRUE(read) << value;
    EXPECT_EQ(read->scalar, value);
    EXPECT_TRUE(read->dims.empty()) << value;
  }
}

TEST(Estimate, OneNumberIsTheSizeOfABufferOfOneDimension) {
  EstimateOverride bins = *parseEstimate("bins=256");
  EXPECT_TRUE(readAsSize(bins));
  EXPECT_EQ(textOf(bins), "bins=0:256");
  EstimateOverride sigma = *parseEstimate("sigma=1.5"), none = *parseEstimate("none=0");
  EXPECT_FALSE(readAsSize(sigma));
  EXPECT_FALSE(readAsSize(none));
  EXPECT_EQ(textOf(sigma), "sigma=1.5");
}

class EstimateRefuses : public testing::TestWithParam<const char *> {};

TEST_P(EstimateRefuses, WithTheSyntax) {
  const auto read = parseEstimate(GetParam());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Usage);
  EXPECT_NE(read.error().message.find(GetParam()), std::string::npos);
  EXPECT_NE(read.error().hint.find("name=1536×2560"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Texts, EstimateRefuses,
                         testing::Values("x", "=1", "x=", "x=0:0", "x=0:-3", "x=a:4", "x=0:4,",
                                         "x=1,2", "x=0:4,5", "x=4×", "x=×4", "x=4xx4", "x=4x0",
                                         " = 4x4", "x=0:4x0:4", "x=0:4:5", "x=0:99999999999",
                                         "x=9999999999999999999999:1"));

} // namespace
} // namespace tessera::open
