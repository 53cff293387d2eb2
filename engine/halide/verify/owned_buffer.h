// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/random_number.h"
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

// A buffer with memory of its own, laid out as the pipeline's promises require.
struct OwnedBuffer {
  std::shared_ptr<std::uint8_t> memory;
  std::size_t bytes = 0;
  Halide::Buffer<> buffer;
};

// The promises about a buffer's memory layout. Dimensions without a stride are dense.
struct Layout {
  std::vector<std::optional<std::int64_t>> strides;
  std::int64_t alignment = 0; // alignment of the first element in bytes: a power of two, or 0
};

// Every byte is set to `fill`. Returns nullopt if elements would share memory in this layout.
std::optional<OwnedBuffer> makeBuffer(const Halide::Type &type, const pipeline::Box &box,
                                      const Layout &layout, std::uint8_t fill);

// The memory layout of the elements, for comparisons.
report::ElementLayout layoutOf(const Halide::Buffer<> &buffer);
const std::uint8_t *firstElement(const Halide::Buffer<> &buffer);

// Calls `visit(address, number)` for every element, the first dimension fastest.
void forEachElement(const Halide::Buffer<> &buffer,
                    const std::function<void(std::uint8_t *, std::uint64_t)> &visit);

// Fills with values that depend only on the seed, the name and the position (random_number.h).
void fillRandom(const Halide::Buffer<> &buffer, const std::string &name, std::uint64_t seed,
                pipeline::Drawing drawing = pipeline::Drawing::Usual);
// Moves about half of the floats by their last bit.
void moveLastBits(const Halide::Buffer<> &buffer, const std::string &name, std::uint64_t seed);

} // namespace tessera::halide
