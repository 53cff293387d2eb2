// SPDX-License-Identifier: MIT
#include "engine/machine/gpu_name.h"

#include <gtest/gtest.h>

namespace tessera::machine {
namespace {

TEST(GpuName, WhatIsLeftOutDoesNotCount) {
  EXPECT_TRUE(isSameGpu("NVIDIA H200", "NVIDIA H200 SXM"));
  EXPECT_TRUE(isSameGpu("NVIDIA A100-SXM4-80GB", "NVIDIA A100 SXM 80 GB"));
  EXPECT_TRUE(isSameGpu("NVIDIA H100 80GB HBM3", "NVIDIA H100 SXM"));
  EXPECT_TRUE(isSameGpu("NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"));
  EXPECT_TRUE(isSameGpu("", ""));
}

TEST(GpuName, OtherChipsAreOthers) {
  EXPECT_FALSE(isSameGpu("NVIDIA H200", "NVIDIA H100 SXM"));
  EXPECT_FALSE(isSameGpu("NVIDIA GeForce GTX 1080", "NVIDIA GeForce GTX 1080 Ti"));
  EXPECT_FALSE(isSameGpu("NVIDIA H100 PCIe", "NVIDIA H100 SXM"));
  EXPECT_FALSE(isSameGpu("NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090"));
  EXPECT_FALSE(isSameGpu("", "NVIDIA H200"));
  EXPECT_FALSE(isSameGpu("Fake GPU", "Any OpenCL GPU"));
}

} // namespace
} // namespace tessera::machine
