// SPDX-License-Identifier: MIT
#include "engine/machine/occupancy.h"

#include <algorithm>
#include <limits>

namespace tessera::machine {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int32_t>::max();

std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t roundUp(std::int64_t a, std::int64_t unit) { return divideUp(a, unit) * unit; }

std::int64_t byThreads(const Machine &machine, const BlockUse &use, std::int64_t warps) {
  if (use.threads > machine.limits.threadsPerBlock) return 0;
  return machine.sm.threads / machine.limits.warpSize / warps;
}

std::int64_t byRegisters(const Machine &machine, const BlockUse &use, std::int64_t warps) {
  const Limits &limits = machine.limits;
  const Multiprocessor &sm = machine.sm;
  const std::int64_t perWarp = roundUp(use.registers * limits.warpSize, sm.registerUnit);
  if (perWarp == 0) return kNoLimit;
  // The warps of a block go to the partitions in turn. The fullest partition counts, so the number
  // of warps is rounded up to a multiple of the partitions.
  if (use.registers > limits.registersPerThread ||
      perWarp * roundUp(warps, sm.partitions) > limits.registersPerBlock)
    return 0;
  return sm.registers / sm.partitions / perWarp * sm.partitions / warps;
}

std::int64_t byShared(const Machine &machine, const BlockUse &use) {
  const Multiprocessor &sm = machine.sm;
  const std::int64_t taken = roundUp(use.sharedBytes + sm.sharedReserved, sm.sharedUnit);
  if (taken == 0) return kNoLimit;
  if (taken > machine.limits.sharedBytesPerBlock + sm.sharedReserved) return 0;
  return sm.sharedBytes / taken;
}

template <typename Set>
std::vector<OccupancyPoint> over(const Machine &machine, const BlockUse &use, std::int64_t first,
                                 std::int64_t last, std::int64_t step, const Set &set) {
  std::vector<OccupancyPoint> points;
  for (std::int64_t value = first; value <= last; value += step) {
    BlockUse varied = use;
    set(varied, value);
    points.push_back({value, occupancy(machine, varied)});
  }
  return points;
}

} // namespace

std::string_view name(Resource resource) {
  constexpr std::string_view kNames[kResources] = {"threads", "registers", "shared_memory",
                                                   "blocks"};
  return kNames[static_cast<std::size_t>(resource)];
}

Occupancy occupancy(const Machine &machine, const BlockUse &use) {
  const std::int64_t warps =
      divideUp(std::max<std::int64_t>(1, use.threads), machine.limits.warpSize);
  Occupancy result;
  result.blockLimit = {byThreads(machine, use, warps), byRegisters(machine, use, warps),
                       byShared(machine, use), machine.sm.blocks};
  const auto least = std::ranges::min_element(result.blockLimit);
  result.limiting = static_cast<Resource>(least - result.blockLimit.begin());
  result.blocks = *least;
  result.warps = result.blocks * warps;
  result.fraction = static_cast<double>(result.warps * machine.limits.warpSize) /
                    static_cast<double>(machine.sm.threads);
  return result;
}

std::vector<OccupancyPoint> overThreads(const Machine &machine, BlockUse use) {
  const std::int64_t warp = machine.limits.warpSize;
  return over(machine, use, warp, machine.limits.threadsPerBlock, warp,
              [](BlockUse &varied, std::int64_t threads) { varied.threads = threads; });
}

std::vector<OccupancyPoint> overRegisters(const Machine &machine, BlockUse use) {
  return over(machine, use, 1, machine.limits.registersPerThread, 1,
              [](BlockUse &varied, std::int64_t registers) { varied.registers = registers; });
}

std::vector<OccupancyPoint> overSharedBytes(const Machine &machine, BlockUse use) {
  constexpr std::int64_t kStep = 512;
  return over(machine, use, 0, machine.limits.sharedBytesPerBlock, kStep,
              [](BlockUse &varied, std::int64_t bytes) { varied.sharedBytes = bytes; });
}

} // namespace tessera::machine
