// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/raise.h"

#include "engine/schedule/directives/found_calls.h"
#include "engine/schedule/directives/lower.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/edits/wrong_requests.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/schedule/sketch.h"

#include <gmock/gmock.h>

#include <array>

namespace tessera::schedule {
namespace {

using pipeline::PipelinePtr;
using pipeline::StageId;
using testing::planOf;
using testing::scheduled;

constexpr std::string_view kPipeline = "input in 66 66\n"
                                       "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                       "func s(x y) 66 64 = \n"
                                       "update s(x y) r:0:3 commutative = s(x; y) f(x; y)\n"
                                       "func g(x y) 64 64 = s(x+[0,2]; y)\n"
                                       "output g\n";

TEST(Raise, NothingIsInlinedButOutputs) {
  const Schedule schedule = scheduled("func f(x) 8 = \nfunc g(x) 8 = f(x)\noutput g\n", "");
  EXPECT_TRUE(planOf(schedule, "f").isInline());
  EXPECT_TRUE(planOf(schedule, "g").isRoot());
}

TEST(Raise, UpdatesThatNobodyPlacedAreInTheInnermostLoopOfTheirReader) {
  const Schedule schedule = scheduled(kPipeline, "g reorder y x");
  EXPECT_EQ(planOf(schedule, "s").compute, Place::at(StageId{3}, {1, 0}));
}

TEST(Raise, UpdatesWithTwoReadersStayInlinedAndAreForLegalityToRefuse) {
  const Schedule schedule = scheduled("func s(x) 8 = \n"
                                      "update s(x) r:0:3 = s(x)\n"
                                      "func g(x) 8 = s(x)\n"
                                      "func h(x) 8 = s(x) g(x)\n"
                                      "output h\n",
                                      "g compute_root");
  EXPECT_TRUE(planOf(schedule, "s").isInline());
}

// Halide ignores the schedule of an inlined func, and a schedule that is printed as text and read
// again would lose it. So raise() drops it.
TEST(Raise, OfWhatIsInlinedNothingElseIsDecided) {
  const std::string pipeline = "func f(x) 8 = \n"
                               "func g(x) 8 = f(x)\n"
                               "output g\n";
  const Schedule plain = scheduled(pipeline, "g gpu_blocks x");
  EXPECT_EQ(scheduled(pipeline, "g gpu_blocks x\n"
                                "f store_in shared | split x xo xi 4 auto | gpu_threads xi"),
            plain);
  // If another func is placed in a loop of an inlined func, that loop is kept, and the legality
  // rules report the error.
  const Schedule inside = scheduled("func e(x) 8 = \n"
                                    "func f(x) 8 = e(x)\n"
                                    "func g(x) 8 = f(x)\n"
                                    "output g\n",
                                    "f split x xo xi 4 auto\ne compute_at f:xi");
  const Place &place = planOf(inside, "e").compute;
  EXPECT_TRUE(inside.plan(place.stage).nest.find(place.loop));
}

TEST(Raise, TheLastPlaceCounts) {
  EXPECT_TRUE(planOf(scheduled(kPipeline, "s compute_at g:x | compute_root"), "s").isRoot());
  EXPECT_EQ(
      planOf(scheduled(kPipeline, "s compute_root | compute_at g:y | compute_at g:x"), "s").compute,
      Place::at(StageId{3}, {0, 0}));
}

TEST(Raise, APlaceMayComeBeforeItsLoop) {
  EXPECT_EQ(planOf(scheduled(kPipeline, "s compute_at g:b\n"
                                        "g split x a b 8 auto"),
                   "s")
                .compute,
            Place::at(StageId{3}, {0, 1}));
}

TEST(Raise, APlaceOfAFuncIsInTheStageThatReads) {
  // Both stages of s have a loop x. The update reads f, so f is placed in the loop of the update.
  EXPECT_EQ(planOf(scheduled(kPipeline, "s compute_root\nf compute_at s:x"), "f").compute,
            Place::at(StageId{2}, {1, 0}));
  EXPECT_EQ(planOf(scheduled(kPipeline, "s compute_root\nf compute_at s.1:x"), "f").compute,
            Place::at(StageId{2}, {1, 0}));
}

TEST(Raise, RecordsWhatIsSaidOfStorage) {
  const Schedule schedule = scheduled(
      kPipeline, "s compute_root | store_in global | reorder_storage y x | align_storage x 32 | "
                 "bound_storage y 64 | fold_storage y 8 | bound x 0 96 | bound_extent y 64 | "
                 "align_bounds y 4 1");
  const FuncPlan &plan = planOf(schedule, "s");
  EXPECT_EQ(plan.storage, Storage::Global);
  EXPECT_EQ(plan.layout, (std::vector<std::uint16_t>{1, 0}));
  EXPECT_EQ(plan.storageDims,
            (std::vector<StorageDim>{{.alignment = 32}, {.bound = 64, .fold = 8}}));
  EXPECT_EQ(plan.bounds, (std::vector<RegionBound>{
                             {.min = 0, .extent = 96},
                             {.extent = 64, .modulus = 4, .remainder = 1},
                         }));
}

TEST(Raise, StorageInItsOwnOrderIsNoDecision) {
  EXPECT_TRUE(planOf(scheduled(kPipeline, "s reorder_storage x y"), "s").layout.empty());
}

// Halide changes the order that there is, so the second call does not forget the first.
TEST(Raise, OrdersOfStorageAddUp) {
  const Schedule schedule =
      scheduled("func s(x y z) 8 8 8 = \nfunc g(x) 8 = s(x; x; x)\noutput g\n",
                "s compute_root | reorder_storage y x | reorder_storage z x");
  EXPECT_EQ(planOf(schedule, "s").layout, (std::vector<std::uint16_t>{1, 2, 0}));
}

TEST(Raise, RecordsWhatIsSaidOfReductions) {
  const auto update = [](const std::string &calls) {
    return planOf(scheduled(kPipeline, "s.1 " + calls), "s").stages[1];
  };
  EXPECT_EQ(update("atomic 0").atomic, Atomic::Proven);
  EXPECT_EQ(update("atomic 1").atomic, Atomic::Trusted);
  EXPECT_TRUE(update("allow_race_conditions").allowRaces);
}

TEST(Raise, ComputeWithNamesAStage) {
  const Schedule schedule =
      scheduled("func f(x) 8 = \nfunc g(x) 8 = \noutput f\noutput g\n", "g compute_with f:x");
  EXPECT_EQ(planOf(schedule, "g").stages[0].computeWith, (SharedLoop{StageId{0}, {0, 0}}));
}

TEST(Raise, SplitsBeforeAnRFactorAreItsOwn) {
  const Schedule schedule = scheduled("input in 64\n"
                                      "func s(x) 1 = \n"
                                      "update s(x) r:0:64 commutative = s(x) in(r)\n"
                                      "output s\n",
                                      "s.1 split ~r ~ro ~ri 8 auto | rfactor ~ro u -> part\n"
                                      "part compute_root\n"
                                      "s.1 unroll ~ro");
  const Factored made{"part", "s", 1, {{"r", "ro", "ri", 8}}, {{"ro", "u"}}};
  ASSERT_EQ(schedule.derivations().size(), 1U);
  EXPECT_EQ(std::get<Factored>(schedule.derivations()[0]), made);
  EXPECT_EQ(testing::textOf(planOf(schedule, "s").stages[1].nest), "0 1 : 0.0 unrolled, 1.0");
}

// --- each refusal has its own message

struct WrongDirectives {
  const char *directives;
  const char *message;
};

constexpr auto kWrongDirectives = std::to_array<WrongDirectives>({
    // names of funcs
    {"h compute_root", "directive 1, h.compute_root: there is no func 'h'"},
    {"g.1 unroll x", "directive 1, g.update(0).unroll: g only has 0 updates"},
    {"f compute_at h:x", "there is no func 'h' to be computed at"},
    {"f compute_at g:z", "g has no loop 'z' to be computed at"},
    {"f store_root\ng compute_with f:z", "f has no loop 'z' to be computed at"},
    // wrong splits
    {"g split z a b 8 auto", "directive 1, g.split: there is no loop 'z'"},
    {"g split x a b 0 auto", "directive 1, g.split: the factor must be at least 1, not 0"},
    {"g split x a b 65536 auto | split a c d 65536 auto",
     "directive 2, g.split: a factor of 65536 around one of 65536"},
    {"g split x a a 8 auto", "directive 1, g.split: both halves are called 'a'"},
    {"g split x y b 8 auto", "directive 1, g.split: there is a loop 'y' already"},
    {"g unroll x | split x a b 8 auto", "directive 2, g.split: 'x' is unrolled already"},
    // wrong fuses
    {"g fuse z y a", "directive 1, g.fuse: there is no loop 'z'"},
    {"g fuse x z a", "directive 1, g.fuse: there is no loop 'z'"},
    {"g fuse x x a", "directive 1, g.fuse: 'x' cannot be fused with itself"},
    {"g split x a b 8 auto | fuse a y b", "directive 2, g.fuse: there is a loop 'b' already"},
    {"g gpu_blocks y | fuse x y a", "directive 2, g.fuse: 'y' is block already"},
    // wrong orders and kinds of loops
    {"g reorder x z", "directive 1, g.reorder: there is no loop 'z'"},
    {"g reorder x y x", "directive 1, g.reorder: 'x' is listed twice"},
    {"g gpu_threads z", "directive 1, g.gpu_threads: there is no loop 'z'"},
    {"g gpu_threads x | unroll x", "directive 2, g.unroll: 'x' is thread already"},
    // wrong directives about storage
    {"f reorder_storage x z", "directive 1, f.reorder_storage: it has no dimension 'z'"},
    {"f reorder_storage x x", "directive 1, f.reorder_storage: 'x' is listed twice"},
    {"f align_storage z 8", "directive 1, f.align_storage: it has no dimension 'z'"},
    {"f align_storage x 0", "directive 1, f.align_storage: '0' must be 1 or more"},
    {"f fold_storage x -4", "directive 1, f.fold_storage: '-4' must be 1 or more"},
    {"f bound_storage x 0", "directive 1, f.bound_storage: '0' must be 1 or more"},
    {"f bound x 0 0", "directive 1, f.bound: '0' must be 1 or more"},
    {"f bound_extent x -1", "directive 1, f.bound_extent: '-1' must be 1 or more"},
    {"f align_bounds x 4 4", "directive 1, f.align_bounds: a remainder of 4 of 4"},
    // wrong directives that add stages
    {"f in g -> copy", "directive 1, f.in: g does not read f"},
    {"f in s -> g", "directive 1, f.in: the name 'g' is taken"},
    {"g in -> copy", "directive 1, g.in: nothing reads g"},
    {"in clone_in f -> copy",
     "directive 1, in.clone_in: in is an input and cannot be computed a second time"},
    {"s.1 rfactor ~q u -> part",
     "directive 1, s.update(0).rfactor: there is no reduction loop 'q' to preserve"},
    {"s.2 rfactor ~r u -> part", "directive 1, s.update(1).rfactor: s has no update 2"},
});

class RaiseRefuses : public ::testing::TestWithParam<WrongDirectives> {};

TEST_P(RaiseRefuses, WithAMessage) {
  const auto schedule = raise(pipeline::test::sketch(kPipeline), sketch(GetParam().directives));
  ASSERT_FALSE(schedule) << GetParam().directives;
  EXPECT_EQ(schedule.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Directives, RaiseRefuses, ::testing::ValuesIn(kWrongDirectives));

TEST(Raise, RefusesWhatIsNoDirective) {
  const std::vector<Directive> wrong{{"g", 0, Verb::ComputeRoot, {}, {}},
                                     {"g", 0, Verb::Split, {LoopName{"x", false}}, {}}};
  EXPECT_EQ(raise(pipeline::test::sketch(kPipeline), wrong).error().message,
            "directive 2, g.split: split does not take 1 arguments");
}

TEST(Raise, HostileListsStayCheap) {
  std::string splits = "g ";
  for (int i = 0; i < 100; ++i)
    splits += "split x x x" + std::to_string(i) + " 1 auto | ";
  EXPECT_EQ(raise(pipeline::test::sketch(kPipeline), sketch(splits + "unroll y")).error().message,
            "directive 65, g.split: 'x' is split too often");
}

// What no decision can say is kept as it is, in one order.
TEST(Raise, KeepsOpaqueDirectives) {
  const auto raised = [](const std::string &text) {
    return testing::scheduled("input in 64 64\nfunc f(x y) 64 64 = in(x; y)\noutput f\n", text);
  };
  const Schedule schedule = raised("f specialize in.extent.0>8 | specialize in.extent.1==64 | "
                                   "bound_extent y f.extent.1 | bound x 0 in.extent.0");
  EXPECT_EQ(testing::loweredText(schedule),
            "f bound x 0 in.extent.0 | bound_extent y f.extent.1 | specialize in.extent.0>8 | "
            "specialize in.extent.1==64");
  EXPECT_TRUE(testing::planOf(schedule, "f").bounds.empty());
  // The last bound of a dimension counts.
  EXPECT_EQ(testing::loweredText(raised("f bound x 0 in.extent.0 | bound x 0 64")),
            "f bound x 0 64");
  EXPECT_EQ(
      testing::loweredText(raised("f bound x 0 64 | bound y 0 64 | bound_extent x f.extent.0")),
      "f bound y 0 64 | bound_extent x f.extent.0");
  EXPECT_FALSE(raised("f bound x 0 in.extent.0") == raised("f bound x 0 f.extent.0"));
}

// Around all loops of a func is where that func is computed.
TEST(Raise, AroundAllLoopsIsThePlaceOfTheFunc) {
  const auto raised = [](const std::string &text) {
    return testing::scheduled("input in 64\nfunc f(x) 64 = in(x)\nfunc g(x) 64 = f(x)\n"
                              "func h(x) 64 = g(x)\noutput h\n",
                              text);
  };
  EXPECT_TRUE(raised("g compute_at h:__outermost | unroll x") ==
              raised("g compute_root | unroll x"));
  EXPECT_TRUE(raised("f compute_at g:__outermost\ng compute_at h:x") ==
              raised("f compute_at h:x\ng compute_at h:x"));
}

// Bounds alone make no schedule. All other calls in a scheduled file have to be raised.
TEST(FoundCalls, BoundsAreNoSchedule) {
  EXPECT_TRUE(saysBoundsAlone({}));
  EXPECT_TRUE(saysBoundsAlone(
      {.directives = sketch("f bound x 0 8 | bound_extent y in.extent.0 | align_bounds x 4 0"),
       .others = {{"bound(y, 0, n)"}, {"align_bounds(x, n, 0)"}}}));
  EXPECT_FALSE(saysBoundsAlone({.directives = sketch("f bound x 0 8 | compute_root")}));
  EXPECT_FALSE(saysBoundsAlone({.others = {{"bound_storage(x, n)"}}}));
  EXPECT_FALSE(saysBoundsAlone({.others = {{"memoize()"}}}));
}

TEST(FoundCalls, TheScheduleIsWhatThePlainFileDoesNotSay) {
  const OtherCall bound{"bound(y, 0, n)", false}, memoize{"memoize()", false};
  const report::Promise both{.buffer = "in", .dim = 1, .stride = 8};
  const report::Promise own{.buffer = "in", .dim = 0, .min = 0, .extent = 8};
  const FoundCalls algorithm{sketch("f bound x 0 8"), {bound, bound}, {both}};
  const FoundCalls found =
      beyond(algorithm, {sketch("f compute_root | bound x 0 8 | bound y 0 8\ng bound x 0 8"),
                         {bound, memoize, bound, bound},
                         {own, both}});
  EXPECT_EQ(found.directives, sketch("f compute_root | bound y 0 8\ng bound x 0 8"));
  EXPECT_EQ(found.others, (std::vector{memoize, bound})) << "each as often";
  EXPECT_EQ(found.promises, std::vector{own});
}

} // namespace

std::vector<std::string> testing::messagesOfRaise() {
  std::vector<std::string> messages;
  for (const WrongDirectives &wrong : kWrongDirectives)
    messages.emplace_back(wrong.message);
  return messages;
}

} // namespace tessera::schedule
