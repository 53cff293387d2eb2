// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace tessera::app {

inline constexpr double kMilli = 1e3, kMicro = 1e6; // milliseconds and microseconds per second

// Text in columns that fit their content, separated by two spaces.
struct Table {
  enum class Align : std::uint8_t { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows; // one cell per column
};
std::ostream &operator<<(std::ostream &out, const Table &table);

std::string sizeText(const std::array<std::int64_t, 3> &size); // "32×4×1"
std::string fixedText(double value, int digits);               // "37.5"

} // namespace tessera::app
