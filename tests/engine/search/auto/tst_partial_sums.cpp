// SPDX-License-Identifier: MIT
#include "engine/search/auto/partial_sums.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/schedule_json.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <variant>

namespace tessera::search {
namespace {

using machine::Machine;
using pipeline::test::sketch;
using schedule::Factored;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Searched;
using testing::searched;

// Sums with few points and many steps for each point.
const std::string kScalar = "input in 4096 4096\n"
                            "func s() = \n"
                            "update s() rx:0:4096 ry:0:4096 commutative = s() in(rx; ry)\n"
                            "output s\n";
const std::string kChannels = "input in 2048 2048 3\n"
                              "func s(c) 3 = \n"
                              "update s(c) rx:0:2048 ry:0:2048 commutative = s(c) in(rx; ry; c)\n"
                              "func f(x y c) 2048 2048 3 = in(x; y; c) s(c)\n"
                              "output f\n";
const std::string kLongRows = "input in 256 65536\n"
                              "func h(i) 256 = \n"
                              "update h(i) q:0:65536 commutative = h(i) in(i; q)\n"
                              "func f(x y) 256 65536 = in(x; y) h(x)\n"
                              "output f\n";
// A histogram of each row, and one of the whole image.
const std::string kHistograms = "input in 1536 2560\n"
                                "func g(i y) 256 2560 int32 = \n"
                                "update g(? y) r:0:1536 commutative = g(?; y) in(r; y)\n"
                                "func h(i) 256 int32 = \n"
                                "update h(i) q:0:2560 commutative = h(i) g(i; q)\n"
                                "func f(x y) 1536 2560 = in(x; y) h(?)\n"
                                "output f\n";

Schedule startOf(const std::string &text) { return schedule::defaultSchedule(sketch(text)); }

std::vector<Factored> partsOf(const Schedule &schedule) {
  std::vector<Factored> parts;
  for (const schedule::Derivation &derivation : schedule.derivations())
    if (const auto *one = std::get_if<Factored>(&derivation)) parts.push_back(*one);
  return parts;
}

// --- which sums are split into parts

TEST(SumsToPart, AreThoseWithManyStepsAndFewThreads) {
  EXPECT_THAT(sumsToPart(startOf(kLongRows), {}), ElementsAre(Sum{"h", 1}));
  EXPECT_THAT(sumsToPart(startOf(kScalar), {}), ElementsAre(Sum{"s", 1}));
}

TEST(SumsToPart, AreNoneOfManyPoints) {
  EXPECT_THAT(sumsToPart(startOf("input in 2048 2048\n"
                                 "func s(x y) 2048 2048 = \n"
                                 "update s(x y) r:0:2048 commutative = s(x; y) in(x; r) in(r; y)\n"
                                 "output s\n"),
                         {}),
              IsEmpty());
}

TEST(SumsToPart, AreNoneWhoseStepsHaveAnOrder) {
  EXPECT_THAT(sumsToPart(startOf("input in 4096 4096\n"
                                 "func s() = \n"
                                 "update s() rx:0:4096 ry:0:4096 = s() in(rx; ry)\n"
                                 "output s\n"),
                         {}),
              IsEmpty());
}

TEST(SumsToPart, AreNoneThatIsThereInPartsAlready) {
  Schedule schedule = startOf(kLongRows);
  ASSERT_TRUE(schedule.add(Factored{"part", "h", 1, {}, {{"q", "u"}}}));
  EXPECT_THAT(sumsToPart(schedule, {}), IsEmpty());
}

// --- the partial sums

TEST(PartialSums, OfATableAreStripsOfItsSteps) {
  const Schedule start = startOf(kLongRows);
  const std::vector<WithCopies> forms = withPartialSums(start, {"h", 1}, {});
  ASSERT_FALSE(forms.empty());
  std::vector<std::int64_t> factors;
  for (const WithCopies &form : forms) {
    EXPECT_TRUE(schedule::isLegal(form.schedule, {}));
    const std::vector<Factored> parts = partsOf(form.schedule);
    ASSERT_EQ(parts.size(), 1U);
    factors.push_back(parts.front().splits.front().factor);
    EXPECT_EQ(parts.front(), (Factored{"h_intm",
                                       "h",
                                       1,
                                       {{"q", "q_outer", "q_inner", factors.back()}},
                                       {{"q_outer", "q_strip"}}}));
    EXPECT_THAT(form.around, Contains(funcOf(form.schedule, "h_intm")));
  }
  // h has 256 points, so with 528 strips of 124 rows, the partial sums would occupy half of the
  // machine's threads. The factor, 124, is rounded down to a power of two, 64, which gives 1024
  // strips. The second form has a quarter as many strips, with a factor of 256.
  EXPECT_THAT(factors, ElementsAre(64, 256));
}

TEST(PartialSums, OfFewPointsAreLanesOfStrips) {
  const std::vector<WithCopies> forms = withPartialSums(startOf(kScalar), {"s", 1}, {});
  ASSERT_FALSE(forms.empty());
  const std::vector<Factored> parts = partsOf(forms.front().schedule);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].of, "s");
  EXPECT_EQ(parts[0].splits.front().loop, "ry"); // a strip consists of whole rows
  EXPECT_EQ(parts[1].of, parts[0].name);
  EXPECT_EQ(parts[1].splits.front(), (Factored::SplitLoop{"rx", "rx_outer", "rx_inner", 256}));
  // Neighbouring lanes read neighbouring elements.
  EXPECT_EQ(parts[1].preserved.front().reduction, "rx_inner");
}

