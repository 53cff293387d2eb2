// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/types.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::array {

// What a user's file holds: numbers of one type, the first dimension fastest, as Halide's buffers
// count them. Of an image those are columns, rows and channels, each channel a plane.
struct Array {
  pipeline::ScalarType type;
  std::vector<std::int64_t> extents;
  std::vector<std::uint8_t> data;
  std::uint32_t white = 0; // of an image: full brightness; 0: no image

  bool isImage() const { return white != 0; }
};

// Larger files are no inputs, and a header may claim anything.
inline constexpr std::size_t kMostBytes = std::size_t{4} << 30;

inline Error refused(const std::string &file, const std::string &why,
                     const std::string &hint = {}) {
  return {ErrorCode::InputRefused, "'" + file + "': " + why, hint};
}

// The numbers of an image from pixels whose channels lie side by side, `bytes` each, as files have
// them and with the most significant byte first. One channel has no dimension.
Array imageFrom(std::int64_t width, std::int64_t height, std::size_t channels, std::size_t bytes,
                std::uint32_t white, const std::uint8_t *pixels);

} // namespace tessera::array
