// SPDX-License-Identifier: MIT
// Opaque directives are never lost: not in a text, and not by an edit of what is around them.
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/text/decision_text.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/text/schedule_text.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace tessera::schedule {
namespace {

using pipeline::FuncId;
using testing::Random;

constexpr std::uint64_t kOpaqueSeeds = 60;

// Gives some funcs that have loops of their own a bound and variants.
Schedule withOpaque(Schedule schedule, Random &random) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  const std::string output = pipeline.func(pipeline.outputs().front().func).name;
  const SizeExpression size = SizeExpression::ofName(output + ".extent.0");
  using Op = SizeExpression::Op;
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f) {
    FuncPlan plan = schedule.plan(FuncId{f});
    if (plan.isInline() || (random() % 2 && !pipeline.funcs()[f].isOutput)) continue;
    const LoopName dim{pipeline.funcs()[f].args.front()};
    plan.bounds.clear();
    plan.stages.front().opaque = {{Verb::BoundExtent, {dim, size}, false, {}, {}}};
    const auto variant = [&](std::int64_t least) {
      const SizeExpression condition{Op::Greater, 0, {}, {size, SizeExpression::ofNumber(least)}};
      return OpaqueDirective{Verb::Specialize, {condition}, false, {}, {}};
    };
    std::vector<OpaqueDirective> &last = plan.stages.back().opaque;
    if (random() % 2) {
      const pipeline::Stage &stage = pipeline.stagesOf(FuncId{f}).back();
      const LoopName loop{stage.loops.front().name,
                          stage.loops.front().kind == pipeline::LoopDim::Kind::Reduction};
      OpaqueDirective inside = variant(32);
      inside.hasOwnLoops = true;
      last.push_back(variant(16));
      last.back().hasOwnLoops = true;
      last.back().calls = {inside, {Verb::Unroll, {loop}, false, {}, {}}};
    }
    last.push_back(variant(8));
    if (random() % 2)
      last.push_back({Verb::SpecializeFail, {Text{"it is \"small\""}}, false, {}, {}});
    schedule.set(FuncId{f}, std::move(plan));
  }
  return schedule;
}

void forEachOpaque(const std::function<void(const Schedule &, Random &)> &body) {
  for (std::uint64_t seed = 1; seed <= kOpaqueSeeds; ++seed) {
    Random random(seed);
    const std::string text = testing::randomSketch(random, 2 + random() % 6);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    body(withOpaque(testing::randomSchedule(pipeline::test::sketch(text), {}, random), random),
         random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PropOpaque, TextsKeepThem) {
  forEachOpaque([](const Schedule &schedule, Random &) {
    EXPECT_FALSE(opaqueCalls(schedule).empty());
    const auto raised = raise(schedule.base(), lower(schedule));
    ASSERT_TRUE(raised) << raised.error().message;
    EXPECT_TRUE(*raised == schedule) << testing::loweredText(schedule);
    EXPECT_EQ(raised->hash(), schedule.hash());
    const auto json =
        scheduleFromJson(schedule.base(), nlohmann::json::parse(toJson(schedule).dump()));
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_TRUE(*json == schedule);
    const auto text = cppText(writtenForm(schedule));
    ASSERT_TRUE(text) << text.error().message;
    const auto cpp = scheduleFromCpp(schedule.base(), *text);
    ASSERT_TRUE(cpp) << cpp.error().message << "\n" << *text;
    EXPECT_TRUE(*cpp == schedule) << *text;
  });
}

TEST(PropOpaque, EditsKeepThem) {
  forEachOpaque([](Schedule schedule, Random &random) {
    const auto texts = [](const Schedule &one) {
      std::string all;
      for (const OpaqueCall &call : opaqueCalls(one))
        all += one.pipeline()->stageName(call.stage) + ": " + call.call + "\n";
      return all;
    };
    const std::string before = texts(schedule);
    KnownLegality legality{machine::Machine()};
    for (int step = 0; step < 20; ++step) {
      const auto stage =
          static_cast<pipeline::StageId>(random() % schedule.pipeline()->stages().size());
      const std::vector<Edit> edits = proposals(schedule, stage);
      if (edits.empty()) continue;
      Applied after = applied(schedule, edits[random() % edits.size()], Origin::User, legality);
      EXPECT_EQ(texts(after.schedule), before);
      if (after.isLegal()) schedule = std::move(after.schedule);
    }
  });
}

} // namespace
} // namespace tessera::schedule
