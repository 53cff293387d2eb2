// SPDX-License-Identifier: MIT
#include "engine/chart/compared_kernels.h"

#include <algorithm>
#include <string>

namespace tessera::chart {

using cost::Placed;
using cost::Roofline;
using cost::Work;

namespace {

// A kernel name, with its longest time of all origins. isSame: a listed kernel of the drawn
// schedule is the same.
struct Ranked {
  std::string name;
  double seconds = 0;
  bool isSame = false;
};

// Only works of the same origin match, since predictions are not compared with measurements.
std::optional<std::size_t> sameOf(const Work &work, const std::vector<Placed> &among) {
  for (std::size_t k = 0; k < among.size(); ++k)
    if (among[k].work.origin == work.origin && isSameKernel(among[k].work, work)) return k;
  return std::nullopt;
}

std::vector<Ranked> rankedOf(const Roofline &other, const Roofline &ours,
                             const std::vector<std::string> &listed) {
  std::vector<Ranked> ranked;
  for (const Placed &placed : other.kernels) {
    auto same = std::ranges::find(ranked, placed.work.name, &Ranked::name);
    if (same == ranked.end()) same = ranked.insert(same, {placed.work.name, 0, false});
    same->seconds = std::max(same->seconds, placed.work.seconds);
    same->isSame |= std::ranges::find(listed, placed.work.name) != listed.end() &&
                    sameOf(placed.work, ours.kernels).has_value();
  }
  std::ranges::stable_sort(ranked, [](const Ranked &a, const Ranked &b) {
    return a.isSame != b.isSame ? a.isSame : a.seconds > b.seconds;
  });
  return ranked;
}

} // namespace

bool isSameKernel(const Work &a, const Work &b) {
  return a.name == b.name && (a.stages.empty() || b.stages.empty() || a.stages == b.stages);
}

std::vector<double> dashesOf(std::size_t series) {
  switch (series) {
  case 0:
    return {};
  case 1:
    return {3.5, 2.5};
  case 2:
    return {1.2, 2.4};
  default:
    return {5, 2, 1.2, 2};
  }
}

ComparedKernels comparedKernels(const Roofline &other, const Roofline &ours,
                                const std::vector<std::string> &listed, std::size_t most) {
  std::vector<Ranked> ranked = rankedOf(other, ours, listed);
  ComparedKernels result{{}, std::min(most, ranked.size()), ranked.size()};
  ranked.resize(result.drawn);
  for (std::size_t k = 0; k < other.kernels.size(); ++k) {
    const Work &work = other.kernels[k].work;
    if (std::ranges::find(ranked, work.name, &Ranked::name) != ranked.end())
      result.kernels.push_back({k, sameOf(work, ours.kernels)});
  }
  return result;
}

} // namespace tessera::chart
