// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/synthetic/recipe.h"
#include "samples/synthetic/reference.h"
#include "tests/samples/sample_test.h"

#include <set>
#include <string>

namespace tessera::samples {

namespace {

using synthetic::Kind;
using synthetic::Node;

// The recipe has one stage less, because it does not contain the output func.
std::vector<Node> recipeFor(int stages, int layers, int seed) {
  return synthetic::makeRecipe({stages - 1, layers, static_cast<std::uint64_t>(seed)});
}

Halide::GeneratorParamsMap parameters(int stages, int layers, int seed) {
  return {{"stages", std::to_string(stages)},
          {"layers", std::to_string(layers)},
          {"seed", std::to_string(seed)}};
}

Image<float> run(const Halide::Callable &pipeline, Image<std::uint8_t> &input) {
  Image<float> output(input.width(), input.height());
  auto in = view(input, 2);
  auto out = view(output, 2);
  in.set_host_dirty();
  EXPECT_EQ(pipeline(in, out), 0);
  out.copy_to_host();
  return output;
}

class SyntheticTest : public ::testing::TestWithParam<int> {
protected:
  Image<std::uint8_t> m_input = testImage<std::uint8_t>(83, 61, 1, 255.0f);
};

TEST_P(SyntheticTest, AlgorithmEqualsReference) {
  const auto expected = synthetic::reference(recipeFor(40, 6, GetParam()), m_input);
  EXPECT_FALSE(isFlat(expected));
  const auto actual = run(unscheduledOnHost("synthetic", parameters(40, 6, GetParam())), m_input);
  EXPECT_TRUE(isClose(expected, actual, 1e-4));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SyntheticTest, ::testing::Values(1, 2, 3));

// There are few stages, because each is a kernel and PoCL takes half a second to compile one.
TEST(SyntheticSchedule, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  auto input = testImage<std::uint8_t>(83, 61, 1, 255.0f);
  const auto expected = synthetic::reference(recipeFor(24, 4, 1), input);
  const auto actual = run(manualOnOpenCl("synthetic", parameters(24, 4, 1)), input);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, actual, 1e-4));
}

TEST(SyntheticRecipe, MeetsTheNumberOfStagesExactly) {
  EXPECT_EQ(countsOf("synthetic", parameters(100, 10, 1)).stages, 100);
  EXPECT_EQ(countsOf("synthetic", parameters(1000, 50, 1)).stages, 1000);
  for (int seed = 1; seed <= 20; ++seed)
    for (int stages : {3, 17, 60}) {
      int definitions = 1;
      for (const Node &node : recipeFor(stages, 5, seed))
        definitions += synthetic::definitionsOf(node.kind);
      EXPECT_EQ(definitions, stages) << "seed " << seed;
    }
}

TEST(SyntheticRecipe, EveryNodeButTheLastIsRead) {
  for (int seed = 1; seed <= 20; ++seed) {
    const auto recipe = recipeFor(200, 10, seed);
    std::set<int> read;
    for (std::size_t i = 0; i < recipe.size(); ++i)
      for (int input : recipe[i].inputs) {
        EXPECT_LT(input, static_cast<int>(i));
        read.insert(input);
      }
    for (int i = 0; i + 1 < static_cast<int>(recipe.size()); ++i)
      EXPECT_TRUE(read.contains(i)) << "node " << i << " of seed " << seed;
  }
}

TEST(SyntheticRecipe, TheLargeSampleHasEveryKindTypeAndLevel) {
  std::set<Kind> kinds;
  std::set<synthetic::Type> types;
  std::set<int> levels;
  for (const Node &node : recipeFor(1000, 50, 1)) {
    kinds.insert(node.kind);
    types.insert(node.type);
    levels.insert(node.level);
  }
  EXPECT_EQ(kinds.size(), 17u);
  EXPECT_EQ(types.size(), 3u);
  EXPECT_EQ(levels.size(), 4u);
}

TEST(SyntheticRecipe, SameSeedSameNodes) {
  const auto first = recipeFor(300, 20, 7);
  const auto second = recipeFor(300, 20, 7);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].kind, second[i].kind);
    EXPECT_EQ(first[i].inputs, second[i].inputs);
  }
}

} // namespace

} // namespace tessera::samples
