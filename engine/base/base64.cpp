// SPDX-License-Identifier: MIT
#include "engine/base/base64.h"

#include <array>
#include <cstdint>

namespace tessera {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  return values;
}();

} // namespace

std::string toBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::string> fromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
    ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t digits = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint8_t value = k < digits ? kValues[static_cast<unsigned char>(text[i + k])] : 0;
      if (value == kNoDigit) return std::nullopt;
      three = three << 6 | value;
    }
    // The unused bits before the padding must be zero; otherwise two texts would mean the same
    // bytes.
    if ((three & ((1U << 8 * (4 - digits)) - 1)) != 0) return std::nullopt;
    for (std::size_t k = 0; k + 1 < digits; ++k)
      bytes += static_cast<char>(three >> (16 - 8 * k) & 255);
  }
  return bytes;
}

} // namespace tessera
