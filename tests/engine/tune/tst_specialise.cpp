// SPDX-License-Identifier: MIT
#include "engine/tune/specialise.h"

#include "tests/engine/schedule/scheduled.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {
namespace {

using machine::Machine;
using schedule::Schedule;
using schedule::testing::scheduled;
using testing::HasSubstr;

// Two stencils over an image of this size.
std::string stencils(int width, int height) {
  const std::string size = " " + std::to_string(width) + " " + std::to_string(height) + " ";
  return "func rows(x y)" + size + "sine = \n" + "func sums(x y)" + size +
         "= rows(x-1; y) rows(x; y) rows(x+1; y)\n" + "func out(x y)" + size +
         "= sums(x; y-1) sums(x; y) sums(x; y+1)\noutput out\n";
}

SizedProblem sized(const std::string &name, const std::string &pipeline,
                   const std::string &start = {}) {
  const Schedule none = scheduled(pipeline, "");
  return {name,
          {start.empty() ? schedule::defaultSchedule(none.base()) : scheduled(pipeline, start),
           Machine{}}};
}

Specialised specialised(const std::vector<SizedProblem> &problems) {
  auto result = specialise("auto", problems, {}, {});
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

double predictedAt(const Schedule &schedule, const SizedProblem &at) {
  const auto there = carriedOver(schedule, at.problem.start.base());
  EXPECT_TRUE(there) << there.error().message;
  EXPECT_TRUE(schedule::isLegal(*there, at.problem.machine));
  return cost::predict(*there, at.problem.machine).seconds;
}

TEST(Specialise, SaysWhatEachTakesAtEachSize) {
  const std::vector problems{sized("small", stencils(160, 120)),
                             sized("large", stencils(4000, 3000))};
  const Specialised result = specialised(problems);
  EXPECT_FALSE(result.cancelled);
  ASSERT_EQ(result.runs.size(), 2U);
  ASSERT_EQ(result.best.size(), 2U);
  for (std::size_t at = 0; at < 2; ++at) {
    const AcrossSizes &best = result.best[at];
    EXPECT_EQ(best.schedule.base(), problems[at].problem.start.base());
    EXPECT_LE(*best.seconds[at], result.runs[at].best.seconds);
    for (const AcrossSizes &of : result.best) {
      ASSERT_EQ(of.seconds.size(), 2U);
      if (!of.seconds[at]) continue;
      EXPECT_DOUBLE_EQ(*of.seconds[at], predictedAt(of.schedule, problems[at]));
      EXPECT_GE(*of.seconds[at], *best.seconds[at]) << "else it would be the best there";
    }
  }
}

TEST(Specialise, TheOneForAllLosesLeastOnTheGeometricMean) {
  const std::vector problems{sized("small", stencils(160, 120)),
                             sized("large", stencils(4000, 3000))};
  const Specialised result = specialised(problems);
  ASSERT_TRUE(result.common);
  const auto worthOf = [&](const AcrossSizes &one) {
    return std::sqrt(*one.seconds[0] / *result.best[0].seconds[0] * *one.seconds[1] /
                     *result.best[1].seconds[1]);
  };
  EXPECT_NEAR(worthOf(*result.common), result.worth, 1e-9);
  EXPECT_GT(result.worth, 1) << "160×120 fills few multiprocessors with the tiles of 4000×3000";
  for (const AcrossSizes &best : result.best)
    if (best.seconds[0] && best.seconds[1] && best.isOneText) {
      EXPECT_GE(worthOf(best), result.worth - 1e-9);
    }
  // The common schedule lowers to the same directives at both sizes.
  const auto there = carriedOver(result.common->schedule, problems[1].problem.start.base());
  ASSERT_TRUE(there);
  EXPECT_EQ(schedule::lower(*there), schedule::lower(result.common->schedule));
}

TEST(Specialise, ForTheSameSizeTwiceIsWorthNothing) {
  const Specialised result =
      specialised({sized("one", stencils(640, 480)), sized("other", stencils(640, 480))});
  ASSERT_TRUE(result.common);
  EXPECT_DOUBLE_EQ(result.worth, 1);
  EXPECT_DOUBLE_EQ(*result.best[0].seconds[0], *result.best[1].seconds[1]);
}

// Tiles of 256 with shift_inwards do not fit into a width of 48. With guards they fit, but then
// each copy of the unrolled loop body waits for the copy before it.
const char *const kShifted = "out split x xo xi 256 shift_inwards | split xi xt xu 4 auto | "
                             "reorder xu xt xo y | unroll xu | "
                             "gpu_blocks xo y | gpu_threads xt";

TEST(Specialise, SaysWhyAScheduleIsOfNoUseAtASizeAndGuardsTheOneForAll) {
  std::vector problems{sized("small", stencils(48, 48),
                             "out split x xo xi 16 auto | gpu_blocks xo y | gpu_threads xi"),
                       sized("large", stencils(4000, 3000), kShifted)};
  for (SizedProblem &one : problems)
    one.problem.evaluations = 0; // no search: the result is the start
  const Specialised result = specialised(problems);
  const AcrossSizes &large = result.best[1];
  EXPECT_EQ(large.schedule, problems[1].problem.start);
  ASSERT_FALSE(large.seconds[0]);
  EXPECT_THAT(large.seconds[0].error().message,
              HasSubstr("tiles of 256 over an extent of 48, with the tail 'shift_inwards', reach "
                        "beyond the end"));
  ASSERT_TRUE(result.common);
  EXPECT_EQ(result.common->foundFor, 1U);
  EXPECT_THAT(schedule::testing::loweredText(result.common->schedule), HasSubstr("guard_with_if"));
  EXPECT_TRUE(result.common->seconds[0]);
}

TEST(Specialise, GuardsNothingThatIsFrozen) {
  SizedProblem small = sized("small", stencils(48, 48),
                             "out split x xo xi 16 auto | gpu_blocks xo y | gpu_threads xi");
  SizedProblem large = sized("large", stencils(4000, 3000), kShifted);
  Schedule &start = large.problem.start;
  start.setMark({schedule::testing::funcOf(start, "out")}, {schedule::Origin::User, true});
  // No search: the results are the starts.
  small.problem.evaluations = large.problem.evaluations = 0;
  const Specialised result = specialised({small, large});
  EXPECT_FALSE(result.best[1].seconds[0]);
  ASSERT_TRUE(result.common);
  EXPECT_EQ(result.common->foundFor, 0U);
}

TEST(Specialise, WithoutOneForAllThereIsNone) {
  const Specialised result = specialised({sized("a", "func f(x) 100000 sine = \noutput f\n"),
                                          sized("b", "func g(x) 100000 sine = \noutput g\n")});
  EXPECT_FALSE(result.common);
  ASSERT_FALSE(result.best[0].seconds[1]);
  EXPECT_THAT(result.best[0].seconds[1].error().message, HasSubstr("there is no func 'f'"));
  EXPECT_TRUE(result.best[0].seconds[0]);
}

TEST(Specialise, StoppedItComparesWhatWasFound) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector problems{sized("small", stencils(160, 120)),
                             sized("large", stencils(4000, 3000))};
  const auto result = specialise("auto", problems, stop.get_token(), {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->cancelled);
  for (std::size_t s = 0; s < 2; ++s)
    EXPECT_EQ(result->runs[s].best.schedule, problems[s].problem.start);
  EXPECT_TRUE(result->common);
}

TEST(Specialise, TellsHowFarItIsOfAll) {
  std::vector<job::Progress> told;
  const auto result =
      specialise("auto", {sized("small", stencils(160, 120)), sized("large", stencils(640, 480))},
                 {}, [&](const job::Progress &progress) { told.push_back(progress); });
  ASSERT_TRUE(result);
  ASSERT_GE(told.size(), 2U);
  EXPECT_TRUE(told.front().phase.starts_with("small: "));
  EXPECT_TRUE(told.back().phase.starts_with("large: "));
  EXPECT_TRUE(std::ranges::is_sorted(told, {}, &job::Progress::fraction));
  EXPECT_GE(told.back().fraction, 0.5);
}

TEST(Specialise, ErrorsNameTheSizes) {
  const auto result =
      specialise("auto",
                 {sized("fine", stencils(64, 64)),
                  sized("wide", stencils(4000, 64),
                        "out split x xo xi 2048 auto | gpu_blocks xo y | gpu_threads xi")},
                 {}, {});
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().message.starts_with("wide: the schedule to start from is not legal"))
      << result.error().message;
}

// --- carrying a schedule over to another size

TEST(CarriedOver, KeepsCallsCapAndMarks) {
  Schedule there = scheduled(
      stencils(640, 480), "out split x xo xi 32 guard_with_if | gpu_blocks xo y | gpu_threads xi\n"
                          "sums compute_at out:xi\nrows compute_root");
  there.set(schedule::Settings{96, {}});
  const schedule::DecisionKey key{schedule::testing::funcOf(there, "out")};
  there.setMark(key, {schedule::Origin::User, true});
  const auto here = carriedOver(there, scheduled(stencils(64, 64), "").base());
  ASSERT_TRUE(here) << here.error().message;
  EXPECT_EQ(schedule::lower(*here), schedule::lower(there));
  EXPECT_EQ(here->settings().registerCap, 96);
  EXPECT_EQ(here->mark(key), there.mark(key));
}

// Schedule calls or promises that fit the size 640 × 480 but not 320 × 1200.
struct Relies {
  const char *what;
  std::string calls;
  std::vector<report::Promise> promises;
  std::string why;
};
class CarriedOverRefuses : public testing::TestWithParam<Relies> {};

TEST_P(CarriedOverRefuses, WhatDoesNotHoldThere) {
  Schedule of = scheduled(stencils(640, 480), GetParam().calls);
  of.set(schedule::Settings{64, GetParam().promises});
  EXPECT_TRUE(carriedOver(of, scheduled(stencils(640, 480), "").base())) << "the same size";
  const auto refused = carriedOver(of, scheduled(stencils(320, 1200), "").base());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, CarriedOverRefuses,
    testing::Values(
        Relies{"promised extent",
               "",
               {{"out", 0, {}, 640, {}}},
               "an extent of 640 is promised for out in dimension 0, but it is 320"},
        Relies{"promised minimum",
               "",
               {{"out", 1, 0, 480, {}}},
               "an extent of 480 is promised for out in dimension 1, but it is 1200"},
        Relies{"bound of an output",
               "out bound_extent y 480",
               {},
               "out is bounded to 480 in dimension 1, but its extent is 1200"},
        Relies{"bound of what is kept",
               "sums compute_root | bound_storage y 482",
               {},
               "storage for 482 elements of sums is kept in dimension 1, but 1200 are needed"}),
    [](const auto &row) {
      std::string name = row.param.what;
      std::ranges::replace(name, ' ', '_');
      return name;
    });

} // namespace
} // namespace tessera::tune
