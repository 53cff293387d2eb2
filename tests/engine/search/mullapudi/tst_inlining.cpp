// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/inlining.h"

#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::test::sketch;
using ::testing::ElementsAre;

// What inlining func 0 into these funcs gains.
double benefit(const Pipeline &pipeline, const std::vector<FuncId> &into,
               const MullapudiParameters &parameters = {}) {
  std::vector<MullapudiKernel> kernels;
  std::vector<const MullapudiKernel *> consumers;
  for (const FuncId func : into)
    kernels.push_back(singleElementKernel(pipeline, func, {}, parameters));
  for (const MullapudiKernel &kernel : kernels)
    consumers.push_back(&kernel);
  return inliningBenefit(pipeline, singleElementKernel(pipeline, FuncId{0}, {}, parameters),
                         consumers, parameters);
}

bool isFree(const Pipeline &pipeline, const std::vector<FuncId> &into) {
  std::vector<MullapudiKernel> kernels;
  std::vector<const MullapudiKernel *> consumers;
  for (const FuncId func : into)
    kernels.push_back(singleElementKernel(pipeline, func, {}, {}));
  for (const MullapudiKernel &kernel : kernels)
    consumers.push_back(&kernel);
  return isInlinedWithoutRedundancy(pipeline, singleElementKernel(pipeline, FuncId{0}, {}, {}),
                                    consumers);
}

// Apart (3 + 30) operations for each value of both funcs; inlined 3 + 3 · 3 operations and the nine
// inputs of 3 × 3.
TEST(MullapudiInlining, LeavesTheBlurApart) {
  const auto blur = testing::paperBlur();
  EXPECT_EQ(benefit(*blur, {testing::kBlurOut}),
            33. * 6400 * 4802 + 33. * 6400 * 4800 - (12 + 90) * 6400. * 4800);
}

TEST(MullapudiInlining, InlinesAPoint) {
  const auto pipeline = sketch(R"(
    input in 64 64
    func a(x y) 64 64 = in(x; y)
    func b(x y) 64 64 = a(x; y)
    output b
  )");
  EXPECT_EQ(benefit(*pipeline, {FuncId{1}}), 64 * 64 * (11 + 11 - (1 + 1 + 10)));
}

// "the auto-scheduler must consider the cost of inlining a function into all consumers".
TEST(MullapudiInlining, CountsAllConsumers) {
  const auto pipeline = sketch(R"(
    input in 80 80
    func a(x y) 64 64 = in(x; y) in(x+1; y) in(x+2; y) in(x+3; y) in(x+4; y) in(x+5; y) in(x+6; y)
    func b(x y) 64 64 = a(x; y)
    func c(x y) 64 64 = a(x; y)
    func d(x y) 64 64 = a(x; y)
    func e(x y) 64 64 = b(x; y) c(x; y) d(x; y)
    output e
  )");
  constexpr double kPoints = 64 * 64, kOwn = 1 + 70, kReader = 1 + 10, kAfter = 2 + 70;
  EXPECT_EQ(benefit(*pipeline, {FuncId{1}}), kPoints * (kOwn + kReader - kAfter));
  EXPECT_EQ(benefit(*pipeline, {FuncId{1}, FuncId{2}, FuncId{3}}),
            kPoints * (kOwn + 3 * kReader - 3 * kAfter));
  EXPECT_LT(benefit(*pipeline, {FuncId{1}, FuncId{2}, FuncId{3}}), 0);
}

// Section 5.1: the baseline inlines "when inlining introduces no redundant computation".
TEST(MullapudiInlining, KnowsWhatComputesNothingAgain) {
  auto parts = pipeline::test::sketchParts(R"(
    input in 80 80
    func a(x y) 64 64 = in(x; y)
    func once(x y) 64 64 = a(x; y)
    func half(x y) 32 64 = a(2*x; y)
    func stencil(x y) 62 64 = a(x; y) a(x+2; y)
    func out(x y) 32 64 = once(x; y) half(x; y) stencil(x; y)
    output out
  )");
  for (pipeline::Access &load : parts.stages[1].loads)
    load.count = 2; // as in a(x, y) * a(x, y)
  const auto made = Pipeline::create(std::move(parts));
  ASSERT_TRUE(made);
  const auto &pipeline = *made;
  const FuncId once{1}, half{2}, stencil{3};
  EXPECT_TRUE(isFree(*pipeline, {once})); // the same element twice is one evaluation
  EXPECT_TRUE(isFree(*pipeline, {half}));
  EXPECT_FALSE(isFree(*pipeline, {stencil}));
  EXPECT_FALSE(isFree(*pipeline, {once, half}));
}

TEST(MullapudiInlining, TakesAlongWhatIsInlinedAlready) {
  const auto pipeline = sketch(R"(
    input in 64 64
    func a(x y) 64 64 = in(x; y)
    func b(x y) 64 64 = a(x; y)
    func c(x y) 64 64 = b(x; y)
    output c
  )");
  const MullapudiKernel b = singleElementKernel(*pipeline, FuncId{1}, {FuncId{0}}, {});
  const MullapudiKernel c = singleElementKernel(*pipeline, FuncId{2}, {}, {});
  const MullapudiKernel after = withInlinedInto(*pipeline, b, c, {});
  EXPECT_THAT(after.group.inlined, ElementsAre(FuncId{0}, FuncId{1}));
  EXPECT_EQ(after.arithmetic, 3 * 64 * 64);
  EXPECT_EQ(after.loads, 64 * 64);
}

} // namespace
} // namespace tessera::search
