// SPDX-License-Identifier: MIT
// groupings [--count N] [--seed N] [--first N]: whether the dynamic programming of dp-fusion finds
// the partition of least cost. Each case is a random pipeline of up to eight funcs; the costs are
// those of the algorithm. Every partition into connected and convex groups is tried beside. Prints
// each case where the two differ, for --first N --count 1.
#include "engine/schedule/edits/default_schedule.h"
#include "engine/search/dp_fusion/fusion_problem.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/search/dp_fusion/brute_force.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <map>
#include <string>

namespace {

using namespace tessera;
using schedule::testing::Random;
using search::DpGrouping;

constexpr std::size_t kMostFuncs = 8;

// A pipeline of stencils, in which any func may read any before it. Nearly all can be fused.
std::string stencils(Random &random, std::size_t funcs) {
  constexpr auto kIndices = std::to_array<const char *>(
      {"(x; y)", "(x+[-1,1]; y)", "(x; y+[0,2])", "(x+[-2,2]; y+[-2,2])", "(x+4; y)"});
  std::string text = "input in 512 300\n";
  const auto read = [&](std::size_t func) {
    return (func == 0 ? " in" : " f" + std::to_string(func)) + kIndices[random() % kIndices.size()];
  };
  for (std::size_t f = 1; f <= funcs; ++f) {
    text += "func f" + std::to_string(f) + "(x y) 512 300 =";
    const std::size_t first = random() % 2 == 0 ? f - 1 : random() % f;
    for (std::size_t reads = 1 + random() % 3; reads > 0; --reads)
      text += read(reads == 1 ? first : random() % f);
    text += "\n";
  }
  text += "output f" + std::to_string(funcs) + "\n";
  return text;
}

struct Tally {
  std::size_t cases = 0, fused = 0, failures = 0, groups = 0;
};

void judge(std::uint64_t index, Random random, Tally &tally) {
  const std::size_t funcs = 1 + random() % kMostFuncs;
  const bool isMixed = random() % 3 == 0;
  const auto pipeline = pipeline::test::sketch(
      isMixed ? schedule::testing::randomSketch(random, funcs) : stencils(random, funcs));
  const search::FusionProblem problem(schedule::defaultSchedule(pipeline), {}, {}, {}, {});
  std::map<DpGrouping::Group, double> costs;
  const auto cost = [&](const DpGrouping::Group &group) {
    const auto [at, isNew] = costs.try_emplace(group, 0);
    if (isNew) {
      auto scan = problem.scanOf(problem.groupOf(group), search::SizeScan::Tiles::All);
      while (scan.step()) {
      }
      at->second = scan.best().empty() ? std::numeric_limits<double>::infinity()
                                       : scan.best().front().terms.cost;
    }
    return at->second;
  };
  const auto mayBe = [&](const DpGrouping::Group &group) { return problem.mayBe(group); };
  DpGrouping grouping(problem.graph(), mayBe, SIZE_MAX);
  search::testing::run(grouping, cost);
  // Without mayBe(): what it refuses has an infinite cost.
  const double least = search::testing::leastCost(problem.graph(), cost);
  // Sums of the same numbers in another order.
  constexpr double kRounding = 1e-9;
  const bool isEqual = std::abs(grouping.cost() - least) <= kRounding * least;
  if (!isEqual)
    std::printf("case %llu: %.9g instead of %.9g\n", static_cast<unsigned long long>(index),
                grouping.cost(), least);
  ++tally.cases;
  tally.fused += grouping.best().size() < problem.graph().readers.size() ? 1 : 0;
  tally.groups += grouping.known();
  tally.failures += isEqual ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  const auto campaign = test::campaignFromArguments(argc, argv, 500);
  Tally tally;
  for (std::uint64_t index = campaign.first; index < campaign.first + campaign.count; ++index)
    judge(index, campaign.random(index), tally);
  std::printf("%zu pipelines (seed %llu), %zu with a group of several funcs, %zu groups, %zu "
              "failures, %.1f s of one core\n",
              tally.cases, static_cast<unsigned long long>(campaign.seed), tally.fused,
              tally.groups, tally.failures, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return tally.failures == 0 && tally.cases == campaign.count ? 0 : 1;
}
