// SPDX-License-Identifier: MIT
// A check that knows the verdict on the previous schedule gives the same verdict as a check without
// that knowledge.
#include "engine/schedule/rules/known_legality.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/edits/edits.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tessera::schedule {
namespace {

using pipeline::StageId;
using testing::Random;

constexpr std::uint64_t kKnownSeeds = 200;
constexpr int kSteps = 60;

std::optional<Edit> change(const Schedule &schedule, Random &random) {
  const std::size_t stages = schedule.pipeline()->stages().size();
  const auto wanted = proposals(schedule, static_cast<StageId>(random() % stages));
  if (wanted.empty()) return std::nullopt;
  return wanted[random() % wanted.size()];
}

TEST(PropKnownLegality, AfterEachChangeAsFromNothing) {
  const machine::Machine machine;
  std::array<int, 2> verdicts{};
  for (std::uint64_t seed = 1; seed <= kKnownSeeds; ++seed) {
    Random random(seed);
    const std::string text = testing::randomSketch(random, 2 + random() % 12);
    Schedule schedule = testing::randomSchedule(pipeline::test::sketch(text), machine, random);
    KnownLegality known(machine);
    EXPECT_EQ(known.check(schedule), check(schedule, machine));
    for (int step = 0; step < kSteps; ++step) {
      const auto edit = change(schedule, random);
      if (!edit) continue;
      const Schedule after = testing::withEdit(schedule, *edit, Origin::Search);
      const std::vector<Violation> violations = check(after, machine);
      const bool legal = violations.empty();
      ++verdicts[legal ? 1 : 0];
      const auto told = [&] {
        return "seed " + std::to_string(seed) + " step " + std::to_string(step) + "\n" + text +
               "\nfrom\n" + testing::loweredText(schedule) + "\nto\n" + testing::loweredText(after);
      };
      ASSERT_EQ(known.check(after), violations) << told();
      ASSERT_EQ(known.check(after), violations) << told(); // the second answer comes from memory
      // Mending that uses the known verdicts gives the same schedule as mending without them.
      const Applied mended = applied(schedule, *edit, Origin::Search, known);
      ASSERT_EQ(mended.schedule, after) << told();
      ASSERT_EQ(mended.violations, violations) << told();
      if (legal || (isSound(after) && random() % 3 == 0)) schedule = after;
    }
  }
  EXPECT_GT(verdicts[0], 1000);
  EXPECT_GT(verdicts[1], 1000);
}

TEST(KnownLegality, OfAnotherPipelineAndAnotherCap) {
  const machine::Machine machine;
  const std::string directives = "g split x xo xi 32 guard_with_if | reorder xi y xo | gpu_threads "
                                 "xi | gpu_blocks xo\nf compute_at g:xo | gpu_threads x\n";
  const Schedule one = testing::scheduled("input in 64 64\n"
                                          "func f(x y) 64 64 = in(x; y)\n"
                                          "func g(x y) 64 64 = f(x; y)\n"
                                          "output g\n",
                                          directives);
  const Schedule other = testing::scheduled("input in 64 64\n"
                                            "func f(x y) 64 64 = in(x; y)\n"
                                            "func g(x y) 64 64 = f(x; y)\n"
                                            "output g\n",
                                            directives);
  KnownLegality known(machine);
  EXPECT_TRUE(known.isLegal(one));
  EXPECT_TRUE(known.isLegal(other));
  Schedule capped = other;
  capped.set(Settings{.registerCap = 1, .promises = {}});
  EXPECT_FALSE(known.isLegal(capped));
  EXPECT_TRUE(known.isLegal(other));
}

} // namespace
} // namespace tessera::schedule
