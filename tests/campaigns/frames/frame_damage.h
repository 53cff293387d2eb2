// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <random>
#include <vector>

namespace tessera::test {

// A few frames in a row, one of them damaged.
struct DamagedStream {
  std::vector<nlohmann::json> messages; // as they were before
  std::vector<std::byte> bytes;
  // The checksums were computed anew after the damage, so that it reaches what lies behind them;
  // such a frame may be a valid message, if another one.
  bool resealed = false;
};

DamagedStream damagedStream(std::mt19937_64 &random);

} // namespace tessera::test
