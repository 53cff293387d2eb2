// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_tiles.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>

// Sections are those of Anderson et al. 2021.
namespace tessera::search {

namespace {

// Section 6.1.
constexpr std::array<std::int64_t, 3> kOddSerial{3, 5, 7};
// Section 6.2.
constexpr std::array<std::int64_t, 3> kInnermostThreads{16, 32, 64};

std::int64_t partsOf(std::int64_t extent, std::int64_t size) { return (extent + size - 1) / size; }

// All combinations of one choice for each dimension, the last dimension changing fastest, of which
// no product is larger than `most`.
std::vector<BeamSizes> combinations(const std::vector<BeamSizes> &choices, std::int64_t most) {
  std::vector<BeamSizes> all{{}};
  for (const BeamSizes &choice : choices) {
    std::vector<BeamSizes> longer;
    for (const BeamSizes &start : all)
      for (const std::int64_t size : choice) {
        if (pipeline::saturatingMultiply(productOf(start), size) > most) continue;
        longer.push_back(start);
        longer.back().push_back(size);
      }
    all = std::move(longer);
  }
  return all;
}

BeamSizes serialOf(std::int64_t extent, const BeamParameters &parameters) {
  const auto most = static_cast<std::int64_t>(parameters.mostSerialDim);
  BeamSizes sizes;
  for (std::int64_t size = 1; size <= std::min(most, extent); size *= 2)
    sizes.push_back(size);
  for (const std::int64_t size : kOddSerial)
    if (size <= most && extent % kBeamWarp == 0 && extent / kBeamWarp % size == 0)
      sizes.push_back(size);
  return sizes;
}

// Artifact: splits that waste more than a seventh are no options outside of the innermost
// dimension.
bool wastes(std::int64_t extent, std::int64_t threads, const BeamParameters &parameters) {
  const std::int64_t computed = partsOf(extent, threads) * threads;
  return static_cast<double>(computed - extent) * parameters.splitWaste >
         static_cast<double>(extent);
}

BeamSizes threadsOf(std::int64_t extent, bool isInnermost, const BeamParameters &parameters) {
  BeamSizes sizes;
  if (isInnermost) {
    for (const std::int64_t threads : kInnermostThreads)
      if (threads <= std::max(extent, kInnermostThreads.front())) sizes.push_back(threads);
    if (extent < kInnermostThreads.front()) sizes = {extent};
    return sizes;
  }
  const auto most = static_cast<std::int64_t>(parameters.mostThreadsDim);
  for (std::int64_t threads = 1; threads <= std::min(most, extent); threads *= 2)
    if (threads == 1 || !wastes(extent, threads, parameters)) sizes.push_back(threads);
  return sizes;
}

// Section 6.6: states that leave multiprocessors or lanes idle are pruned.
bool keepsBusy(std::int64_t blocks, std::int64_t threads, const BeamParameters &parameters,
               const machine::Machine &machine) {
  const auto perSm = static_cast<double>(blocks) / static_cast<double>(machine.multiprocessors);
  return perSm >= parameters.blocksPerSm &&
         std::ceil(perSm) / std::max(1., perSm) <= parameters.idleSms &&
         idleLanes(threads) <= parameters.idleLanes;
}

} // namespace

std::int64_t productOf(std::span<const std::int64_t> sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes)
    product = pipeline::saturatingMultiply(product, size);
  return product;
}

double idleLanes(std::int64_t threads) {
  const std::int64_t lanes = partsOf(threads, kBeamWarp) * kBeamWarp;
  return lanes == 0 ? 0 : 1 - static_cast<double>(threads) / static_cast<double>(lanes);
}

BeamSizes outsideOf(std::span<const std::int64_t> extents, std::span<const std::int64_t> serial) {
  BeamSizes outside(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d)
    outside[d] = partsOf(extents[d], serial[d]);
  return outside;
}

BeamSizes blocksOf(std::span<const std::int64_t> extents, const BeamTile &tile) {
  return outsideOf(outsideOf(extents, tile.serial), tile.threads);
}

std::vector<BeamSizes> serialSizes(std::span<const std::int64_t> extents,
                                   const BeamParameters &parameters) {
  std::vector<BeamSizes> choices;
  for (const std::int64_t extent : extents)
    choices.push_back(serialOf(std::max<std::int64_t>(1, extent), parameters));
  return combinations(choices, static_cast<std::int64_t>(parameters.mostSerial));
}

std::size_t innermostDimension(std::span<const std::int64_t> extents) {
  const auto first = std::ranges::find_if(
      extents, [](std::int64_t extent) { return extent >= kInnermostThreads.front(); });
  return first == extents.end() ? 0 : static_cast<std::size_t>(first - extents.begin());
}

std::vector<BeamSizes> threadSizes(std::span<const std::int64_t> extents,
                                   const BeamParameters &parameters,
                                   const machine::Limits &limits) {
  const std::size_t innermost = innermostDimension(extents);
  std::vector<BeamSizes> choices;
  for (std::size_t d = 0; d < extents.size(); ++d)
    choices.push_back(threadsOf(extents[d], d == innermost, parameters));
  std::vector<BeamSizes> all = combinations(choices, limits.threadsPerBlock);
  std::erase_if(all, [](const BeamSizes &sizes) {
    const auto several = [](std::int64_t size) { return size > 1; };
    return static_cast<std::size_t>(std::ranges::count_if(sizes, several)) > kMostThreadDims;
  });
  return all;
}

std::vector<BeamTile> rootTiles(std::span<const std::int64_t> extents,
                                const BeamParameters &parameters, const machine::Machine &machine) {
  std::vector<BeamTile> primary, secondary; // artifact: the latter count where there are no others
  for (const BeamSizes &serial : serialSizes(extents, parameters)) {
    const BeamSizes outside = outsideOf(extents, serial);
    const std::size_t innermost = innermostDimension(outside);
    for (BeamSizes &threads : threadSizes(outside, parameters, machine.limits)) {
      BeamTile tile{serial, std::move(threads), innermost};
      const std::int64_t blocks = productOf(blocksOf(extents, tile));
      const bool isBusy = keepsBusy(blocks, productOf(tile.threads), parameters, machine);
      (isBusy ? primary : secondary).push_back(std::move(tile));
    }
  }
  return primary.empty() ? secondary : primary;
}

} // namespace tessera::search
