// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

namespace tessera::test {

// PROGRAM [--count N] [--seed N] [--first N]: runs cases first … first + count - 1. Each case has
// its own random generator, so that it can be run again alone.
struct Campaign {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;

  std::mt19937_64 random(std::uint64_t index) const {
    std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                        static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32)};
    return std::mt19937_64(mixed);
  }
};

inline Campaign campaignFromArguments(int argc, char **argv, std::uint64_t defaultCount) {
  Campaign campaign;
  campaign.count = defaultCount;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::string_view text = i + 1 < argc ? argv[i + 1] : "";
    std::uint64_t *value = option == "--count"   ? &campaign.count
                           : option == "--seed"  ? &campaign.seed
                           : option == "--first" ? &campaign.first
                                                 : nullptr;
    if (!value || text.empty() ||
        std::from_chars(text.data(), text.data() + text.size(), *value).ptr !=
            text.data() + text.size()) {
      std::fprintf(stderr, "usage: %s [--count N] [--seed N] [--first N]\n", argv[0]);
      std::exit(2);
    }
  }
  return campaign;
}

} // namespace tessera::test
