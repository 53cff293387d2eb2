// SPDX-License-Identifier: MIT
#include "app/cli_times.h"

#include <array>
#include <iomanip>
#include <sstream>
#include <utility>

namespace tessera::app {

std::string timeText(double seconds) {
  constexpr std::array<std::pair<double, const char *>, 4> kUnits{
      {{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}}};
  for (const auto &[unit, name] : kUnits) {
    if (seconds < unit && unit > 1e-9) continue;
    const double value = seconds / unit;
    std::ostringstream text;
    text << std::fixed << std::setprecision(value < 10 ? 2 : value < 100 ? 1 : 0) << value << name;
    return text.str();
  }
  return "0 s";
}

} // namespace tessera::app
