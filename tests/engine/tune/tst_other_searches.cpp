// SPDX-License-Identifier: MIT
#include "engine/tune/other_searches.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera::tune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

search::Problem problem() {
  const auto pipeline =
      pipeline::test::sketch("input in 2050 2050\n"
                             "func a(x y) 2049 2049 = in(x; y) in(x+1; y) in(x; y+1)\n"
                             "func b(x y) 2048 2048 = a(x; y) a(x+1; y) a(x; y+1)\n"
                             "output b\n");
  return {schedule::defaultSchedule(pipeline), {}, 1};
}

std::vector<search::Candidate> all(OtherSearches &searches) {
  while (!searches.isOver())
    std::this_thread::sleep_for(1ms);
  return searches.take();
}

TEST(OtherSearches, FindWhatIsLegalAndSayWhatItTakesOnTheMachineAsItIs) {
  OtherSearches searches("auto", problem(), 12, Clock::now() + 60s);
  const std::vector<search::Candidate> found = all(searches);
  ASSERT_EQ(found.size(), 12U);
  std::set<std::uint64_t> hashes;
  for (const search::Candidate &candidate : found) {
    EXPECT_TRUE(schedule::isLegal(candidate.schedule, {}));
    EXPECT_DOUBLE_EQ(candidate.seconds, cost::predict(candidate.schedule, {}).seconds);
    hashes.insert(candidate.schedule.hash());
  }
  EXPECT_GT(hashes.size(), 1U);
  EXPECT_TRUE(searches.take().empty());
}

TEST(OtherSearches, SayHowFarTheyAreAndStopWhenAskedTo) {
  std::vector<double> parts;
  std::stop_source source;
  const auto found = searchedOtherwise("auto", problem(), 4, source.get_token(),
                                       [&](const job::Progress &progress) {
                                         parts.push_back(progress.fraction);
                                         if (parts.size() == 4) source.request_stop();
                                       });
  EXPECT_EQ(parts, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(found.size(), 3U);
}

TEST(OtherSearches, EndInTimeAndWhenTheyAreLeft) {
  OtherSearches late("auto", problem(), 12, Clock::now());
  EXPECT_TRUE(all(late).empty());
  { const OtherSearches left("auto", problem(), 1'000'000, Clock::now() + 1h); }
}

} // namespace
} // namespace tessera::tune
