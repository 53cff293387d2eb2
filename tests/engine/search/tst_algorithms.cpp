// SPDX-License-Identifier: MIT
#include "engine/search/algorithms.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::search {
namespace {

using ::testing::HasSubstr;

Problem smallProblem() {
  return {schedule::defaultSchedule(pipeline::test::sketch("func f(x) 64 = \noutput f\n")), {}};
}

TEST(Algorithms, AutoIsTheDefault) {
  ASSERT_FALSE(algorithms().empty());
  EXPECT_EQ(algorithms().front().name, "auto");
}

TEST(Algorithms, EachIsMadeByItsName) {
  for (const Algorithm &one : algorithms()) {
    const auto search = makeSearch(one.name, smallProblem());
    ASSERT_TRUE(search) << one.name;
    EXPECT_EQ((*search)->best().schedule, smallProblem().start) << one.name;
    EXPECT_FALSE(one.description.empty()) << one.name;
  }
}

TEST(Algorithms, AnUnknownOneIsToldWhichThereAre) {
  const auto search = makeSearch("magic", smallProblem());
  ASSERT_FALSE(search);
  EXPECT_EQ(search.error().code, ErrorCode::Usage);
  EXPECT_EQ(search.error().message, "no algorithm is called 'magic'");
  for (const Algorithm &one : algorithms())
    EXPECT_THAT(search.error().hint, HasSubstr(one.name));
}

} // namespace
} // namespace tessera::search