TEST(PartialSums, BeginWithABlockForEachStrip) {
  const WithCopies form = withPartialSums(startOf(kHistograms), {"h", 1}, {}).back();
  for (const char *func : {"g", "h_intm"})
    EXPECT_EQ(planOf(form.schedule, func).compute.kind, schedule::Place::Kind::At) << func;
  EXPECT_TRUE(planOf(form.schedule, "h_intm_global_wrapper$0").isRoot());
}

TEST(PartialSums, AreNoneOfAKernelWithSomethingFrozen) {
  Schedule start = startOf(kLongRows);
  start.setMark({funcOf(start, "h"), 1, schedule::DecisionKind::Order, 0}, {.frozen = true});
  EXPECT_THAT(withPartialSums(start, {"h", 1}, {}), IsEmpty());
}

// --- the search

struct Profits {
  const char *name;
  const std::string &text;
  double microseconds; // upper limit of the predicted time
};
void PrintTo(const Profits &sum, std::ostream *out) { *out << sum.name; }

class SearchedSum : public ::testing::TestWithParam<Profits> {};

// With one thread per point, or with atomics, each of these sums took hundreds of microseconds. In
// the sum of long rows, a thread still adds up a thousand strips, one after the other.
TEST_P(SearchedSum, IsMadeInParts) {
  const Searched found = searched(GetParam().text);
  EXPECT_THAT(partsOf(found.best.schedule), ::testing::Not(IsEmpty()));
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, {}));
  EXPECT_LT(found.best.seconds * 1e6, GetParam().microseconds);
  EXPECT_DOUBLE_EQ(found.best.seconds, cost::predict(found.best.schedule, {}).seconds);
  EXPECT_THAT(found.phases, Contains("partial sums"));
}

INSTANTIATE_TEST_SUITE_P(PartialSums, SearchedSum,
                         ::testing::Values(Profits{"Scalar", kScalar, 40},
                                           Profits{"Channels", kChannels, 60},
                                           Profits{"LongRows", kLongRows, 90},
                                           Profits{"Histograms", kHistograms, 40}),
                         [](const auto &tested) { return std::string(tested.param.name); });

TEST(PartialSums, AreFoundAgainInEachRun) {
  const auto text = [] { return schedule::toJson(searched(kHistograms).best.schedule).dump(); };
  EXPECT_EQ(text(), text());
}

TEST(PartialSums, AreNotLookedForAroundAFunc) {
  const Schedule start = startOf(kLongRows);
  const Searched found = searched(Problem{start, {}, 0, SIZE_MAX, {funcOf(start, "h")}});
  EXPECT_THAT(partsOf(found.best.schedule), IsEmpty());
}

TEST(PartialSums, LeaveWhatIsFrozen) {
  Schedule start = startOf(kLongRows);
  start.setMark({funcOf(start, "h"), 1, schedule::DecisionKind::Order, 0}, {.frozen = true});
  EXPECT_THAT(partsOf(searched(Problem{start, {}}).best.schedule), IsEmpty());
}

} // namespace
} // namespace tessera::search
