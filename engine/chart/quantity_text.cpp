// SPDX-License-Identifier: MIT
#include "engine/chart/quantity_text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace tessera::chart {

namespace {

int digitsOf(double value) { return value < 9.995 ? 2 : value < 99.95 ? 1 : 0; }

std::pair<double, const char *> prefixOf(double value) {
  constexpr std::array<std::pair<double, const char *>, 4> kPrefixes{
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  constexpr double kRoundsUp = 0.9995;
  for (const auto &prefix : kPrefixes)
    if (value >= prefix.first * kRoundsUp) return prefix;
  return {1, ""};
}

} // namespace

std::string rounded(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string withPrefix(double value, const char *unit) {
  const auto [size, prefix] = prefixOf(value);
  const std::string word = std::string(prefix) + unit;
  return rounded(value / size, digitsOf(value / size)) + (word.empty() ? "" : " ") + word;
}

std::string roundText(double value) {
  const auto [size, prefix] = prefixOf(value);
  return rounded(value / size, 0) + (*prefix ? " " : "") + prefix;
}

std::string wholeText(double value) {
  std::string text = rounded(value, 0);
  constexpr std::size_t kGroup = 3;
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t end = text.size(); end > first + kGroup;)
    text.insert(end -= kGroup, 1, ',');
  return text;
}

std::string timesText(double factor) { return rounded(factor, digitsOf(factor)); }

std::string timeText(double seconds) {
  constexpr std::array<std::pair<double, const char *>, 4> kUnits{
      {{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}}};
  if (seconds <= 0) return "0 s";
  for (const auto &[unit, name] : kUnits) {
    if (seconds < unit && unit > 1e-9) continue;
    return rounded(seconds / unit, digitsOf(seconds / unit)) + name;
  }
  return {};
}

std::string percentText(double part) {
  if (part > 0 && part < 0.005) return "< 1 %";
  return rounded(100 * part, 0) + " %";
}

std::string plainText(double value) {
  return rounded(value, value < 0.0095 ? 3 : value < 0.095 ? 2 : value < 0.95 ? 1 : 0);
}

std::string gainText(double before, double now) {
  if (before <= 0 || now <= 0) return "";
  const std::string percent = wholeText(std::abs(before / now - 1) * 100);
  return (now > before && percent != "0" ? "−" : "+") + percent + " %";
}

} // namespace tessera::chart
