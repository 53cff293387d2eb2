// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::bench {

// The part of HalideRuntime.h that the caller of a compiled pipeline needs. Because it is declared
// here, this program is built and runs without Halide. tst_bench_abi compares it with the header.
struct HalideDimension {
  std::int32_t min = 0, extent = 0, stride = 0;
  std::uint32_t flags = 0;
};

struct HalideDeviceInterface;

struct HalideBuffer {
  enum Flag : std::uint64_t { kHostDirty = 1, kDeviceDirty = 2 };
  enum TypeCode : std::uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kHandle = 3, kBFloat = 4 };

  std::uint64_t device = 0; // for CUDA: the address in device memory
  const HalideDeviceInterface *interface = nullptr;
  std::uint8_t *host = nullptr;
  std::uint64_t flags = 0;
  std::uint8_t typeCode = kInt, typeBits = 32;
  std::uint16_t typeLanes = 1;
  std::int32_t dimensions = 0;
  HalideDimension *dim = nullptr;
  void *padding = nullptr;
};

// The first functions of the interface; the rest is not needed.
struct HalideDeviceInterface {
  int (*deviceMalloc)(void *, HalideBuffer *, const HalideDeviceInterface *);
  int (*deviceFree)(void *, HalideBuffer *);
  int (*deviceSync)(void *, HalideBuffer *);
  void (*deviceRelease)(void *, const HalideDeviceInterface *);
  int (*copyToHost)(void *, HalideBuffer *);
};

static_assert(sizeof(HalideDimension) == 16 && sizeof(HalideBuffer) == 56 &&
              offsetof(HalideBuffer, dim) == 40);

} // namespace tessera::bench
