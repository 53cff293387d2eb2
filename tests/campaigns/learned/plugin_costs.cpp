// SPDX-License-Identifier: MIT
// Compares our network with the one in Halide's plugin, with Halide's weights and features of real
// schedules. Needs no GPU.
//
//   plugin_costs PLUGIN.so baseline.weights CORES NAME.featurization…
//
// Prints the costs of each stage by both, and their relative difference. The exit status is not 0
// where a difference is above 1e-4.

#include "engine/learn/network.h"
#include "tests/campaigns/learned/featurization.h"
#include "tests/engine/learn/plugin_network.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tessera::learn;

constexpr double kAgreed = 1e-4;
double worstOf(const std::string &path, const Weights &weights, int cores,
               const testing::PluginNetwork &plugin) {
  const testing::Featurization features = testing::featurizationIn(path);
  if (features.stages.empty()) {
    std::fprintf(stderr, "%s has no features\n", path.c_str());
    return 1;
  }
  const Network network(weights);
  const std::vector<double> ours =
      network.costs(network.embed(features.algorithm), features.stages, cores);
  const std::vector<double> theirs =
      plugin.costs(weights, features.algorithm, features.stages, cores);
  double worst = 0, sum = 0, theirSum = 0;
  for (std::size_t s = 0; s < ours.size(); ++s) {
    const double off = std::abs(ours[s] - theirs[s]) / std::abs(theirs[s]);
    std::printf("%s stage %zu plugin %.9g ours %.9g off %.1e\n", path.c_str(), s, theirs[s],
                ours[s], off);
    worst = std::max(worst, off);
    sum += ours[s];
    theirSum += theirs[s];
  }
  std::printf("%s: %zu stages, plugin %.6g, ours %.6g, largest difference %.1e\n", path.c_str(),
              ours.size(), theirSum, sum, worst);
  return worst;
}

} // namespace

int main(int argc, char **argv) {
  constexpr int kFirst = 4;
  if (argc <= kFirst) {
    std::fprintf(stderr, "usage: plugin_costs PLUGIN.so FILE.weights CORES NAME.featurization…\n");
    return 2;
  }
  const testing::PluginNetwork plugin(argv[1]);
  const auto weights = weightsFromHalide(testing::contentOf(argv[2]), argv[2]);
  const int cores = std::atoi(argv[3]);
  if (!plugin.isLoaded() || !weights || cores < 1) {
    std::fprintf(stderr, "%s\n",
                 (!plugin.isLoaded() ? plugin.whyNot()
                  : !weights         ? weights.error().message
                                     : "there must be a core")
                     .c_str());
    return 2;
  }
  double worst = 0;
  for (int i = kFirst; i < argc; ++i)
    worst = std::max(worst, worstOf(argv[i], *weights, cores, plugin));
  return worst <= kAgreed ? 0 : 1;
}
