// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"
#include "engine/report/compare_elements.h"

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::halide {

// A buffer with memory of its own, laid out as a pipeline's promises want it.
struct OwnedBuffer {
  std::shared_ptr<std::uint8_t> memory;
  std::size_t bytes = 0;
  Halide::Buffer<> buffer;
};

// What is promised of a buffer in memory. Dimensions without a stride follow densely.
struct Layout {
  std::vector<std::optional<std::int64_t>> strides;
  std::int64_t alignment = 0; // of the first element, in bytes; a power of two, or 0
};

// Every byte is `fill`. Nothing where no memory can be laid out so, because elements would share
// it.
std::optional<OwnedBuffer> makeBuffer(const Halide::Type &type, const pipeline::Box &box,
                                      const Layout &layout, std::uint8_t fill);

// How its elements lie, for comparisons.
report::ElementLayout layoutOf(const Halide::Buffer<> &buffer);
const std::uint8_t *firstElement(const Halide::Buffer<> &buffer);

// Calls `visit(address, number)` for every element, the first dimension fastest.
void forEachElement(const Halide::Buffer<> &buffer,
                    const std::function<void(std::uint8_t *, std::uint64_t)> &visit);

// Values that depend on the seed, the name and the place alone: floats in [0, 1), integers of 8 and
// 16 bits over their whole range, wider ones in [0, 1024), since pipelines use those as indices and
// add them up.
void fillRandom(const Halide::Buffer<> &buffer, const std::string &name, std::uint64_t seed);

} // namespace tessera::halide
