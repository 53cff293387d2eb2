// SPDX-License-Identifier: MIT
#include "engine/bench/probed_machine.h"

#include "engine/machine/machine_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace tessera::bench {
namespace {

using machine::Machine;
using testing::HasSubstr;

Machine known(const char *name, const char *title, int major, int minor, int multiprocessors) {
  Machine machine;
  machine.name = name;
  machine.title = title;
  machine.major = major;
  machine.minor = minor;
  machine.multiprocessors = multiprocessors;
  machine.sources["dram_latency"] = "a table";
  return machine;
}

const std::vector<Machine> kKnown{known("a100", "NVIDIA A100", 8, 0, 108),
                                  known("h100", "NVIDIA H100 SXM", 9, 0, 132),
                                  known("h200", "NVIDIA H200 SXM", 9, 0, 132)};

DeviceDescription gpu(const char *name, int major, int minor) {
  DeviceDescription device;
  device.name = name;
  device.driver = "580.1";
  device.major = major;
  device.minor = minor;
  device.values = {{"multiprocessors", 114}, {"clock_hz", 1.7e9}};
  return device;
}

TEST(ProbedMachine, TheNearestIsOfTheSameCapabilityAndName) {
  EXPECT_EQ(nearestMachine(gpu("NVIDIA H200", 9, 0), kKnown)->name, "h200");
  EXPECT_EQ(nearestMachine(gpu("NVIDIA H100 SXM5", 9, 0), kKnown)->name, "h100");
  // The capability 8.6 is 0.4 below that of the H100, 9.0, and 0.6 above that of the A100, 8.0.
  EXPECT_EQ(nearestMachine(gpu("NVIDIA A10", 8, 6), kKnown)->name, "h100");
  EXPECT_EQ(nearestMachine(gpu("NVIDIA A30", 8, 0), kKnown)->name, "a100");
  EXPECT_EQ(nearestMachine(gpu("NVIDIA H200", 9, 0), {}), nullptr);
}

TEST(ProbedMachine, WhatWasAskedSaysSo) {
  const Machine probed = probedMachine(gpu("NVIDIA H200", 9, 0), kKnown[2]);
  EXPECT_EQ(probed.name, "nvidia-h200");
  EXPECT_EQ(probed.title, "NVIDIA H200");
  EXPECT_EQ(probed.multiprocessors, 114);
  EXPECT_EQ(probed.clockHz, 1.7e9);
  EXPECT_EQ(probed.sources.at("multiprocessors"), "reported by driver 580.1");
}

TEST(ProbedMachine, WhatWasTakenSaysFromWhere) {
  const Machine probed = probedMachine(gpu("NVIDIA H200", 9, 0), kKnown[2]);
  EXPECT_EQ(probed.memory.dramLatency, kKnown[2].memory.dramLatency);
  EXPECT_EQ(probed.sources.at("dram_latency"),
            "taken from h200, of the same compute capability: a table");
  const Machine other = probedMachine(gpu("NVIDIA X", 12, 0), kKnown[2]);
  EXPECT_THAT(other.sources.at("dram_latency"), HasSubstr("whose compute capability 9.0 is"));
}

TEST(ProbedMachine, IsAMachineForEveryone) {
  const Machine probed = probedMachine(gpu("NVIDIA H200", 9, 0), kKnown[2]);
  const auto read = machine::machineFromJson(toJson(probed).dump(), "the probed one");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, probed);
}

} // namespace
} // namespace tessera::bench
