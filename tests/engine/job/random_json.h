// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <random>
#include <string>

namespace tessera::test {

// Returns a random message with every kind of value, nested up to `depth` levels. The same
// generator state gives the same message.
inline nlohmann::json randomJson(std::mt19937_64 &random, int depth) {
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto text = [&] {
    std::string letters;
    for (std::uint64_t i = below(12); i > 0; --i)
      letters += static_cast<char>(' ' + below(95));
    return letters;
  };
  switch (below(depth > 0 ? 9 : 7)) {
  case 0:
    return nullptr;
  case 1:
    return below(2) == 0;
  case 2:
    return random() >> below(64);
  case 3:
    return -static_cast<std::int64_t>(random() >> (1 + below(63)));
  case 4:
    return static_cast<double>(below(1000)) / 8;
  case 5:
    return text();
  case 6: {
    std::vector<std::uint8_t> bytes(below(20));
    for (std::uint8_t &byte : bytes)
      byte = static_cast<std::uint8_t>(random());
    return nlohmann::json::binary(std::move(bytes));
  }
  case 7: {
    nlohmann::json array = nlohmann::json::array();
    for (std::uint64_t i = below(6); i > 0; --i)
      array.push_back(randomJson(random, depth - 1));
    return array;
  }
  default: {
    nlohmann::json object = nlohmann::json::object();
    for (std::uint64_t i = below(6); i > 0; --i)
      object[text()] = randomJson(random, depth - 1);
    return object;
  }
  }
}

} // namespace tessera::test
