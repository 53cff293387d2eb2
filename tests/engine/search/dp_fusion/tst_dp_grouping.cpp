// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_grouping.h"

#include "tests/engine/search/dp_fusion/brute_force.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace tessera::search {
namespace {

using Group = DpGrouping::Group;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr double kNever = std::numeric_limits<double>::infinity();

bool always(const Group &) { return true; }

// A chain 0 → 1 → 2 …
DpGrouping::Graph chain(DpGrouping::Node nodes) {
  DpGrouping::Graph graph;
  for (DpGrouping::Node n = 0; n < nodes; ++n) {
    graph.readers.push_back(n + 1 < nodes ? std::vector{n + 1} : std::vector<DpGrouping::Node>{});
    graph.isOutput.push_back(n + 1 == nodes);
  }
  return graph;
}

double roomForTwo(const Group &group) { return group.size() <= 2 ? 1 : kNever; }

TEST(DpGrouping, TakesTheLeastSum) {
  DpGrouping grouping(chain(5), always, 1000);
  testing::run(grouping, roomForTwo);
  EXPECT_EQ(grouping.cost(), 3);
  EXPECT_EQ(grouping.best().size(), 3U);
  EXPECT_EQ(grouping.bound(), std::nullopt);
}

// A greedy algorithm would merge 1 and 2, which gains most, and then nothing else.
TEST(DpGrouping, IsNotGreedy) {
  const auto cost = [](const Group &group) {
    if (group == Group{1, 2}) return 4.;
    if (group == Group{0, 1} || group == Group{2, 3}) return 5.;
    return group.size() == 1 ? 10. : kNever;
  };
  DpGrouping grouping(chain(4), always, 1000);
  testing::run(grouping, cost);
  EXPECT_EQ(grouping.cost(), 10);
  EXPECT_THAT(grouping.best(), UnorderedElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

// What two groups read is a kernel of its own: 0 is read by 1 and 2, which are read by 3.
TEST(DpGrouping, FusesAProducerOnlyWithAllItsReaders) {
  const DpGrouping::Graph diamond{{{1, 2}, {3}, {3}, {}}, {false, false, false, true}};
  std::vector<Group> asked;
  DpGrouping grouping(diamond, always, 1000);
  testing::run(grouping, [&](const Group &group) {
    asked.push_back(group);
    return static_cast<double>(10 - group.size());
  });
  EXPECT_THAT(asked, UnorderedElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2),
                                          ElementsAre(3), ElementsAre(1, 3), ElementsAre(2, 3),
                                          ElementsAre(1, 2, 3), ElementsAre(0, 1, 2, 3)));
  EXPECT_EQ(grouping.cost(), 6);
}

TEST(DpGrouping, KeepsOutputsApart) {
  DpGrouping::Graph graph = chain(3);
  graph.isOutput[1] = true;
  DpGrouping grouping(graph, always, 1000);
  testing::run(grouping, [](const Group &) { return 1.; });
  EXPECT_THAT(grouping.best(), UnorderedElementsAre(ElementsAre(2), ElementsAre(0, 1)));
}

// The size of groups is bounded, and the bound is doubled while there is room for their number.
TEST(DpGrouping, DoublesTheBoundWhileThereIsRoom) {
  const auto cost = [](const Group &) { return 1.; };
  DpGrouping few(chain(16), always, 40), many(chain(16), always, 1000);
  testing::run(few, cost);
  testing::run(many, cost);
  EXPECT_EQ(few.bound(), 2U); // there are 15 pairs, and 27 groups of three or four
  EXPECT_GT(few.cost(), 1);
  EXPECT_LT(few.cost(), 8); // some outputs got larger groups
  EXPECT_LE(few.known(), 40U + 16);
  EXPECT_EQ(many.bound(), std::nullopt);
  EXPECT_EQ(many.cost(), 1);
  EXPECT_EQ(many.known(), 16U * 17 / 2);
}

// A group of which no larger one is possible ends there.
TEST(DpGrouping, AsksNothingBeyondWhatMayBe) {
  std::size_t largest = 0;
  DpGrouping grouping(
      chain(10), [](const Group &group) { return group.size() <= 3; }, 1000);
  testing::run(grouping, [&](const Group &group) {
    largest = std::max(largest, group.size());
    return 1.;
  });
  EXPECT_EQ(largest, 3U);
  EXPECT_EQ(grouping.cost(), 4);
  EXPECT_EQ(grouping.bound(), std::nullopt);
}

TEST(DpGrouping, SolvesAgainWithoutAForbiddenGroup) {
  DpGrouping grouping(chain(3), always, 1000);
  testing::run(grouping, [](const Group &) { return 1.; });
  ASSERT_THAT(grouping.best(), ElementsAre(ElementsAre(0, 1, 2)));
  grouping.forbid({0, 1, 2});
  EXPECT_EQ(grouping.cost(), 2);
  EXPECT_EQ(grouping.best().size(), 2U);
}

TEST(DpGrouping, NeverGoesBack) {
  DpGrouping grouping(chain(16), always, 1000);
  double before = grouping.progress();
  EXPECT_EQ(before, 0);
  while (grouping.next()) {
    grouping.tell(1);
    EXPECT_GT(grouping.progress(), before);
    before = grouping.progress();
  }
  EXPECT_EQ(before, 1);
}

TEST(DpGrouping, TakesNothingOfNothing) {
  DpGrouping grouping({}, always, 1000);
  EXPECT_EQ(grouping.next(), nullptr);
  EXPECT_TRUE(grouping.best().empty());
}

// 500 random graphs of up to 8 nodes with random costs, of which some are infinite.
TEST(DpGrouping, EqualsBruteForceOnRandomGraphs) {
  constexpr std::size_t kGraphs = 500;
  std::mt19937_64 random(1);
  for (std::size_t g = 0; g < kGraphs; ++g) {
    const auto nodes = static_cast<DpGrouping::Node>(1 + random() % 8);
    DpGrouping::Graph graph;
    for (DpGrouping::Node n = 0; n < nodes; ++n) {
      std::vector<DpGrouping::Node> readers;
      for (DpGrouping::Node reader = n + 1; reader < nodes; ++reader)
        if (random() % 3 == 0) readers.push_back(reader);
      graph.readers.push_back(readers);
      graph.isOutput.push_back(readers.empty() || random() % 8 == 0);
    }
    std::map<Group, double> costs;
    const auto cost = [&](const Group &group) {
      const auto [at, isNew] = costs.try_emplace(group, 0);
      if (isNew)
        at->second = group.size() > 1 && random() % 5 == 0
                         ? kNever
                         : static_cast<double>(random() % 100) * std::sqrt(group.size());
      return at->second;
    };
    DpGrouping grouping(graph, always, SIZE_MAX);
    testing::run(grouping, cost);
    EXPECT_DOUBLE_EQ(grouping.cost(), testing::leastCost(graph, cost)) << "graph " << g;
    double sum = 0;
    std::vector<bool> isTaken(nodes);
    for (const Group &group : grouping.best()) {
      sum += costs.at(group);
      for (const DpGrouping::Node node : group) {
        EXPECT_FALSE(isTaken[node]);
        isTaken[node] = true;
      }
    }
    EXPECT_DOUBLE_EQ(sum, grouping.cost()) << "graph " << g;
    EXPECT_EQ(std::ranges::count(isTaken, true), static_cast<std::ptrdiff_t>(nodes));
  }
}

} // namespace
} // namespace tessera::search
