// SPDX-License-Identifier: MIT
#include "engine/job/progress_throttle.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace tessera::job {
namespace {

using Time = ProgressThrottle::Time;
using std::chrono::milliseconds;

const Time kStart{std::chrono::seconds(1000)};

struct Listener {
  std::vector<std::string> heard;
  ProgressThrottle throttle{[this](const Progress &progress) { heard.push_back(progress.phase); }};
};

using Words = std::vector<std::string>;

TEST(ProgressThrottle, TheFirstPassesAtOnceTheLastWhenItsTimeHasCome) {
  Listener listener;
  EXPECT_FALSE(listener.throttle.report({"a"}, kStart));
  EXPECT_TRUE(listener.throttle.report({"b"}, kStart + milliseconds(1)));
  EXPECT_FALSE(listener.throttle.report({"c"}, kStart + milliseconds(2))) << "b already waits";
  EXPECT_EQ(listener.heard, (Words{"a"}));
  EXPECT_EQ(listener.throttle.due(), kStart + ProgressThrottle::kSpacing);
  listener.throttle.deliverDue(kStart + milliseconds(3));
  EXPECT_EQ(listener.heard, (Words{"a"}));
  listener.throttle.deliverDue(kStart + milliseconds(34));
  EXPECT_EQ(listener.heard, (Words{"a", "c"}));
  EXPECT_EQ(listener.throttle.due(), std::nullopt);
}

TEST(ProgressThrottle, FinishDeliversWhatWasHeldBack) {
  Listener listener;
  listener.throttle.report({"a"}, kStart);
  listener.throttle.report({"b"}, kStart);
  listener.throttle.finish();
  listener.throttle.report({"late"}, kStart + milliseconds(500));
  EXPECT_EQ(listener.heard, (Words{"a", "b"}));
}

TEST(ProgressThrottle, SilenceDropsIt) {
  Listener listener;
  listener.throttle.report({"a"}, kStart);
  listener.throttle.report({"b"}, kStart);
  listener.throttle.silence();
  listener.throttle.finish();
  EXPECT_EQ(listener.heard, (Words{"a"}));
}

TEST(ProgressThrottle, NeverMoreThanThirtyInASecondAndTheLastAlways) {
  EXPECT_TRUE(rc::check("any rhythm of reports", [](const std::vector<std::uint8_t> &gaps) {
    std::vector<std::pair<Time, double>> heard;
    Time now = kStart;
    ProgressThrottle throttle(
        [&](const Progress &progress) { heard.emplace_back(now, progress.fraction); });
    double last = 0;
    for (const std::uint8_t gap : gaps) {
      now += milliseconds(gap);
      throttle.report({"", ++last}, now);
    }
    for (std::size_t i = 30; i < heard.size(); ++i)
      RC_ASSERT(heard[i].first - heard[i - 30].first >= milliseconds(999));
    throttle.finish();
    if (!gaps.empty())
      RC_ASSERT(heard.back().second == last); // no ||, as RC_ASSERT evaluates both sides
  }));
}

} // namespace
} // namespace tessera::job
