// SPDX-License-Identifier: MIT
// What stands in a definition, as Halide's autoschedulers count it.
#include "engine/learn/algorithm_features.h"
#include "engine/pipeline/expression.h"
#include "tests/engine/halide/captured.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <map>

namespace tessera::halide::testing {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;
using pipeline::NodeKind;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Var x("x"), y("y");

// How often each kind of node stands in an expression, with any type.
using Nodes = std::map<NodeKind, std::uint32_t>;

Nodes nodesOf(const pipeline::Stage &stage) {
  Nodes nodes;
  EXPECT_TRUE(stage.expression);
  for (const pipeline::NodeCount &node : stage.expression->nodes)
    nodes[node.kind] += node.count;
  return nodes;
}

pipeline::Stage stageOfValue(const Expr &value) {
  Func f("written");
  f(x, y) = value;
  f.set_estimates({{0, 64}, {0, 64}});
  return stageOf(imported(Pipeline(f)), f.name());
}

// Two variables on the left side count as well.
TEST(Expression, HasTheNodesOfBothSides) {
  const Expr a = Halide::cast<float>(x), b = Halide::cast<float>(y);
  EXPECT_THAT(nodesOf(stageOfValue(Halide::select(a < b, a - b, 2.0f))),
              UnorderedElementsAre(Pair(NodeKind::Cast, 4), Pair(NodeKind::Variable, 6),
                                   Pair(NodeKind::Less, 1), Pair(NodeKind::Subtract, 1),
                                   Pair(NodeKind::Select, 1), Pair(NodeKind::Constant, 1)));
}

// What is called twice is computed once, and kept in a let.
TEST(Expression, ACommonSubexpressionCountsOnce) {
  const Expr root = Halide::sqrt(Halide::cast<float>(x));
  Nodes nodes = nodesOf(stageOfValue(root * (root + 1.0f)));
  EXPECT_EQ(nodes[NodeKind::OtherCall], 1u);
  EXPECT_EQ(nodes[NodeKind::Let], 1u);
  EXPECT_EQ(nodes[NodeKind::Variable], 5u); // x, the let twice, and both arguments
}

TEST(Expression, KindsAreThoseOfTheNodes) {
  EXPECT_EQ(nodesOf(stageOfValue(Halide::min(x, y)))[NodeKind::Min], 1u);
  EXPECT_EQ(nodesOf(stageOfValue(Halide::max(x, y)))[NodeKind::Max], 1u);
  EXPECT_EQ(nodesOf(stageOfValue(x / 7))[NodeKind::Divide], 1u); // a product, as instructions
  EXPECT_EQ(nodesOf(stageOfValue(x % y))[NodeKind::Modulo], 1u);
  EXPECT_EQ(nodesOf(stageOfValue(x != y && x <= 3))[NodeKind::And], 1u);
  EXPECT_EQ(nodesOf(stageOfValue(x != y && x <= 3))[NodeKind::NotEqual], 1u);
  EXPECT_EQ(nodesOf(stageOfValue(x == y || x <= 3))[NodeKind::Or], 1u);
  EXPECT_EQ(nodesOf(stageOfValue(Halide::sqrt(Halide::cast<float>(x))))[NodeKind::OtherCall], 1u);
}

// Unlike operations, indices count, and a load through the handle of an input is a call of a func.
TEST(Expression, IndicesAndCallsAreCounted) {
  ImageParam photo(Halide::UInt(8), 2, "photo");
  photo.dim(0).set_estimate(0, 64);
  photo.dim(1).set_estimate(0, 64);
  Func g("g"), f("f");
  RDom r(0, 8);
  g(x, y) = photo(x, y);
  f(x, y) = Halide::cast<float>(g(x, y));
  f(x, y) += g(x + r, y) * 2.0f;
  f.set_estimates({{0, 32}, {0, 64}});
  g.compute_root();
  const pipeline::PipelineParts parts = imported(Pipeline(f));
  EXPECT_EQ(nodesOf(stageOf(parts, g.name()))[NodeKind::FuncCall], 1u);
  Nodes update = nodesOf(parts.stages.back());
  EXPECT_EQ(update[NodeKind::SelfCall], 1u);
  EXPECT_EQ(update[NodeKind::FuncCall], 1u);
  EXPECT_EQ(update[NodeKind::Add], 2u); // of the values, and in the index
  EXPECT_EQ(update[NodeKind::Multiply], 1u);
}

TEST(Expression, AScalarIsAParameter) {
  Halide::Param<float> gain("gain");
  gain.set_estimate(2.0f);
  Func f("scaled");
  f(x, y) = gain * x;
  f.set_estimates({{0, 64}, {0, 64}});
  EXPECT_EQ(nodesOf(stageOf(imported(Pipeline(f)), f.name()))[NodeKind::Parameter], 1u);
}

// A chain needs two values at a time however long it is; a balanced tree one more for each level.
TEST(Expression, BranchingIsTheStrahlerNumber) {
  const auto call = [](int i) { return Halide::sin(Halide::cast<float>(x * (i + 2))); };
  EXPECT_EQ(stageOfValue(Halide::cast<float>(x)).expression->branching, 2u); // of the two arguments
  const Expr chain = ((call(0) / call(1)) / call(2)) / call(3);
  const Expr tree = (call(0) / call(1)) / (call(2) / call(3));
  EXPECT_EQ(stageOfValue(tree).expression->branching,
            stageOfValue(chain).expression->branching + 1);
}

// What Halide's plugin counts of the stages of a pipeline, which it schedules: consumers first, and
// the last update of a func first.
std::vector<learn::AlgorithmFeatures> countsOfPlugin(Pipeline pipeline) {
  const Halide::AutoSchedulerResults results =
      pipeline.apply_autoscheduler(Halide::Target("x86-64-linux-cuda-cuda_capability_80"),
                                   {"Anderson2021", {{"parallelism", "80"}}});
  constexpr std::size_t kFlags = 7; // between the features of the schedule and these
  constexpr std::size_t kBefore = learn::kScheduleFeatures + kFlags;
  std::vector<float> values(kBefore + learn::kAlgorithmFeatures);
  const std::size_t bytes = values.size() * sizeof(float);
  std::vector<learn::AlgorithmFeatures> stages;
  for (std::size_t at = 0; at + bytes <= results.featurization.size(); at += bytes) {
    std::memcpy(values.data(), results.featurization.data() + at, bytes);
    std::copy_n(values.begin() + kBefore, learn::kAlgorithmFeatures,
                stages.emplace_back().values.begin());
  }
  return stages;
}

TEST(Expression, AndAccessesAreWhatThePluginCounts) {
  const std::string library =
      test::sourcePath(TESSERA_TEST_HALIDE_ROOT) + "/lib64/libautoschedule_anderson2021.so";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << library << " is not installed";
  Halide::load_plugin(library);
  ImageParam photo(Halide::UInt(8), 2, "photo");
  photo.dim(0).set_estimate(0, 128);
  photo.dim(1).set_estimate(0, 128);
  Halide::Param<float> gain("gain");
  gain.set_estimate(2.0f);
  Func g("g"), f("f");
  RDom r(0, 8);
  g(x, y) = Halide::cast<float>(photo(x, y)) / 255.0f;
  const Expr left = Halide::sqrt(g(x, y)), below = Halide::min(g(x, y + 1), left);
  f(x, y) = Halide::select(x > 3 && !(y == 4), left * left + below,
                           Halide::max(g(2 * x, y), 0.5f) - Halide::cast<float>(x % 5));
  f(x, y) += g(x + r, y) * gain;
  f.set_estimates({{0, 32}, {0, 64}});
  const pipeline::PipelineParts parts = imported(Pipeline(f));
  const auto made = pipeline::Pipeline::create(parts);
  ASSERT_TRUE(made) << made.error().message;
  std::vector<learn::AlgorithmFeatures> ours = learn::algorithmFeatures(**made);
  std::ranges::reverse(ours);
  const std::vector<learn::AlgorithmFeatures> theirs = countsOfPlugin(Pipeline(f));
  ASSERT_EQ(theirs.size(), 3U);
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t s = 0; s < ours.size(); ++s)
    for (std::size_t i = 0; i < learn::kAlgorithmFeatures; ++i) {
      const std::string name = learn::algorithmFeatureName(i);
      if (name.starts_with("cast"))
        EXPECT_EQ(theirs[s].values[i], 0) << "it has the row, and counts no casts";
      else if (!name.starts_with("broadcast")) // it does not allow a loop that moves no index
        EXPECT_EQ(ours[s].values[i], theirs[s].values[i]) << "stage " << s << ": " << name;
    }
}

} // namespace
} // namespace tessera::halide::testing
