// SPDX-License-Identifier: MIT
#include "engine/search/kernels/copies.h"

#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/auto/auto_search.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <string>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::test::sketch;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::scheduled;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const std::string kStencil = "input in 1026 1026\n"
                             "func f(x y) 1026 1024 = in(x; y) in(x; y+1) in(x; y+2)\n"
                             "func g(x y) 1024 1024 = f(x; y) f(x+1; y) f(x+2; y) in(x; y)\n"
                             "output g\n";

std::vector<std::string> copiesOf(const Schedule &schedule) {
  std::vector<std::string> names;
  for (const schedule::Derivation &derivation : schedule.derivations())
    names.push_back(nameOf(derivation));
  return names;
}

WithCopies withAll(const Schedule &schedule, std::size_t most = 64) {
  std::vector<FuncId> outputs;
  for (std::size_t f = schedule.pipeline()->funcs().size(); f-- > 0;)
    if (schedule.plan(static_cast<FuncId>(f)).isRoot()) outputs.push_back(static_cast<FuncId>(f));
  return withCopiesOfReads(schedule, outputs, most);
}

TEST(Copies, AreOfWhatAFuncReadsOfGlobalMemoryMoreThanOnce) {
  const WithCopies copied = withAll(scheduled(kStencil, "f compute_root"));
  EXPECT_THAT(copiesOf(copied.schedule), ElementsAre("f_in_g$0", "in_in_f$0"));
  EXPECT_THAT(copied.around,
              ElementsAre(funcOf(copied.schedule, "f"), funcOf(copied.schedule, "g")));
}

TEST(Copies, AreOfWhatIsReadThroughInlinedFuncs) {
  EXPECT_THAT(copiesOf(withAll(scheduled(kStencil, "")).schedule), ElementsAre("in_in_f$0"));
}

TEST(Copies, AreNoneOfWhatIsNotInGlobalMemory) {
  const std::string block = "g gpu_blocks x y\nf compute_at g:x | gpu_threads x";
  for (const std::string &name : copiesOf(withAll(scheduled(kStencil, block)).schedule))
    EXPECT_NE(name, "f_in_g$0");
}

TEST(Copies, AreOfTheReadsThatWereAskedFor) {
  const Schedule before = scheduled(kStencil, "f compute_root");
  const FuncId f = funcOf(before, "f"), g = funcOf(before, "g");
  const WithCopiesOf copied =
      withCopiesOf(before, {{pipeline::Producer::input(pipeline::InputId{0}), g},
                            {pipeline::Producer::func(f), g}});
  EXPECT_THAT(copiesOf(copied.schedule), ElementsAre("in_in_g$0", "f_in_g$0"));
  EXPECT_THAT(copied.copies, UnorderedElementsAre(funcOf(copied.schedule, "in_in_g$0"),
                                                  funcOf(copied.schedule, "f_in_g$0")));
  EXPECT_EQ(withoutIdleCopies(copied.schedule), before);
}

TEST(Copies, OfInlinedFuncsAreAskedForByTheirKernel) {
  const Schedule schedule = scheduled(kStencil, "");
  const FuncId f = funcOf(schedule, "f"), g = funcOf(schedule, "g");
  EXPECT_THAT(withItsInlined(schedule, g), ElementsAre(g, f));
}

TEST(Copies, AreAtMostSoMany) {
  EXPECT_EQ(copiesOf(withAll(scheduled(kStencil, "f compute_root"), 1).schedule).size(), 1u);
}

TEST(Copies, AreIdleAsLongAsTheyAreInlined) {
  const Schedule before = scheduled(kStencil, "f compute_root");
  EXPECT_EQ(withoutIdleCopies(withAll(before).schedule), before);
}

TEST(Copies, ThatAreComputedStay) {
  Schedule schedule = withAll(scheduled(kStencil, "f compute_root")).schedule;
  const FuncId copy = funcOf(schedule, "f_in_g$0");
  schedule::FuncPlan plan = schedule.plan(copy);
  plan.compute = schedule::Place::root();
  schedule.set(copy, plan);
  EXPECT_THAT(copiesOf(withoutIdleCopies(schedule)), ElementsAre("f_in_g$0"));
}

// h is a table for each of 128 × 128 cells. s is a sum that g reads at two distant places, so that
// s has to be a kernel of its own.
const std::string kSums =
    "input in 1024 1024\n"
    "func h(x y b) 128 128 8 = \n"
    "update h(x y ?) r:0:8:fixed q:0:8:fixed = h(x; y; ?) in(8*x+r; 8*y+q)\n"
    "func s(x y b) 128 128 8 = \n"
    "update s(x y b) r:0:7:fixed associative commutative = s(x; y; b) h(x+r; y; b)\n"
    "func g(x y b) 64 64 8 = s(x; y; b) s(x+64; y+64; b)\n"
    "output g\n";

