// SPDX-License-Identifier: MIT
#include "engine/machine/machine_json.h"
#include "engine/machine/occupancy.h"
#include "tests/support/build_paths.h"

#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include <climits>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace tessera::machine {
namespace {

std::vector<Machine> shippedMachines() {
  std::vector<Machine> machines;
  for (const auto &entry :
       std::filesystem::directory_iterator(tessera::test::sourcePath("resources/machines"))) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    auto machine = machineFromJson(text.str(), entry.path().filename().string());
    EXPECT_TRUE(machine) << (machine ? "" : machine.error().message);
    if (machine) machines.push_back(std::move(*machine));
  }
  return machines;
}

Machine shipped(const std::string &name) {
  for (Machine &machine : shippedMachines())
    if (machine.name == name) return machine;
  ADD_FAILURE() << "no machine " << name;
  return {};
}

// Returns the result of NVIDIA's calculator, or nothing if it does not know the machine.
std::optional<cudaOccResult> oracle(const Machine &machine, const BlockUse &use) {
  cudaOccDeviceProp device;
  device.computeMajor = machine.major;
  device.computeMinor = machine.minor;
  device.maxThreadsPerBlock = static_cast<int>(machine.limits.threadsPerBlock);
  device.maxThreadsPerMultiprocessor = static_cast<int>(machine.sm.threads);
  device.regsPerBlock = static_cast<int>(machine.limits.registersPerBlock);
  device.regsPerMultiprocessor = static_cast<int>(machine.sm.registers);
  device.warpSize = static_cast<int>(machine.limits.warpSize);
  device.sharedMemPerBlock = static_cast<std::size_t>(machine.limits.sharedBytesPerBlock);
  device.sharedMemPerMultiprocessor = static_cast<std::size_t>(machine.sm.sharedBytes);
  device.numSms = static_cast<int>(machine.multiprocessors);
  device.sharedMemPerBlockOptin = device.sharedMemPerBlock;
  device.reservedSharedMemPerBlock = static_cast<std::size_t>(machine.sm.sharedReserved);
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = INT_MAX;
  kernel.numRegs = static_cast<int>(use.registers);
  kernel.numBlockBarriers = 1;
  const cudaOccDeviceState state;
  cudaOccResult result{};
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &kernel, &state, static_cast<int>(use.threads),
      static_cast<std::size_t>(use.sharedBytes));
  if (error != CUDA_OCC_SUCCESS) return std::nullopt;
  return result;
}

TEST(Occupancy, IsNvidiasOnEveryMachine) {
  std::mt19937 random(20);
  const auto upTo = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random);
  };
  int compared = 0;
  for (const Machine &machine : shippedMachines()) {
    if (machine.major == 0) continue;
    constexpr int kPerMachine = 15000;
    for (int i = 0; i < kPerMachine; ++i) {
      // Some of these blocks are too large to be launched.
      const BlockUse use{1 + upTo(1030), upTo(257), upTo(1) * upTo(49 * 1024)};
      const auto expected = oracle(machine, use);
      ASSERT_TRUE(expected) << machine.name;
      const Occupancy found = occupancy(machine, use);
      const bool beyond = use.registers > machine.limits.registersPerThread;
      ASSERT_EQ(found.blocks, beyond ? 0 : expected->activeBlocksPerMultiprocessor)
          << machine.name << ": " << use.threads << " threads, " << use.registers << " registers, "
          << use.sharedBytes << " bytes";
      ++compared;
    }
  }
  EXPECT_GE(compared, 100'000);
}

TEST(Occupancy, NamesTheResourceThatLimits) {
  const Machine h200 = shipped("h200");
  EXPECT_EQ(occupancy(h200, {256, 32, 0}).fraction, 1.0);
  EXPECT_EQ(occupancy(h200, {256, 128, 0}).limiting, Resource::Registers);
  EXPECT_EQ(occupancy(h200, {256, 128, 0}).blocks, 2);
  EXPECT_EQ(occupancy(h200, {64, 16, 48 * 1024}).limiting, Resource::SharedMemory);
  EXPECT_EQ(occupancy(h200, {64, 16, 48 * 1024}).blocks, 4);
  EXPECT_EQ(occupancy(h200, {32, 16, 0}).limiting, Resource::Blocks);
  EXPECT_EQ(occupancy(h200, {1025, 16, 0}).blocks, 0);
}

TEST(Occupancy, CurvesPassThroughThePointThatTheyAreAbout) {
  const Machine a100 = shipped("a100");
  const BlockUse use{192, 40, 10240};
  const auto holds = [&](const std::vector<OccupancyPoint> &curve, std::int64_t value) {
    for (const OccupancyPoint &point : curve)
      if (point.value == value) return point.occupancy.warps == occupancy(a100, use).warps;
    return false;
  };
  EXPECT_TRUE(holds(overThreads(a100, use), use.threads));
  EXPECT_TRUE(holds(overRegisters(a100, use), use.registers));
  EXPECT_TRUE(holds(overSharedBytes(a100, use), use.sharedBytes));
  EXPECT_EQ(overThreads(a100, use).back().value, 1024);
  EXPECT_EQ(overRegisters(a100, use).back().value, 255);
}

} // namespace
} // namespace tessera::machine
