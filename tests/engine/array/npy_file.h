// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tessera::array::test {

// Returns a file in NumPy's format with this header and the bytes of the array.
inline std::vector<std::uint8_t>
npyBytes(const std::string &header, const std::vector<std::uint8_t> &numbers, int version = 1) {
  const std::string magic = "\x93NUMPY";
  std::vector<std::uint8_t> bytes(magic.begin(), magic.end());
  bytes.push_back(static_cast<std::uint8_t>(version));
  bytes.push_back(0);
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes.push_back(static_cast<std::uint8_t>(header.size() >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), numbers.begin(), numbers.end());
  return bytes;
}

template <typename Numbers>
std::vector<std::uint8_t> rawBytes(const Numbers &numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof numbers[0]);
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

} // namespace tessera::array::test