WithCopies withSums(const Schedule &schedule) {
  return withCopiesOfSums(
      schedule, {funcOf(schedule, "g"), funcOf(schedule, "h"), funcOf(schedule, "s")}, 64);
}

TEST(CopiesOfSums, AreForAllThatReadASum) {
  const WithCopies copied = withSums(scheduled(kSums, ""));
  EXPECT_THAT(copiesOf(copied.schedule), ElementsAre("h_global_wrapper$0", "s_global_wrapper$0"));
  EXPECT_THAT(copied.around,
              ElementsAre(funcOf(copied.schedule, "h"), funcOf(copied.schedule, "s")));
  EXPECT_EQ(idleCopyOf(copied.schedule, funcOf(copied.schedule, "s")),
            funcOf(copied.schedule, "s_global_wrapper$0"));
  EXPECT_EQ(idleCopyOf(copied.schedule, funcOf(copied.schedule, "g")), std::nullopt);
  EXPECT_EQ(withoutIdleCopies(copied.schedule), scheduled(kSums, ""));
}

TEST(CopiesOfSums, AreNoneOfAnOutput) {
  const std::string sum = "input in 64 64\nfunc s(x) 64 = \nupdate s(x) r:0:7 = s(x) in(x; r)\n"
                          "output s\n";
  const Schedule schedule = scheduled(sum, "");
  EXPECT_THAT(withCopiesOfSums(schedule, {funcOf(schedule, "s")}, 64).around, IsEmpty());
}

// ---- the search

struct Found {
  Candidate best;
  std::size_t evaluations = 0;
  std::string_view phase;
  double progress = 0;
};

Found searched(const std::string &pipeline, std::size_t evaluations = SIZE_MAX) {
  AutoSearch search({schedule::defaultSchedule(sketch(pipeline)), {}, 0, evaluations});
  while (search.step()) {
  }
  return {search.best(), search.evaluations(), search.phase(), search.progress()};
}

// A chain of stencils of 25 points each. All but the first have to be kernels of their own.
std::string chain(int width = 2044, int height = 2044, int stencils = 2) {
  std::string text, of = "in";
  for (int s = 0; s <= stencils; ++s) {
    const int around = 4 * (stencils - s);
    const std::string name = s == stencils ? "g" : "f" + std::to_string(s);
    const std::string size = std::to_string(width + around) + " " + std::to_string(height + around);
    if (s == 0) {
      text = "input in " + size;
      continue;
    }
    text += "\nfunc " + name + "(x y) " + size + " = ";
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 5; ++x)
        text += of + "(x+" + std::to_string(x) + "; y+" + std::to_string(y) + ") ";
    of = name;
  }
  return text + "\noutput g\n";
}

TEST(AutoSearch, CopiesIntoRegistersWhatPointsOfAThreadShare) {
  const Found found = searched(chain());
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, {}));
  EXPECT_FALSE(copiesOf(found.best.schedule).empty());
  for (const std::string &copy : copiesOf(found.best.schedule))
    EXPECT_FALSE(found.best.schedule.plan(funcOf(found.best.schedule, copy)).isInline()) << copy;
}

// Copies are found whatever the tiles of the kernels are. At this size, some tiles are columns of
// three points, where a copy gains nothing, and one func may be inlined.
TEST(AutoSearch, CopiesForEachStencilOfAChain) {
  const Found found = searched(chain(1620, 2644, 6));
  EXPECT_GE(copiesOf(found.best.schedule).size(), 5);
}

// With the copy, the sum is not read from and written to global memory in each step.
TEST(AutoSearch, KeepsASumBehindACopy) {
  const Found found = searched(kSums);
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, {}));
  EXPECT_FALSE(found.best.schedule.plan(funcOf(found.best.schedule, "h")).isRoot());
  EXPECT_FALSE(found.best.schedule.plan(funcOf(found.best.schedule, "s")).isRoot());
  EXPECT_THAT(copiesOf(found.best.schedule), ::testing::Contains("h_global_wrapper$0"));
}

TEST(AutoSearch, NoCopyIsMadeWhereNothingIsReadTwice) {
  EXPECT_THAT(copiesOf(searched("input in 1024\nfunc f(x) 1024 = in(x)\noutput f\n").best.schedule),
              IsEmpty());
}

TEST(AutoSearch, IsDoneWhateverItWasAllowed) {
  for (const std::size_t evaluations : {std::size_t{0}, std::size_t{40}, std::size_t{400}}) {
    const Found found = searched(chain(), evaluations);
    EXPECT_EQ(found.phase, "done");
    EXPECT_EQ(found.progress, 1);
    EXPECT_LT(found.evaluations, evaluations + 400); // the search stops only between two steps
  }
}

} // namespace
} // namespace tessera::search
