// SPDX-License-Identifier: MIT
// tessera-gpu calls compiled pipelines without Halide's headers. Its own declarations must match
// them.
#include "engine/bench/device/halide_abi.h"

#include <HalideRuntime.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace tessera::bench {
namespace {

TEST(BenchAbi, BuffersAreLaidOutAsHalidesAre) {
  EXPECT_EQ(sizeof(HalideBuffer), sizeof(halide_buffer_t));
  EXPECT_EQ(offsetof(HalideBuffer, device), offsetof(halide_buffer_t, device));
  EXPECT_EQ(offsetof(HalideBuffer, interface), offsetof(halide_buffer_t, device_interface));
  EXPECT_EQ(offsetof(HalideBuffer, host), offsetof(halide_buffer_t, host));
  EXPECT_EQ(offsetof(HalideBuffer, flags), offsetof(halide_buffer_t, flags));
  EXPECT_EQ(offsetof(HalideBuffer, typeCode), offsetof(halide_buffer_t, type));
  EXPECT_EQ(offsetof(HalideBuffer, dimensions), offsetof(halide_buffer_t, dimensions));
  EXPECT_EQ(offsetof(HalideBuffer, dim), offsetof(halide_buffer_t, dim));
  EXPECT_EQ(sizeof(HalideDimension), sizeof(halide_dimension_t));
  EXPECT_EQ(offsetof(HalideDimension, stride), offsetof(halide_dimension_t, stride));
}

TEST(BenchAbi, ATypeHasItsCodeBitsAndLanes) {
  HalideBuffer buffer;
  buffer.typeCode = HalideBuffer::kBFloat;
  buffer.typeBits = 16;
  const auto *seen = reinterpret_cast<const halide_buffer_t *>(&buffer);
  EXPECT_EQ(seen->type, halide_type_t(halide_type_bfloat, 16, 1));
  EXPECT_EQ(int{HalideBuffer::kInt}, int{halide_type_int});
  EXPECT_EQ(int{HalideBuffer::kUInt}, int{halide_type_uint});
  EXPECT_EQ(int{HalideBuffer::kFloat}, int{halide_type_float});
  EXPECT_EQ(int{HalideBuffer::kHandle}, int{halide_type_handle});
}

TEST(BenchAbi, FlagsAreHalides) {
  EXPECT_EQ(std::uint64_t{HalideBuffer::kHostDirty}, std::uint64_t{halide_buffer_flag_host_dirty});
  EXPECT_EQ(std::uint64_t{HalideBuffer::kDeviceDirty},
            std::uint64_t{halide_buffer_flag_device_dirty});
}

TEST(BenchAbi, ADevicesFunctionsHaveTheirPlaces) {
  EXPECT_EQ(offsetof(HalideDeviceInterface, deviceFree),
            offsetof(halide_device_interface_t, device_free));
  EXPECT_EQ(offsetof(HalideDeviceInterface, deviceSync),
            offsetof(halide_device_interface_t, device_sync));
  EXPECT_EQ(offsetof(HalideDeviceInterface, copyToHost),
            offsetof(halide_device_interface_t, copy_to_host));
}

} // namespace
} // namespace tessera::bench
