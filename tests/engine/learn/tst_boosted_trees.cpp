// SPDX-License-Identifier: MIT
#include "engine/learn/boosted_trees.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace tessera::learn {
namespace {

using Node = BoostedTrees::Node;

// Rows of three features in [0, 1), of which the third says nothing.
TreeRows rowsOf(std::size_t count, const std::function<float(float, float)> &target) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<float> draw;
  TreeRows rows{.features = 3, .values = {}, .targets = {}, .weights = {}};
  for (std::size_t i = 0; i < count; ++i) {
    const float x = draw(random), y = draw(random);
    rows.values.insert(rows.values.end(), {x, y, draw(random)});
    rows.targets.push_back(target(x, y));
    rows.weights.push_back(1);
  }
  return rows;
}

double meanSquare(const BoostedTrees &trees, const TreeRows &rows) {
  double sum = 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    sum += std::pow(trees.of(rows.row(row)) - rows.targets[row], 2);
  return sum / static_cast<double>(rows.size());
}

TEST(BoostedTrees, ATreeIsWalkedToItsLeaf) {
  const BoostedTrees trees(10, {{{0, 1, 2, 0.5F}, {Node::kLeaf, 0, 0, 1}, {Node::kLeaf, 0, 0, 2}},
                                {{Node::kLeaf, 0, 0, 100}}});
  EXPECT_FLOAT_EQ(trees.of(std::vector{0.5F}), 111) << "at most the threshold is below";
  EXPECT_FLOAT_EQ(trees.of(std::vector{0.6F}), 112);
}

TEST(BoostedTrees, LearnsWhatDependsOnTwoFeaturesTogether) {
  const auto target = [](float x, float y) { return (x > 0.5F) == (y > 0.25F) ? 1.0F : -1.0F; };
  const TreeRows rows = rowsOf(2000, target);
  const TreeOptions options{.trees = 200, .leaves = 8, .steadiness = 5};
  const BoostedTrees trees = grow(rows, options);
  EXPECT_LT(meanSquare(trees, rows), 0.05);
  EXPECT_GT(trees.of(std::vector{0.9F, 0.9F, 0.0F}), 0.7F);
  EXPECT_LT(trees.of(std::vector{0.1F, 0.9F, 0.0F}), -0.7F);
}

TEST(BoostedTrees, MoreTreesLeaveLess) {
  const TreeRows rows = rowsOf(1000, [](float x, float y) { return x * y; });
  double before = meanSquare(grow(rows, {.trees = 0}), rows);
  for (const int count : {10, 40, 160}) {
    const double now = meanSquare(grow(rows, {.trees = count}), rows);
    EXPECT_LT(now, before) << count;
    before = now;
  }
}

TEST(BoostedTrees, WithoutTreesItIsTheWeightedMean) {
  TreeRows rows = rowsOf(100, [](float x, float) { return x > 0.5F ? 3.0F : 1.0F; });
  for (std::size_t row = 0; row < rows.size(); ++row)
    rows.weights[row] = rows.targets[row] > 2 ? 0.0F : 2.0F;
  EXPECT_FLOAT_EQ(grow(rows, {.trees = 0}).of(rows.row(0)), 1);
}

TEST(BoostedTrees, ARowThatWeighsMoreIsMetMoreClosely) {
  // The same place with two targets: the heavier decides.
  TreeRows rows{.features = 1, .values = {}, .targets = {}, .weights = {}};
  for (int i = 0; i < 400; ++i) {
    rows.values.push_back(i < 200 ? 0.0F : 1.0F);
    rows.targets.push_back(i % 2 == 0 ? 1.0F : -1.0F);
    rows.weights.push_back((i < 200) == (i % 2 == 0) ? 3.0F : 1.0F);
  }
  const BoostedTrees trees = grow(rows, {.trees = 300, .leaves = 2, .partOfFeatures = 1});
  EXPECT_NEAR(trees.of(std::vector{0.0F}), 0.5, 0.1);
  EXPECT_NEAR(trees.of(std::vector{1.0F}), -0.5, 0.1);
}

TEST(BoostedTrees, TheSameSeedGrowsTheSameTrees) {
  const TreeRows rows = rowsOf(500, [](float x, float y) { return x - y; });
  EXPECT_EQ(grow(rows, {.trees = 20, .seed = 3}), grow(rows, {.trees = 20, .seed = 3}));
  EXPECT_NE(grow(rows, {.trees = 20, .seed = 3}), grow(rows, {.trees = 20, .seed = 4}));
}

TEST(BoostedTrees, NoLeafHasFewRows) {
  const TreeRows rows = rowsOf(60, [](float x, float) { return x; });
  const BoostedTrees trees = grow(rows, {.trees = 5, .leastRows = 40});
  for (const BoostedTrees::Tree &tree : trees.trees())
    EXPECT_EQ(tree.size(), 1U) << "two leaves of 40 need 80 rows";
}

TEST(BoostedTrees, GrowingEndsWhenItIsTold) {
  const TreeRows rows = rowsOf(200, [](float x, float) { return x; });
  EXPECT_EQ(grow(rows, {}, [](int count) { return count < 7; }).trees().size(), 7U);
}

TEST(BoostedTrees, NothingToLearnFromIsNoTrees) {
  EXPECT_EQ(grow({.features = 3, .values = {}, .targets = {}, .weights = {}}, {}), BoostedTrees());
}

TEST(BoostedTrees, WhatLeadsNowhereIsNotSound) {
  const Node leaf{Node::kLeaf, 0, 0, 1};
  const auto isSound = [](const BoostedTrees::Tree &tree) {
    return BoostedTrees(0, {tree}).isSound(2);
  };
  EXPECT_TRUE(isSound({{1, 1, 2, 0.5F}, leaf, leaf}));
  EXPECT_FALSE(isSound({})) << "no root";
  EXPECT_FALSE(isSound({{2, 1, 2, 0.5F}, leaf, leaf})) << "no such feature";
  EXPECT_FALSE(isSound({{1, 1, 3, 0.5F}, leaf, leaf})) << "no such node";
  EXPECT_FALSE(isSound({{1, 0, 1, 0.5F}, leaf})) << "a circle";
  EXPECT_FALSE(isSound({{Node::kLeaf, 0, 0, NAN}}));
}

} // namespace
} // namespace tessera::learn
