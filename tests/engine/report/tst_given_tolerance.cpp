// SPDX-License-Identifier: MIT
#include "engine/report/given_tolerance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::report {
namespace {

using ::testing::HasSubstr;

TEST(GivenTolerance, IsReadAsItWasWritten) {
  const GivenTolerance all{.relative = 1e-3, .absolute = 2, .share = 0.01};
  EXPECT_EQ(textOf(all), "rel=0.001,abs=2,share=0.01");
  const auto read = givenToleranceFrom(textOf(all));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, all);
  EXPECT_EQ(*givenToleranceFrom("share=1,rel=1e-3"),
            (GivenTolerance{.relative = 1e-3, .share = 1}));
  EXPECT_EQ(textOf({}), "");
  EXPECT_TRUE(GivenTolerance{}.isNothing());
}

TEST(GivenTolerance, NothingElseIsRead) {
  for (const char *wrong : {"", "0.1", "rel", "rel=", "rel=much", "rel=-1", "rel=nan", "rel=inf",
                            "rel=1,", "rel=1,rel=2", "share=1.5", "relative=1", "rel=1 abs=2"}) {
    const auto read = givenToleranceFrom(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_THAT(read.error().message, HasSubstr("is not a tolerance"));
    EXPECT_THAT(read.error().hint, HasSubstr("rel=1e-3,abs=1,share=0.01"));
  }
}

} // namespace
} // namespace tessera::report
