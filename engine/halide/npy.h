// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::halide {

// An array as NumPy's `save` writes it. Its first axis is a buffer's last dimension, as in Halide's
// bindings: an image of 640×480 has the shape (480, 640).
struct NpyArray {
  Halide::Type type;
  std::vector<std::int64_t> shape;
  bool fortranOrder = false; // the first axis is the one that is close in memory
  std::vector<std::uint8_t> data;
};

// Versions 1 to 3 with little-endian numbers of the types that buffers can have. Everything of
// `bytes` is checked against its length; `name` is for messages.
Result<NpyArray> npyFrom(std::vector<std::uint8_t> bytes, const std::string &name);
Result<NpyArray> readNpy(const std::string &path);

// Fills a buffer, or says in which words the array is another.
Status fillFrom(const NpyArray &array, const Halide::Buffer<> &buffer, const std::string &input,
                const std::string &file);

} // namespace tessera::halide
