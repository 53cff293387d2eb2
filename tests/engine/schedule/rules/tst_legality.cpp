// SPDX-License-Identifier: MIT
// For every rule, the smallest schedule that it refuses and the nearest that it accepts.
#include "engine/schedule/rules/legality.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/edits/wrong_requests.h"
#include "tests/engine/schedule/rules/legality_examples.h"
#include "tests/engine/schedule/rules/legality_sketches.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::schedule {
namespace {

using pipeline::FuncId;
using ::testing::ElementsAre;
using testing::Example;
using testing::legalityExamples;
using testing::scheduled;
using namespace testing::sketches;

std::string keyText(const Schedule &schedule, const DecisionKey &key) {
  return schedule.pipeline()->func(key.func).name + "." + std::to_string(key.stage) + " " +
         std::string(name(key.kind)) + " " + std::to_string(key.axis);
}

std::string textOf(const Schedule &schedule, const std::vector<Violation> &violations) {
  std::string text;
  for (const Violation &one : violations)
    text += std::string(name(one.rule)) + " [" + keyText(schedule, one.decision) + "] " +
            one.message + " (allowed: " + one.allowed + ")\n";
  return text;
}

class LegalityRule : public ::testing::TestWithParam<Example> {};

TEST_P(LegalityRule, RefusesTheOneAndAcceptsTheOther) {
  const Example &example = GetParam();
  const Schedule refused = scheduled(example.pipeline, example.refused);
  machine::Machine machine;
  // Only VectorTail and VectorWidth depend on whole vectors. For all other rules, vectors are taken
  // apart into elements, as with OpenCL.
  machine.limits.vectorsTakenApart =
      example.rule != Rule::VectorTail && example.rule != Rule::VectorWidth;
  const std::vector<Violation> violations = check(refused, machine);
  const auto found = std::ranges::find_if(violations, [&](const Violation &one) {
    return one.rule == example.rule && one.message == example.message;
  });
  ASSERT_NE(found, violations.end()) << textOf(refused, violations);
  EXPECT_EQ(keyText(refused, found->decision), example.decision);
  EXPECT_EQ(found->allowed, example.allowed);

  // An empty `accepted` stands for the pipeline without directives.
  const Schedule accepted = scheduled(example.pipeline, example.accepted);
  EXPECT_EQ(textOf(accepted, check(accepted, machine)), "");
}

std::string nameOf(const ::testing::TestParamInfo<Example> &example) {
  return std::string(name(example.param.rule)) + "_" + std::to_string(example.index);
}

INSTANTIATE_TEST_SUITE_P(Rules, LegalityRule, ::testing::ValuesIn(legalityExamples()), nameOf);

// --- schedules that no directives can express

Schedule changed(std::string_view text, std::string_view directives,
                 const std::function<void(FuncPlan &)> &change) {
  Schedule schedule = scheduled(text, directives);
  FuncPlan plan = schedule.plan(FuncId{0});
  change(plan);
  schedule.set(FuncId{0}, std::move(plan));
  return schedule;
}

struct Damage {
  Rule rule;
  std::function<void(FuncPlan &)> change;
  const char *message;
};

const std::vector<Damage> kDamages{
    {Rule::NestWhole, [](FuncPlan &p) { p.stages[0].nest.loops.pop_back(); },
     "f: its loops do not cover each part of its dimensions exactly once"},
    {Rule::NestWhole,
     [](FuncPlan &p) { p.stages[0].nest.loops.push_back(p.stages[0].nest.loops[0]); },
     "f: its loops do not cover each part of its dimensions exactly once"},
    {Rule::NestWhole, [](FuncPlan &p) { p.stages[0].nest.loops[0].ref.part = 7; },
     "f: its loops do not cover each part of its dimensions exactly once"},
    {Rule::NestWhole, [](FuncPlan &p) { p.stages[0].nest.axes.pop_back(); },
     "f: its loops do not cover each part of its dimensions exactly once"},
    {Rule::NestWhole,
     [](FuncPlan &p) {
       p.stages[0].nest.axes.push_back({{{0, 0}, {2, 0}}, {}});
     },
     "f: its loops do not cover each part of its dimensions exactly once"}, // this axis is fused
                                                                            // with itself
    {Rule::NestWhole,
     [](FuncPlan &p) {
       p.layout = {0, 0};
     },
     "f: the storage order must list each dimension exactly once"},
    {Rule::NestWhole, [](FuncPlan &p) { p.storageDims.resize(1); },
     "f: storage and bounds must be given for each dimension or for none"},
    {Rule::NestWhole, [](FuncPlan &p) { p.bounds.resize(3); },
     "f: storage and bounds must be given for each dimension or for none"},
    {Rule::FactorDivides,
     [](FuncPlan &p) {
       p.stages[0].nest.axes[0].splits = {{0, Tail::Auto}};
       p.stages[0].nest.loops.push_back({{0, 1}, LoopKind::Serial});
     },
     "f: it has a factor of 0"},
    {Rule::FactorDivides,
     [](FuncPlan &p) {
       p.stages[0].nest.axes[0].splits = {{std::int64_t{1} << 31, Tail::Auto}};
       p.stages[0].nest.loops.push_back({{0, 1}, LoopKind::Serial});
     },
     "f: it has a factor of 2147483648"},
    {Rule::PlaceExists,
     [](FuncPlan &p) {
       p.compute = Place::at(pipeline::StageId{1}, {9, 0});
     },
     "f is placed at a loop that g does not have"},
    {Rule::PlaceExists,
     [](FuncPlan &p) {
       p.compute = Place::at(pipeline::StageId{99}, {0, 0});
     },
     "f is placed in a stage that does not come after it"},
};

TEST(Legality, RefusesDamagedSchedules) {
  EXPECT_TRUE(isLegal(scheduled(kBlur, "f compute_root"), {}));
  for (const Damage &damage : kDamages) {
    const Schedule schedule = changed(kBlur, "f compute_root", damage.change);
    const std::vector<Violation> violations = check(schedule, {});
    ASSERT_EQ(violations.size(), 1U) << damage.message << "\n" << textOf(schedule, violations);
    EXPECT_EQ(violations[0].rule, damage.rule);
    EXPECT_EQ(violations[0].message, damage.message);
  }
}

struct Cap {
  int registers;
  bool legal;
};

TEST(Legality, ARegisterCapIsWhatPtxasTakes) {
  for (const Cap cap : {Cap{15, false}, Cap{16, true}, Cap{255, true}, Cap{256, false}}) {
    Schedule schedule = scheduled(kPoint, "");
    schedule.set(Settings{cap.registers, {}});
    EXPECT_EQ(isLegal(schedule, {}), cap.legal) << cap.registers;
  }
  Schedule schedule = scheduled(kPoint, "");
  schedule.set(Settings{300, {}});
  EXPECT_THAT(check(schedule, {}), ElementsAre(Violation{Rule::RegisterCap,
                                                         {{}, 0, DecisionKind::RegisterCap, 0},
                                                         "the register cap is 300",
                                                         "16 to 255"}));
}

// With a cap of more than 64, a block of 1024 threads may need more registers than there are. On an
// H200, such a kernel fails to launch with CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES.
TEST(Legality, TheRegistersOfABlockAreWhatThereIs) {
  Schedule schedule =
      scheduled("input in 4096\nfunc f(x) 4096 = in(x)\noutput f\n",
                "f split x xo xi 1024 guard_with_if | gpu_blocks xo | gpu_threads xi");
  for (const Cap cap : {Cap{64, true}, Cap{65, false}, Cap{128, false}}) {
    schedule.set(Settings{cap.registers, {}});
    EXPECT_EQ(isLegal(schedule, {}), cap.legal) << cap.registers;
  }
  EXPECT_THAT(check(schedule, {}),
              ElementsAre(Violation{Rule::RegisterCap,
                                    {{}, 0, DecisionKind::RegisterCap, 0},
                                    "the kernel of f has blocks of 1024 threads; with a cap of 128 "
                                    "registers per thread, a block could need more registers than "
                                    "the GPU has for one",
                                    "a cap of at most 64"}));
}

// Returns a schedule of f, which reads rows of e at `index`, in vectors that a guard cuts.
Schedule gathering(const std::string &index, int lanes) {
  return scheduled("func e(x y) 127 64 = \nfunc f(y x) 64 64 = e(" + index + "; y)\noutput f\n",
                   "f split x a b " + std::to_string(lanes) +
                       " guard_with_if | reorder b a y | vectorize b | gpu_blocks a y\n"
                       "e compute_root");
}

// For the schedules refused here, Halide 21 makes code at which an assertion of LLVM fails.
TEST(Legality, APieceOfOneElementIsNotCut) {
  const auto isLegalWith = [](const std::string &type, bool isDense, int lanes) {
    const std::string f = isDense ? "x y" : "y x";
    return isLegal(scheduled("func f(" + f + ") 64 64 " + type + " = \noutput f\n",
                             "f split x a b " + std::to_string(lanes) +
                                 " guard_with_if | reorder b a y | vectorize b | gpu_blocks a y"),
                   {});
  };
  const std::vector<std::tuple<std::string, std::vector<int>, std::vector<int>>> known{
      {"float32", {2, 6, 10, 12, 48}, {3, 5, 7, 9}},
      {"uint16", {2, 3, 6, 7, 10, 12}, {5, 9, 13}},
      {"uint8", {2, 3, 5, 6, 7, 12, 15}, {9, 17}},
      {"float64", {}, {2, 3, 4, 5}}};
  for (const auto &[type, right, wrong] : known) {
    for (const int lanes : right)
      EXPECT_TRUE(isLegalWith(type, true, lanes)) << type << " × " << lanes;
    for (const int lanes : wrong) {
      EXPECT_FALSE(isLegalWith(type, true, lanes)) << type << " × " << lanes;
      EXPECT_TRUE(isLegalWith(type, false, lanes)) << "rows apart, " << type << " × " << lanes;
    }
  }
  // Loads of adjacent elements, in either direction, are refused as well; other loads are not.
  for (const auto &[index, legal] :
       {std::pair("x", false), {"-1*x+[63,63]", false}, {"2*x", true}, {"x/2", true}})
    EXPECT_EQ(isLegal(gathering(index, 3), {}), legal) << index;
  EXPECT_TRUE(isLegal(gathering("x", 6), {}));
  // Pieces of three adjacent elements (from random schedule 342 of pyramid_blend).
  EXPECT_FALSE(isLegal(gathering("x/2", 6), {}));
  EXPECT_TRUE(isLegal(gathering("x/2", 8), {}));
}

TEST(Legality, AVectorOfThreeIsNotCut) {
  const auto violations =
      check(scheduled(kPoint, "f split x a b 3 guard_with_if | vectorize b"), {});
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations.front().rule, Rule::VectorWidth);
  EXPECT_EQ(violations.front().message,
            "f: its vectors of 3 elements are guarded and split into pieces of 8 bytes, and the "
            "last piece is a single element");
  EXPECT_EQ(violations.front().allowed,
            "a width that leaves no element or at least two, or another tail");
  EXPECT_TRUE(isLegal(scheduled("input in 66\nfunc f(x) 66 = in(x)\nfunc g(x) 64 = f(x+[0,2])\n"
                                "output g\n",
                                "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                                "f compute_at g:b | vectorize x"),
                      {}));
}

TEST(Legality, EveryRuleHasAnExample) {
  std::set<Rule> shown{Rule::RegisterCap};
  for (const Example &example : legalityExamples())
    shown.insert(example.rule);
  for (const Damage &damage : kDamages)
    shown.insert(damage.rule);
  for (int r = 0; r < kRules; ++r)
    EXPECT_TRUE(shown.contains(static_cast<Rule>(r))) << name(static_cast<Rule>(r));
}

TEST(Legality, RulesHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (int r = 0; r < kRules; ++r)
    names.insert(name(static_cast<Rule>(r)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kRules));
  EXPECT_EQ(name(Rule::NestWhole), "nest_whole");
  EXPECT_EQ(name(Rule::RegisterCap), "register_cap");
}

TEST(Legality, LimitsAreThoseOfTheMachine) {
  const Schedule schedule = scheduled(kPoint, "f gpu_threads x | gpu_blocks y");
  machine::Machine small;
  small.limits.threadsPerBlock = 32;
  EXPECT_TRUE(isLegal(schedule, {}));
  EXPECT_FALSE(isLegal(schedule, small));
}

TEST(Legality, SaysEverythingThatIsWrong) {
  const Schedule schedule = scheduled(kPoint, "f split x a b 3 guard_with_if | reorder y b a | "
                                              "gpu_threads y | vectorize b");
  std::vector<Rule> rules;
  for (const Violation &one : check(schedule, {}))
    rules.push_back(one.rule);
  EXPECT_THAT(rules, ::testing::UnorderedElementsAre(Rule::ThreadsWithoutBlocks, Rule::VectorWidth,
                                                     Rule::VectorInnermost));
}

} // namespace

std::vector<std::string> testing::messagesOfLegality() {
  std::vector<std::string> messages;
  for (const Example &example : legalityExamples())
    messages.emplace_back(example.message);
  for (const Damage &damage : kDamages)
    messages.emplace_back(damage.message);
  return messages;
}

} // namespace tessera::schedule
