// SPDX-License-Identifier: MIT
// Properties of every legal schedule of every pipeline, tried on many random ones.
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/text/cpp_parser.h"
#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/schedule_json.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <unordered_map>

namespace tessera::schedule {
namespace {

using testing::Random;

constexpr std::uint64_t kSeeds = 300;

// Runs the body on one schedule for each seed. A failure prints the seed and the pipeline.
void forEachSchedule(const std::function<void(const Schedule &, Random &)> &body) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    const std::string text = testing::randomSketch(random, 2 + random() % 7);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    body(testing::randomSchedule(pipeline::test::sketch(text), {}, random), random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PropSchedule, TheDefaultIsLegal) {
  forEachSchedule([](const Schedule &schedule, Random &) {
    EXPECT_TRUE(isLegal(defaultSchedule(schedule.base()), {}));
  });
}

TEST(PropSchedule, WalksAreLegalAndFuse) {
  std::size_t fused = 0;
  forEachSchedule([&](const Schedule &schedule, Random &) {
    EXPECT_TRUE(isLegal(schedule, {}));
    fused += testing::fusedFuncs(schedule) > 0 ? 1 : 0;
  });
  EXPECT_GT(fused, kSeeds / 3);
}

TEST(PropSchedule, WhatIsLoweredIsRaisedAgain) {
  forEachSchedule([](const Schedule &schedule, Random &) {
    const auto again = raise(schedule.base(), lower(schedule));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(*again == schedule) << testing::loweredText(schedule) << "\n---\n"
                                    << testing::loweredText(*again);
  });
}

TEST(PropSchedule, JsonIsReadBack) {
  forEachSchedule([](const Schedule &schedule, Random &) {
    const auto again =
        scheduleFromJson(schedule.base(), nlohmann::json::parse(toJson(schedule).dump()));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(*again == schedule);
    EXPECT_EQ(again->marks(), schedule.marks());
  });
}

TEST(PropSchedule, CppIsReadBack) {
  forEachSchedule([](const Schedule &schedule, Random &) {
    const auto text = cppText({{.pipeline = "sketch"}, lower(schedule)});
    ASSERT_TRUE(text) << text.error().message;
    const auto written = parseCpp(*text);
    ASSERT_TRUE(written) << written.error().message << "\n" << *text;
    const auto again = raise(schedule.base(), written->directives);
    ASSERT_TRUE(again) << again.error().message << "\n" << *text;
    EXPECT_TRUE(*again == schedule) << *text;
  });
}

TEST(PropSchedule, HashesAreEqualWhereSchedulesAre) {
  forEachSchedule([](const Schedule &schedule, Random &random) {
    std::unordered_map<std::uint64_t, Schedule> known{{schedule.hash(), schedule}};
    for (std::size_t s = 0; s < schedule.pipeline()->stages().size(); ++s)
      for (const Edit &edit : proposals(schedule, static_cast<pipeline::StageId>(s))) {
        if (random() % 4 != 0) continue;
        const Schedule after = testing::withEdit(schedule, edit);
        const auto [at, isNew] = known.emplace(after.hash(), after);
        EXPECT_EQ(at->second, after) << edit.value;
        EXPECT_NE(after, schedule) << edit.value;
      }
  });
}

TEST(PropSchedule, AnEditAndItsReverseChangeNothing) {
  forEachSchedule([](const Schedule &schedule, Random &) {
    for (std::size_t s = 0; s < schedule.pipeline()->stages().size(); ++s)
      for (const Edit &edit : proposals(schedule, static_cast<pipeline::StageId>(s))) {
        Schedule after = testing::withEdit(schedule, edit);
        ASSERT_NE(after.hash(), schedule.hash()) << edit.value;
        // The edit may have changed the plans of other funcs too, so all changed plans are
        // restored.
        for (const pipeline::FuncId func : after.plannedOtherwise(schedule))
          after.set(func, schedule.plan(func));
        ASSERT_EQ(after, schedule) << edit.value;
      }
  });
}

TEST(PropSchedule, ACoarseHashIsEqualWhereAFinerOneIs) {
  forEachSchedule([](const Schedule &schedule, Random &random) {
    const auto stage =
        static_cast<pipeline::StageId>(random() % schedule.pipeline()->stages().size());
    for (const Edit &edit : proposals(schedule, stage)) {
      const Schedule after = testing::withEdit(schedule, edit);
      for (int depth = 1; depth <= 5; ++depth)
        EXPECT_FALSE(after.hash(depth) == schedule.hash(depth) &&
                     after.hash(depth - 1) != schedule.hash(depth - 1))
            << depth << " " << edit.value;
    }
  });
}

TEST(PropSchedule, CheckingTwiceFindsTheSame) {
  forEachSchedule([](const Schedule &schedule, Random &random) {
    const auto refused = testing::randomRefused(schedule, {}, random);
    if (!refused) return;
    const std::vector<Violation> violations = check(refused->schedule, {});
    EXPECT_EQ(violations, refused->violations);
    for (const Violation &one : violations)
      EXPECT_NE(one.message, "") << name(one.rule);
  });
}

} // namespace
} // namespace tessera::schedule
