// SPDX-License-Identifier: MIT
#include "engine/array/array.h"

namespace tessera::array {

Array imageFrom(std::int64_t width, std::int64_t height, std::size_t channels, std::size_t bytes,
                std::uint32_t white, const std::uint8_t *pixels) {
  Array image;
  image.type = {pipeline::TypeKind::UInt, static_cast<std::uint8_t>(8 * bytes)};
  image.white = white;
  image.extents = {width, height};
  if (channels > 1) image.extents.push_back(static_cast<std::int64_t>(channels));
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  image.data.resize(count * channels * bytes);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    std::uint8_t *to = image.data.data() + channel * count * bytes;
    const std::uint8_t *from = pixels + channel * bytes;
    for (std::size_t pixel = 0; pixel < count; ++pixel, from += channels * bytes)
      for (std::size_t byte = bytes; byte-- > 0;)
        *to++ = from[byte];
  }
  return image;
}

} // namespace tessera::array
