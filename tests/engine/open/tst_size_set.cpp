// SPDX-License-Identifier: MIT
#include "engine/open/size_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::open {
namespace {

using testing::HasSubstr;

TEST(SizeSets, AreNamedByTheUserByTheirSizeOrByNumber) {
  const auto sets = parseSizeSets({"paper-large", "720p: output=0:1280,0:720 input=0:1282,0:722",
                                   "output=0:64,0:64", "4K: paper-large; sigma=2"});
  ASSERT_TRUE(sets) << sets.error().message;
  ASSERT_EQ(sets->size(), 4U);
  const auto &[large, hd, third, uhd] = std::tie((*sets)[0], (*sets)[1], (*sets)[2], (*sets)[3]);
  EXPECT_EQ(large.name, "paper-large");
  EXPECT_EQ(large.size, "paper-large");
  EXPECT_TRUE(large.estimates.empty());
  EXPECT_EQ(hd.name, "720p");
  EXPECT_EQ(hd.size, "");
  ASSERT_EQ(hd.estimates.size(), 2U);
  EXPECT_EQ(hd.estimates[0].name, "output");
  EXPECT_EQ(hd.estimates[1].dims[1], (pipeline::Interval{0, 721}));
  EXPECT_EQ(third.name, "set3");
  EXPECT_EQ(uhd.name, "4K");
  EXPECT_EQ(uhd.size, "paper-large");
  ASSERT_EQ(uhd.estimates.size(), 1U);
  EXPECT_EQ(uhd.estimates[0].scalar, "2");
}

TEST(SizeSets, AreWrittenAsPeopleWriteThem) {
  const auto sets =
      parseSizeSets({"HD: in=1280 x 720 x 3 out = 1280 × 720", "in=0:64, 0:48 paper-large sigma=2",
                     "in=64x 48 mode=max x2", "a: in=64 ,0:48"});
  ASSERT_FALSE(sets) << "64 without its minimum";
  EXPECT_THAT(sets.error().message, HasSubstr("'in=64 ,0:48' is not an estimate"));
  const auto good = parseSizeSets({"HD: in=1280 x 720 x 3 out = 1280 × 720",
                                   "in=0:64, 0:48 paper-large sigma=2", "in=64x 48 mode=max x2"});
  ASSERT_TRUE(good) << good.error().message;
  const SizeSet &hd = (*good)[0], &large = (*good)[1], &named = (*good)[2];
  ASSERT_EQ(hd.estimates.size(), 2U);
  EXPECT_EQ(textOf(hd.estimates[0]), "in=0:1280,0:720,0:3");
  EXPECT_EQ(textOf(hd.estimates[1]), "out=0:1280,0:720");
  EXPECT_EQ(large.size, "paper-large");
  ASSERT_EQ(large.estimates.size(), 2U);
  EXPECT_EQ(textOf(large.estimates[0]), "in=0:64,0:48");
  EXPECT_EQ(named.size, "x2");
  EXPECT_EQ(textOf(named.estimates[0]), "in=0:64,0:48");
}

TEST(SizeSets, AreAskedForAfterWhatHoldsForAll) {
  OpenRequest request{"blur.hlpipe"};
  request.estimates = {*parseEstimate("sigma=1")};
  const OpenRequest asked =
      withSizes(request, parseSizeSets({"big: paper-large sigma=2"})->front());
  EXPECT_EQ(asked.path, "blur.hlpipe");
  EXPECT_EQ(asked.size, "paper-large");
  ASSERT_EQ(asked.estimates.size(), 2U);
  EXPECT_EQ(asked.estimates[0].scalar, "1");
  EXPECT_EQ(asked.estimates[1].scalar, "2") << "the last one wins";
}

struct Refused {
  std::vector<std::string> texts;
  std::string why;
};
class SizeSetsRefuse : public testing::TestWithParam<Refused> {};

TEST_P(SizeSetsRefuse, WithTheReason) {
  const auto sets = parseSizeSets(GetParam().texts);
  ASSERT_FALSE(sets);
  EXPECT_EQ(sets.error().code, ErrorCode::Usage);
  EXPECT_THAT(sets.error().message, HasSubstr(GetParam().why));
  EXPECT_THAT(sets.error().hint, HasSubstr("rite"));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, SizeSetsRefuse,
    testing::Values(Refused{{""}, "it has no size"}, Refused{{" ; "}, "it has no size"},
                    Refused{{"720p:"}, "it has no size"},
                    Refused{{"../a: paper"}, "its name may only have letters"},
                    Refused{{".a: paper"}, "its name may only have letters"},
                    Refused{{": paper"}, "its name may only have letters"},
                    Refused{{"paper-small paper-large"}, "it names two sizes"},
                    Refused{{"a: output=0:0"}, "'output=0:0' is not an estimate"},
                    Refused{{"paper", "a: x=1", "paper"}, "another set is called 'paper' too"}));

} // namespace
} // namespace tessera::open
