// SPDX-License-Identifier: MIT
// A derived pipeline equals a sketch of the expected pipeline. Definitions, operations and proofs
// are not compared, as a sketch has none.
#include "engine/schedule/derivation.h"

#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace tessera::schedule {
namespace {

using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::PipelineParts;
using pipeline::PipelinePtr;
using pipeline::Stage;
using ::testing::HasSubstr;

constexpr std::string_view kTwoReaders = "input in 64 64\n"
                                         "func f(x y) 64 64 = in(x; y)\n"
                                         "func g(x y) 62 64 = f(x+[0,2]; y)\n"
                                         "func h(x y) 62 64 = g(x; y) f(x; y)\n"
                                         "output h\n";

PipelineParts comparable(const Pipeline &pipeline) {
  PipelineParts parts = pipeline.parts();
  for (Stage &stage : parts.stages) {
    stage.definition.clear();
    stage.operations.clear();
    stage.associative = stage.commutative = false;
    std::ranges::stable_sort(stage.loads, {}, [](const pipeline::Access &load) {
      return std::pair(load.producer.kind, load.producer.index);
    });
  }
  return parts;
}

void expectDerived(std::string_view before, const Derivation &derivation, std::string_view after) {
  const auto derived = derive(*pipeline::test::sketch(before), derivation);
  ASSERT_TRUE(derived) << derived.error().message;
  const PipelineParts found = comparable(**derived),
                      wanted = comparable(*pipeline::test::sketch(after));
  EXPECT_EQ(found.funcs, wanted.funcs);
  EXPECT_EQ(found.outputs, wanted.outputs);
  ASSERT_EQ(found.stages.size(), wanted.stages.size());
  for (std::size_t s = 0; s < found.stages.size(); ++s) {
    EXPECT_EQ(found.stages[s].loops, wanted.stages[s].loops) << s;
    EXPECT_EQ(found.stages[s].loads, wanted.stages[s].loads) << s;
    EXPECT_EQ(found.stages[s].store, wanted.stages[s].store) << s;
  }
}

TEST(Derivation, AWrapperCopiesAFuncForOneReader) {
  expectDerived(kTwoReaders, Wrapper{"copy", "f", {"g"}},
                "input in 64 64\n"
                "func f(x y) 64 64 = in(x; y)\n"
                "func copy(x y) 64 64 = f(x; y)\n"
                "func g(x y) 62 64 = copy(x+[0,2]; y)\n"
                "func h(x y) 62 64 = g(x; y) f(x; y)\n"
                "output h\n");
}

TEST(Derivation, AWrapperWithoutReadersIsForAll) {
  expectDerived(kTwoReaders, Wrapper{"copy", "f", {}},
                "input in 64 64\n"
                "func f(x y) 64 64 = in(x; y)\n"
                "func copy(x y) 64 64 = f(x; y)\n"
                "func g(x y) 62 64 = copy(x+[0,2]; y)\n"
                "func h(x y) 62 64 = g(x; y) copy(x; y)\n"
                "output h\n");
}

TEST(Derivation, AWrapperDoesNotCutTheUpdatesOfItsFuncOff) {
  expectDerived("input in 64\n"
                "func s(x) 4 = \n"
                "update s(x) r:0:16 = s(x) in(r)\n"
                "func t(x) 4 = s(x)\n"
                "output t\n",
                Wrapper{"copy", "s", {}},
                "input in 64\n"
                "func s(x) 4 = \n"
                "update s(x) r:0:16 = s(x) in(r)\n"
                "func copy(x) 4 = s(x)\n"
                "func t(x) 4 = copy(x)\n"
                "output t\n");
}

TEST(Derivation, AWrapperOfATupleCopiesEachElement) {
  const auto derived = derive(*pipeline::test::sketch("func f(x) 8 uint8 float32 = \n"
                                                      "func g(x) 8 = f(x)\noutput g\n"),
                              Wrapper{"copy", "f", {}});
  ASSERT_TRUE(derived);
  const auto &loads = (*derived)->stages()[1].loads;
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(loads[0].tupleElement, 0U);
  EXPECT_EQ(loads[1].tupleElement, 1U);
  EXPECT_EQ((*derived)->func(FuncId{1}).types, (*derived)->func(FuncId{0}).types);
}

constexpr std::string_view kInputReaders = "input in 64 64\n"
                                           "func f(x y) 64 64 = in(x; y)\n"
                                           "func g(x y) 60 60 = in(x+[0,2]; y) f(x; y)\n"
                                           "output g\n";

TEST(Derivation, AWrapperOfAnInputComesBeforeItsFirstReader) {
  constexpr std::string_view kBoth = "input in 64 64\n"
                                     "func copy(_0 _1) 64 64 uint8 = in(_0; _1)\n"
                                     "func f(x y) 64 64 = copy(x; y)\n"
                                     "func g(x y) 60 60 = copy(x+[0,2]; y) f(x; y)\n"
                                     "output g\n";
  expectDerived(kInputReaders, Wrapper{"copy", "in", {}}, kBoth);
  expectDerived(kInputReaders, Wrapper{"copy", "in", {"g", "f"}}, kBoth);
  expectDerived(kInputReaders, Wrapper{"copy", "in", {"g"}},
                "input in 64 64\n"
                "func f(x y) 64 64 = in(x; y)\n"
                "func copy(_0 _1) 64 64 uint8 = in(_0; _1)\n"
                "func g(x y) 60 60 = copy(x+[0,2]; y) f(x; y)\n"
                "output g\n");
}

TEST(Derivation, AWrapperOfAnInputOfUnknownSizeIsAsLargeAsItIsRead) {
  PipelineParts parts = pipeline::test::sketchParts(kInputReaders);
  for (pipeline::Estimate &dim : parts.inputs[0].dims)
    dim.range = pipeline::kEverything;
  const auto derived = derive(**Pipeline::create(parts), Wrapper{"copy", "in", {"g"}});
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ((*derived)->func(FuncId{1}).region, (pipeline::Box{{0, 61}, {0, 59}}));
}

TEST(Derivation, AnInputIsAlsoNamedByItsHandle) {
  PipelineParts parts = pipeline::test::sketchParts(kInputReaders);
  parts.inputs[0].stagingFunc = "in_im";
  const auto derived = derive(**Pipeline::create(parts), Wrapper{"copy", "in_im", {"g"}});
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ((*derived)->producerName((*derived)->edge(pipeline::EdgeId{1}).producer), "in");
}

TEST(Derivation, ACloneIsASecondComputation) {
  expectDerived("input in 64\n"
                "func s(x) 4 = \n"
                "update s(x) r:0:16 = s(x) in(r)\n"
                "func t(x) 4 = s(x)\n"
                "func u(x) 4 = s(x) t(x)\n"
                "output u\n",
                Clone{"s2", "s", {"t"}},
                "input in 64\n"
                "func s(x) 4 = \n"
                "update s(x) r:0:16 = s(x) in(r)\n"
                "func s2(x) 4 = \n"
                "update s2(x) r:0:16 = s2(x) in(r)\n"
                "func t(x) 4 = s2(x)\n"
                "func u(x) 4 = s(x) t(x)\n"
                "output u\n");
}

TEST(Derivation, ACloneOfAnOutputIsNone) {
  const auto derived =
      derive(*pipeline::test::sketch("func f(x) 8 = \nfunc g(x) 8 = f(x)\noutput f\noutput g\n"),
             Clone{"f2", "f", {"g"}});
  ASSERT_TRUE(derived);
  EXPECT_FALSE((*derived)->func(FuncId{1}).isOutput);
  EXPECT_EQ((*derived)->outputs().size(), 2U);
}

TEST(Derivation, RFactorKeepsAResultForEachPreservedStep) {
  expectDerived("input in 64 64\n"
                "func s(x) 64 = \n"
                "update s(x) r:0:64 q:0:8 = s(x) in(x; r)\n"
                "output s\n",
                Factored{"part", "s", 1, {}, {{"q", "u"}}},
                "input in 64 64\n"
                "func part(x u) 64 8 = \n"
                "update part(x u) r:0:64 = part(x; u) in(x; r)\n"
                "func s(x) 64 = \n"
                "update s(x) q:0:8 = part(x; q) s(x)\n"
                "output s\n");
}

TEST(Derivation, RFactorSplitsFirst) {
  // r = 8·ro + ri. In the last iteration of ro, a guard skips the steps from r = 60 on.
  const auto derived = derive(*pipeline::test::sketch("input in 64\n"
                                                      "func s(x) 1 = \n"
                                                      "update s(x) r:0:60 = s(x) in(r)\n"
                                                      "output s\n"),
                              Factored{"part", "s", 1, {{"r", "ro", "ri", 8}}, {{"ro", "u"}}});
  ASSERT_TRUE(derived) << derived.error().message;
  const Stage &partial = (*derived)->stages()[1], &merge = (*derived)->stages()[3];
  ASSERT_EQ(partial.loops.size(), 3U);
  EXPECT_EQ(partial.loops[0].name, "ri");
  EXPECT_EQ(partial.loops[0].range, (Interval{0, 7}));
  EXPECT_TRUE(partial.loops[0].fixed);
  EXPECT_EQ(partial.loops[2].name, "u");
  EXPECT_EQ(partial.loops[2].range, (Interval{0, 7}));
  EXPECT_EQ(partial.loads.back().indices[0],
            pipeline::test::indexMap("ri + 8*u", {"ri", "x", "u"}));
  EXPECT_EQ(merge.loops[0].name, "ro");
  EXPECT_EQ(merge.loops[0].range, (Interval{0, 7}));
}

// A copy computes what its original does; the parts of a reduction have other indices.
TEST(Derivation, AClonedStageKeepsItsExpressionAndAFactoredOneHasNone) {
  pipeline::PipelineParts parts =
      pipeline::test::sketchParts("input in 64 64\n"
                                  "func s(x) 64 = \n"
                                  "update s(x) r:0:64 q:0:8 = s(x) in(x; r)\n"
                                  "func out(x) 64 = s(x)\n"
                                  "output out\n");
  for (Stage &stage : parts.stages)
    stage.expression = pipeline::Expression{{}, 2};
  const auto made = Pipeline::create(parts);
  ASSERT_TRUE(made) << made.error().message;
  const auto cloned = derive(**made, Clone{"s_clone", "s", {"out"}});
  ASSERT_TRUE(cloned) << cloned.error().message;
  for (const Stage &stage : (*cloned)->stages())
    EXPECT_TRUE(stage.expression);
  const auto factored = derive(**made, Factored{"part", "s", 1, {}, {{"q", "u"}}});
  ASSERT_TRUE(factored) << factored.error().message;
  EXPECT_FALSE((*factored)->stages()[1].expression);
  EXPECT_FALSE((*factored)->stages()[3].expression);
  EXPECT_TRUE((*factored)->stages()[4].expression);
}

TEST(Derivation, RFactorOfAHistogramHasAHistogramForEachRow) {
  const auto derived =
      derive(*pipeline::test::sketch("input in 64 64\n"
                                     "func hist(i) 256 = \n"
                                     "update hist(?) r:0:64 q:0:64 = hist(?) in(r; q)\n"
                                     "output hist\n"),
             Factored{"rows", "hist", 1, {}, {{"q", "u"}}});
  ASSERT_TRUE(derived) << derived.error().message;
  const Stage &partial = (*derived)->stages()[1], &merge = (*derived)->stages()[3];
  ASSERT_EQ(partial.store.indices.size(), 2U);
  EXPECT_EQ(partial.store.indices[0].precision, pipeline::Precision::Whole);
  EXPECT_EQ(partial.store.indices[1], pipeline::test::indexMap("u", {"r", "u"}));
  ASSERT_EQ(merge.loops.size(), 2U); // the loops are q and i, as every bin is merged
  EXPECT_EQ(merge.loops[1].name, "i");
  EXPECT_EQ(merge.store.indices[0], pipeline::test::indexMap("i", {"q", "i"}));
}

TEST(Derivation, RFactorMergesInAnyOrderIfTheSumHadNone) {
  for (const char *order : {"", "commutative "}) {
    const auto derived = derive(*pipeline::test::sketch(std::string("input in 64\n"
                                                                    "func s(x) 1 = \n"
                                                                    "update s(x) r:0:64 q:0:8 ") +
                                                        order + "= s(x) in(r)\noutput s\n"),
                                Factored{"part", "s", 1, {}, {{"q", "u"}}});
    ASSERT_TRUE(derived) << derived.error().message;
    const bool any = *order != '\0';
    for (const std::size_t stage : {1U, 3U}) {
      EXPECT_EQ((*derived)->stages()[stage].associative, any) << stage;
      EXPECT_EQ((*derived)->stages()[stage].commutative, any) << stage;
    }
  }
}

TEST(Derivation, ManyAtOnceAreThoseOneAfterTheOther) {
  const std::vector<Derivation> many{Wrapper{"copy", "f", {"g"}}, Wrapper{"again", "copy", {}},
                                     Wrapper{"none", "nobody", {}}, Wrapper{"of_in", "in", {}},
                                     Clone{"second", "of_in", {"f"}}};
  PipelinePtr one = pipeline::test::sketch(kTwoReaders);
  Deriver deriver(*one);
  for (const Derivation &derivation : many) {
    const auto next = derive(*one, derivation);
    EXPECT_EQ(next.ok(), deriver.add(derivation).ok()) << nameOf(derivation);
    if (next) one = *next;
  }
  const auto all = std::move(deriver).take();
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ((*all)->funcs().size(), one->funcs().size());
  EXPECT_EQ((*all)->parts(), one->parts());
}

TEST(Derivation, NameOfIsTheNewName) {
  EXPECT_EQ(nameOf(Wrapper{"a", "f", {}}), "a");
  EXPECT_EQ(nameOf(Clone{"b", "f", {}}), "b");
  EXPECT_EQ(nameOf(Factored{"c", "f"}), "c");
}

// --- refusals

constexpr std::string_view kFactoredSum = "input in 64 64\n"
                                          "func f(x) 64 = in(x; 0)\n"
                                          "func s(x) 64 = \n"
                                          "update s(x) r:0:64 q:0:8 = s(x) in(x; r)\n"
                                          "output s\n";

struct Wrong {
  Derivation derivation;
  const char *message;
};

class DerivationRefuses : public ::testing::TestWithParam<Wrong> {};

TEST_P(DerivationRefuses, WithAMessage) {
  const auto derived = derive(*pipeline::test::sketch(kFactoredSum), GetParam().derivation);
  ASSERT_FALSE(derived);
  EXPECT_EQ(derived.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Copies, DerivationRefuses,
    ::testing::Values(Wrong{Wrapper{"", "in", {}}, "the name '' is taken"},
                      Wrong{Wrapper{"in", "in", {}}, "the name 'in' is taken"},
                      Wrong{Wrapper{"copy", "nobody", {}}, "there is no func or input 'nobody'"},
                      Wrong{Wrapper{"copy", "s", {}}, "nothing reads s"},
                      Wrong{Wrapper{"copy", "in", {"nobody"}}, "nobody does not read in"},
                      Wrong{Clone{"copy", "in", {"s"}},
                            "in is an input and cannot be computed a second time"},
                      Wrong{Clone{"s", "f", {"s"}}, "the name 's' is taken"}));

INSTANTIATE_TEST_SUITE_P(
    Reductions, DerivationRefuses,
    ::testing::Values(
        Wrong{Factored{"s", "s", 1, {}, {{"q", "u"}}}, "the name 's' is taken"},
        Wrong{Factored{"part", "nobody", 1, {}, {{"q", "u"}}}, "there is no func 'nobody'"},
        Wrong{Factored{"part", "s", 0, {}, {{"q", "u"}}}, "s has no update 0"},
        Wrong{Factored{"part", "s", 2, {}, {{"q", "u"}}}, "s has no update 2"},
        Wrong{Factored{"part", "s", 1, {}, {}}, "no loop of s is preserved"},
        Wrong{Factored{"part", "s", 1, {}, {{"x", "u"}}},
              "there is no reduction loop 'x' to preserve"},
        Wrong{Factored{"part", "s", 1, {}, {{"q", "u"}, {"q", "v"}}}, "'q' is preserved twice"},
        Wrong{Factored{"part", "s", 1, {}, {{"q", "u"}, {"r", "u"}}},
              "there is a loop 'u' already"},
        Wrong{Factored{"part", "s", 1, {}, {{"q", "x"}}}, "there is a loop 'x' already"},
        Wrong{Factored{"part", "s", 1, {}, {{"q", "r"}}}, "there is a loop 'r' already"},
        Wrong{Factored{"part", "s", 1, {{"x", "a", "b", 4}}, {{"q", "u"}}},
              "there is no reduction loop 'x'"},
        Wrong{Factored{"part", "s", 1, {{"r", "a", "b", 0}}, {{"q", "u"}}},
              "the factor must be at least 1, not 0"},
        Wrong{Factored{"part", "s", 1, {{"r", "a", "x", 4}}, {{"q", "u"}}},
              "there is a loop 'x' already"},
        Wrong{Factored{"part", "s", 1, {{"r", "a", "a", 4}}, {{"q", "u"}}},
              "both halves are called 'a'"}));

} // namespace
} // namespace tessera::schedule
