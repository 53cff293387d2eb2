// SPDX-License-Identifier: MIT
#include "engine/chart/kernel_colours.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace tessera::chart {

namespace {

std::vector<ColouredKernel> kernelsOf(const pipeline::Pipeline &pipeline,
                                      const cost::Prediction &prediction) {
  std::vector<ColouredKernel> kernels;
  for (const cost::Prediction::Kernel &kernel : prediction.kernels) {
    ColouredKernel named{pipeline.stageName(kernel.load.stage), {}, 0};
    for (const auto &stage : kernel.load.stages)
      if (stage.stage != kernel.load.stage) named.others.push_back(pipeline.stageName(stage.stage));
    kernels.push_back(std::move(named));
  }
  return kernels;
}

// Passes the colours of the kernels in `before` on to new kernels, each colour to one kernel.
class Inheritance {
public:
  explicit Inheritance(std::span<const ColouredKernel> before)
      : m_before(before), m_isTaken(before.size(), false) {
    for (std::size_t k = 0; k < before.size(); ++k) {
      m_owned.emplace(before[k].owner, k);
      m_holds[before[k].owner].push_back(k);
      for (const std::string &stage : before[k].others)
        m_holds[stage].push_back(k);
    }
  }

  void byOwner(ColouredKernel &kernel) {
    if (const auto same = m_owned.find(kernel.owner); same != m_owned.end())
      take(kernel, same->second);
  }

  void byStages(ColouredKernel &kernel) {
    std::map<std::size_t, int> shared; // by kernel of `before`
    const auto count = [&](const std::string &stage) {
      if (const auto holders = m_holds.find(stage); holders != m_holds.end())
        for (const std::size_t k : holders->second)
          if (!m_isTaken[k]) ++shared[k];
    };
    count(kernel.owner);
    std::ranges::for_each(kernel.others, count);
    const auto most = std::ranges::max_element(
        shared, {}, [](const auto &entry) { return entry.second; }); // the first of equal ones
    if (most != shared.end()) take(kernel, most->first);
  }

private:
  void take(ColouredKernel &kernel, std::size_t from) {
    if (m_isTaken[from]) return;
    m_isTaken[from] = true;
    kernel.colour = m_before[from].colour;
  }

  std::span<const ColouredKernel> m_before;
  std::vector<bool> m_isTaken;
  std::map<std::string, std::size_t, std::less<>> m_owned;
  std::map<std::string, std::vector<std::size_t>, std::less<>> m_holds;
};

} // namespace

std::vector<ColouredKernel> withColours(std::vector<ColouredKernel> kernels,
                                        std::span<const ColouredKernel> before) {
  Inheritance inheritance(before);
  for (ColouredKernel &kernel : kernels) {
    kernel.colour = 0; // another kernel of `before` may have its present colour
    inheritance.byOwner(kernel);
  }
  for (ColouredKernel &kernel : kernels)
    if (kernel.colour == 0) inheritance.byStages(kernel);
  std::set<int> used;
  for (const ColouredKernel &kernel : before)
    used.insert(kernel.colour);
  int next = 1;
  for (ColouredKernel &kernel : kernels) {
    if (kernel.colour != 0) continue;
    while (used.contains(next))
      ++next;
    kernel.colour = next++;
  }
  return kernels;
}

std::vector<ColouredKernel> colouredKernels(const pipeline::Pipeline &pipeline,
                                            const cost::Prediction &prediction,
                                            std::span<const ColouredKernel> before) {
  return withColours(kernelsOf(pipeline, prediction), before);
}

} // namespace tessera::chart
