// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/types.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::array {

// The content of a user's file: numbers of one type, with the first dimension fastest, as in
// Halide's buffers. The dimensions of an image are columns, rows and channels, so each channel is a
// plane.
struct Array {
  pipeline::ScalarType type;
  std::vector<std::int64_t> extents;
  std::vector<std::uint8_t> data;
  std::uint32_t white = 0; // value of full brightness; 0: not an image

  bool isImage() const { return white != 0; }
};

// The largest input in bytes. There is a limit because a file's header may claim any size.
inline constexpr std::size_t kMostBytes = std::size_t{4} << 30;

inline Error refused(const std::string &file, const std::string &why,
                     const std::string &hint = {}) {
  return {ErrorCode::InputRefused, "'" + file + "': " + why, hint};
}

// Makes an image from pixels with interleaved channels of `bytes` each, most significant byte
// first, as files store them. With a single channel there is no channel dimension.
Array imageFrom(std::int64_t width, std::int64_t height, std::size_t channels, std::size_t bytes,
                std::uint32_t white, const std::uint8_t *pixels);

} // namespace tessera::array
