// SPDX-License-Identifier: MIT
#include "engine/schedule/schedule.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <functional>

namespace tessera::schedule {
namespace {

using pipeline::FuncId;
using pipeline::PipelinePtr;
using pipeline::StageId;
using testing::planOf;
using testing::scheduled;

constexpr std::string_view kBlur = "input in 66 66\n"
                                   "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                   "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                                   "output g\n";
constexpr FuncId kF{0}, kG{1};

Schedule blur() {
  return scheduled(kBlur, "g split x a b 32 guard_with_if | gpu_blocks a | gpu_threads b\n"
                          "f compute_at g:a | store_in shared | gpu_threads x");
}

Schedule changed(const Schedule &schedule, FuncId func,
                 const std::function<void(FuncPlan &)> &change) {
  Schedule other = schedule;
  FuncPlan plan = schedule.plan(func);
  change(plan);
  other.set(func, std::move(plan));
  return other;
}

TEST(Schedule, TakesNoPlansOrIdsOfAnotherPipeline) {
  Schedule schedule = blur();
  EXPECT_THROW((void)schedule.plan(FuncId{2}), pipeline::ForeignId);
  EXPECT_THROW((void)schedule.plan(StageId{2}), pipeline::ForeignId);
  FuncPlan plan = schedule.plan(kF);
  EXPECT_THROW(schedule.set(FuncId{2}, plan), pipeline::ForeignId);
  plan.stages.emplace_back();
  EXPECT_THROW(schedule.set(kF, plan), pipeline::ForeignId) << "it has one stage";
  EXPECT_THROW(schedule.setFactor(StageId{1}, {0, 1}, 8), pipeline::ForeignId);
  EXPECT_THROW(schedule.setFactor(StageId{1}, {2, 0}, 8), pipeline::ForeignId);
  EXPECT_EQ(schedule, blur());
}

TEST(Schedule, StartsWithEveryFuncAtRoot) {
  const Schedule start(pipeline::test::sketch(kBlur));
  EXPECT_EQ(testing::loweredText(start), "f compute_root");
  EXPECT_EQ(start.settings().registerCap, 64);
}

TEST(Schedule, CopiesShareWhatIsEqual) {
  const Schedule before = blur();
  Schedule after = before;
  FuncPlan plan = before.plan(kG);
  plan.storage = Storage::Global;
  after.set(kG, plan);
  EXPECT_EQ(&before.plan(kF), &after.plan(kF));
  EXPECT_NE(&before.plan(kG), &after.plan(kG));
  EXPECT_EQ(before.plan(kG).storage, Storage::Auto);
  EXPECT_EQ(&before.settings(), &after.settings());
}

TEST(Schedule, AChangeTouchesOnlyItsNeighboursOfManyFuncs) {
  std::string text = "func f0(x) 8 = \n";
  for (int f = 1; f < 100; ++f)
    text += "func f" + std::to_string(f) + "(x) 8 = f" + std::to_string(f - 1) + "(x)\n";
  const Schedule before(pipeline::test::sketch(text + "output f99\n"));
  for (std::uint32_t touched = 0; touched < 100; touched += 9) {
    const Schedule after =
        changed(before, FuncId{touched}, [](FuncPlan &plan) { plan.storage = Storage::Global; });
    for (std::uint32_t f = 0; f < 100; ++f)
      EXPECT_EQ(&before.plan(FuncId{f}) == &after.plan(FuncId{f}), f != touched) << f;
  }
}

TEST(Schedule, EqualityComparesDecisionsNotObjects) {
  EXPECT_EQ(blur(), blur());
  EXPECT_EQ(blur(), changed(blur(), kF, [](FuncPlan &) {}));
  EXPECT_NE(blur(), Schedule(pipeline::test::sketch(kBlur)));
}

TEST(Schedule, OfAnotherPipelineIsAnother) {
  const auto one = [](const char *extent) {
    return Schedule(pipeline::test::sketch("func f(x) " + std::string(extent) + " = \noutput f\n"));
  };
  EXPECT_EQ(one("64"), one("64"));
  EXPECT_NE(one("64"), one("65"));
}

TEST(Schedule, MarksDoNotCount) {
  Schedule marked = blur();
  const DecisionKey key{kF, 0, DecisionKind::Storage, 0};
  marked.setMark(key, {Origin::User, true});
  EXPECT_EQ(marked, blur());
  EXPECT_EQ(marked.hash(), blur().hash());
  EXPECT_EQ(marked.mark(key), (Mark{Origin::User, true}));
  EXPECT_EQ(marked.mark({kG, 0, DecisionKind::Storage, 0}), Mark{});
}

TEST(Schedule, ADefaultMarkIsNone) {
  Schedule marked = blur();
  marked.setMark({kF, 0, DecisionKind::Storage, 0}, {Origin::User, true});
  marked.setMark({kF, 0, DecisionKind::Storage, 0}, Mark{});
  EXPECT_TRUE(marked.marks().empty());
}

TEST(Schedule, TheHashIsTheSameInEveryRun) { EXPECT_EQ(blur().hash(), 10215687659365199493U); }

TEST(Schedule, TheHashFollowsAChangeAndItsReverse) {
  const Schedule before = blur();
  Schedule schedule = changed(before, kF, [](FuncPlan &plan) { plan.storage = Storage::Global; });
  EXPECT_NE(schedule.hash(), before.hash());
  schedule.set(kF, before.plan(kF));
  EXPECT_EQ(schedule.hash(), before.hash());
  schedule.set(Settings{128, {}});
  EXPECT_NE(schedule.hash(), before.hash());
  schedule.set(Settings{});
  EXPECT_EQ(schedule.hash(), before.hash());
}

TEST(Schedule, EqualPlansOfTwoFuncsDoNotCancelOut) {
  const PipelinePtr twins = pipeline::test::sketch("func f(x) 8 = \nfunc g(x) 8 = \n"
                                                   "func h(x) 8 = f(x) g(x)\noutput h\n");
  EXPECT_NE(scheduled(twins, "f compute_root").hash(), scheduled(twins, "g compute_root").hash());
  EXPECT_NE(scheduled(twins, "f compute_root").hash(0), scheduled(twins, "g compute_root").hash(0));
}

TEST(Schedule, TheHashSeesSettingsAndDerivationsWhole) {
  report::Promise nothing{.buffer = "in"}, stride{.buffer = "in", .stride = -1};
  const auto promised = [](const report::Promise &promise) {
    Schedule schedule = blur();
    schedule.set(Settings{64, {promise}});
    return schedule.hash();
  };
  EXPECT_NE(promised(nothing), promised(stride));

  const PipelinePtr pair = pipeline::test::sketch("func f(x) 8 = \n"
                                                  "func g(x) 8 = f(x)\nfunc h(x) 8 = f(x) g(x)\n"
                                                  "output h\n");
  EXPECT_NE(scheduled(pair, "f in g -> copy\ncopy compute_root").hash(),
            scheduled(pair, "f in h -> copy\ncopy compute_root").hash());
}

// --- coarser hashes: each case has a change and the least depth at which the hash differs.

struct Coarse {
  const char *what;
  int seenFrom;
  FuncId func;
  std::function<void(FuncPlan &)> change;
};

class ScheduleHash : public ::testing::TestWithParam<Coarse> {};

TEST_P(ScheduleHash, SeesAChangeFromItsDepthOn) {
  const Schedule before = blur();
  const Schedule after = changed(before, GetParam().func, GetParam().change);
  for (int depth = 0; depth <= 5; ++depth)
    EXPECT_EQ(before.hash(depth) != after.hash(depth), depth >= GetParam().seenFrom)
        << GetParam().what << " at depth " << depth;
}

LoopNest &nestOf(FuncPlan &plan) { return plan.stages[0].nest; }

INSTANTIATE_TEST_SUITE_P(
    Depths, ScheduleHash,
    ::testing::Values(
        Coarse{"at root", 0, kF, [](FuncPlan &p) { p.compute = Place::root(); }},
        Coarse{"inlined", 0, kF, [](FuncPlan &p) { p.compute = Place::inlined(); }},
        Coarse{"at a thread", 1, kF,
               [](FuncPlan &p) {
                 p.compute.loop = {0, 1};
               }},
        Coarse{"stored in global memory", 2, kF, [](FuncPlan &p) { p.storage = Storage::Global; }},
        Coarse{"stored at root", 2, kF, [](FuncPlan &p) { p.store = Place::root(); }},
        Coarse{"hoisted", 2, kF, [](FuncPlan &p) { p.hoist = Place::root(); }},
        Coarse{"dimensions swapped", 2, kF,
               [](FuncPlan &p) {
                 p.layout = {1, 0};
               }},
        Coarse{"padded", 2, kF,
               [](FuncPlan &p) {
                 p.storageDims = {{.alignment = 32}, {}};
               }},
        Coarse{"bounded", 2, kF,
               [](FuncPlan &p) {
                 p.bounds = {{.extent = 96}, {}};
               }},
        Coarse{"unrolled", 3, kF,
               [](FuncPlan &p) { nestOf(p).loops[1].kind = LoopKind::Unrolled; }},
        Coarse{"another order", 3, kF,
               [](FuncPlan &p) { std::swap(nestOf(p).loops[0], nestOf(p).loops[1]); }},
        Coarse{"atomic", 3, kF, [](FuncPlan &p) { p.stages[0].atomic = Atomic::Proven; }},
        Coarse{"racing", 3, kF, [](FuncPlan &p) { p.stages[0].allowRaces = true; }},
        Coarse{"opaque", 3, kF,
               [](FuncPlan &p) {
                 p.stages[0].opaque = {
                     {Verb::BoundExtent, {LoopName{"x"}, SizeExpression::ofName("in.extent.0")}}};
               }},
        Coarse{"computed with", 3, kF,
               [](FuncPlan &p) {
                 p.stages[0].computeWith = SharedLoop{StageId{1}, {0, 0}};
               }},
        Coarse{"a factor of another size", 4, kG,
               [](FuncPlan &p) { nestOf(p).axes[0].splits[0].factor = 64; }},
        Coarse{"a factor of the same size", 5, kG,
               [](FuncPlan &p) { nestOf(p).axes[0].splits[0].factor = 33; }},
        Coarse{"another tail", 5, kG,
               [](FuncPlan &p) { nestOf(p).axes[0].splits[0].tail = Tail::RoundUp; }}));

TEST(ScheduleHash, AtAnotherLoopOfTheSameKindDiffersFromDepthThreeOn) {
  const auto at = [](const char *loop) {
    return scheduled(kBlur, "g gpu_blocks x y\nf compute_at g:" + std::string(loop));
  };
  for (int depth = 0; depth <= 5; ++depth)
    EXPECT_EQ(at("x").hash(depth) != at("y").hash(depth), depth >= 3) << depth;
}

// --- adding stages

TEST(Schedule, AnAddedStageMovesPlacesAndMarks) {
  Schedule schedule = blur();
  schedule.setMark({kG, 0, DecisionKind::Order, 0}, {Origin::User, true});
  schedule.setMark({{}, 0, DecisionKind::RegisterCap, 0}, {Origin::Imported, true});
  ASSERT_TRUE(schedule.add(Wrapper{"copy", "in", {"f"}}));
  EXPECT_EQ(testing::loweredText(schedule),
            "in in f -> copy\n"
            "g split x x_block x_thread 32 guard_with_if | gpu_threads x_thread | "
            "gpu_blocks x_block\n"
            "f compute_at g:x_block | store_in shared | gpu_threads x\n"
            "copy compute_root");
  EXPECT_EQ(schedule.marks(),
            (Marks{{{FuncId{2}, 0, DecisionKind::Order, 0}, {Origin::User, true}},
                   {{{}, 0, DecisionKind::RegisterCap, 0}, {Origin::Imported, true}}}));
}

TEST(Schedule, AnAddedStageChangesTheHash) {
  Schedule schedule = blur();
  ASSERT_TRUE(schedule.add(Clone{"f2", "f", {"g"}}));
  EXPECT_NE(schedule.hash(), blur().hash());
  EXPECT_NE(schedule, blur());
}

TEST(Schedule, AFuncWhoseLoopsChangedStartsAnew) {
  Schedule schedule = scheduled("input in 64 64\n"
                                "func s(x) 64 = \n"
                                "update s(x) r:0:64 q:0:8 commutative = s(x) in(x; r)\n"
                                "output s\n",
                                "s gpu_blocks x\ns.1 gpu_blocks x");
  ASSERT_TRUE(schedule.add(Factored{"part", "s", 1, {}, {{"q", "u"}}}));
  EXPECT_EQ(testing::loweredText(schedule), "s.1 rfactor ~q u -> part\npart compute_root");
}

TEST(Schedule, DroppingAStageUndoesAddingIt) {
  Schedule schedule = blur();
  schedule.setMark({kG, 0, DecisionKind::Order, 0}, {Origin::User, true});
  const Schedule before = schedule;
  ASSERT_TRUE(schedule.add(Wrapper{"copy", "in", {"f"}}));
  schedule.setMark({FuncId{0}, 0, DecisionKind::Compute, 0}, {Origin::User, false});
  ASSERT_TRUE(schedule.drop({"copy"}));
  EXPECT_EQ(schedule, before);
  EXPECT_EQ(schedule.hash(), before.hash());
  EXPECT_EQ(schedule.marks(), before.marks());
}

TEST(Schedule, OnlyTheStagesThatAreNamedAreDropped) {
  Schedule both = blur(), one = blur();
  ASSERT_TRUE(both.add(Wrapper{"copy", "in", {"f"}}));
  ASSERT_TRUE(both.add(Clone{"f2", "f", {"g"}}));
  ASSERT_TRUE(one.add(Clone{"f2", "f", {"g"}}));
  ASSERT_TRUE(both.drop({"copy"}));
  EXPECT_EQ(both, one);
}

TEST(Schedule, AStageThatOthersNeedIsNotDropped) {
  Schedule schedule = blur();
  ASSERT_TRUE(schedule.add(Wrapper{"copy", "in", {"f"}}));
  ASSERT_TRUE(schedule.add(Wrapper{"again", "copy", {"f"}}));
  const Schedule before = schedule;
  EXPECT_FALSE(schedule.drop({"copy"})); // the func `again` is made from it
  EXPECT_EQ(schedule, before);
}

TEST(Schedule, ARefusedStageChangesNothing) {
  Schedule schedule = blur();
  EXPECT_FALSE(schedule.add(Clone{"f", "f", {"g"}}));
  EXPECT_EQ(schedule, blur());
}

} // namespace
} // namespace tessera::schedule
