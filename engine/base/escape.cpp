// SPDX-License-Identifier: MIT
#include "engine/base/escape.h"

#include <algorithm>

namespace tessera {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

int hexDigit(char digit) {
  const std::size_t at = kHexDigits.find(digit);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// The number of bytes of the first character; 0 if it is not valid UTF-8. Overlong forms,
// surrogates and control characters outside ASCII count as invalid.
std::size_t utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2   ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool wrong = (first == 0xc2 && byte(1) < 0xa0) || (first == 0xe0 && byte(1) < 0xa0) ||
                     (first == 0xed && byte(1) >= 0xa0) || (first == 0xf0 && byte(1) < 0x90) ||
                     (first == 0xf4 && byte(1) >= 0x90);
  return wrong ? 0 : length;
}

} // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x20 && code != 0x7f && byte != '\\') {
      out += byte;
      continue;
    }
    out += "\\x";
    out += kHexDigits[code >> 4];
    out += kHexDigits[code & 15];
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\\x" && i + 3 < text.size()) {
      const int high = hexDigit(text[i + 2]), low = hexDigit(text[i + 3]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        i += 3;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8Length(text);
    const bool shows = length > 1 || (length == 1 && text[0] >= 0x20 && text[0] != 0x7f);
    out += shows ? text.substr(0, length) : "?";
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

} // namespace tessera
