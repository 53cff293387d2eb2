// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <random>
#include <vector>

namespace tessera::test {

// A few frames in a row, one of which is damaged.
struct DamagedStream {
  std::vector<nlohmann::json> messages; // the messages before the damage
  std::vector<std::byte> bytes;
  // Whether the checksums were computed again after the damage, so that the damage reaches the code
  // behind them. Such a frame may be a valid message, but a different one.
  bool resealed = false;
};

DamagedStream damagedStream(std::mt19937_64 &random);

} // namespace tessera::test
