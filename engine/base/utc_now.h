// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <ctime>
#include <string>

namespace tessera {

// The current time in UTC: "2026-11-22T11:05:00Z".
inline std::string utcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

} // namespace tessera
