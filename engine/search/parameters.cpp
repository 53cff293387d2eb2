// SPDX-License-Identifier: MIT
#include "engine/search/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace tessera::search {

namespace {

constexpr std::string_view kPreset = "PRESET";

std::string numberText(double number) {
  std::ostringstream text;
  text.precision(12); // a million is no 1e+06
  text << number;
  return text.str();
}

std::optional<double> numberFrom(const std::string &text) {
  double number = 0;
  const char *end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

Error unknownName(const ParameterTable &table, std::string_view algorithm,
                  const std::string &name) {
  const std::string known = table.namesText();
  return {ErrorCode::Usage,
          "the algorithm " + std::string(algorithm) + " has no parameter '" + name + "'",
          known.empty() ? "it has no parameters" : "its parameters: " + known};
}

Result<const Preset *> presetOf(const ParameterTable &table, std::string_view algorithm,
                                const std::string &name) {
  const auto preset = std::ranges::find(table.presets, name, &Preset::name);
  if (preset != table.presets.end()) return &*preset;
  std::string known;
  for (const Preset &one : table.presets)
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  return Error{ErrorCode::Usage,
               "the algorithm " + std::string(algorithm) + " has no preset '" + name + "'",
               "its presets: " + known};
}

Result<double> wordFrom(const Parameter &parameter, const std::string &text) {
  const auto word = std::ranges::find(parameter.words, text);
  if (word != parameter.words.end()) return static_cast<double>(word - parameter.words.begin());
  std::string known;
  for (const std::string_view one : parameter.words)
    known += (known.empty() ? "" : ", ") + std::string(one);
  return Error{ErrorCode::Usage, "'" + text + "' is not a value of " + std::string(parameter.name),
               "one of " + known};
}

Result<double> valueFrom(const Parameter &parameter, const std::string &text) {
  if (!parameter.words.empty()) return wordFrom(parameter, text);
  const std::optional<double> value = numberFrom(text);
  if (value && *value >= parameter.least && *value <= parameter.most &&
      (!parameter.isWhole || *value == std::floor(*value)))
    return *value;
  return Error{ErrorCode::Usage, "'" + text + "' is not a value of " + std::string(parameter.name),
               std::string(parameter.isWhole ? "a whole number" : "a number") + " from " +
                   numberText(parameter.least) + " to " + numberText(parameter.most)};
}

} // namespace

bool ParameterTable::contains(std::string_view name) const {
  return (name == kPreset && !presets.empty()) ||
         std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
}

std::string ParameterTable::namesText() const {
  std::string known;
  for (const Parameter &one : parameters)
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  if (!presets.empty()) known += (known.empty() ? "" : ", ") + std::string(kPreset);
  return known;
}

std::string valueText(const Parameter &parameter, double value) {
  const auto word = static_cast<std::size_t>(value);
  return word < parameter.words.size() ? std::string(parameter.words[word]) : numberText(value);
}

Result<ParameterValues>
parameterValues(const ParameterTable &table, std::string_view algorithm,
                std::span<const std::pair<std::string, std::string>> given) {
  ParameterValues values;
  for (const auto &[name, text] : given) {
    if (!table.contains(name)) return unknownName(table, algorithm, name);
    if (name != kPreset) continue;
    const auto preset = presetOf(table, algorithm, text);
    if (!preset) return preset.error();
    for (const auto &[key, value] : (*preset)->values)
      values.insert_or_assign(std::string(key), value);
  }
  for (const auto &[name, text] : given) {
    if (name == kPreset) continue;
    const auto value =
        valueFrom(*std::ranges::find(table.parameters, name, &Parameter::name), text);
    if (!value) return value.error();
    values.insert_or_assign(name, *value);
  }
  return values;
}

Result<std::vector<ParameterValues>> gridPoints(const ParameterTable &table,
                                                std::string_view algorithm, std::string_view grid,
                                                const ParameterValues &given) {
  const auto found = std::ranges::find(table.grids, grid, &ParameterGrid::name);
  if (found == table.grids.end()) {
    std::string known;
    for (const ParameterGrid &one : table.grids)
      known += (known.empty() ? "" : ", ") + std::string(one.name);
    return Error{ErrorCode::Usage,
                 "the algorithm " + std::string(algorithm) + " has no grid '" + std::string(grid) +
                     "'",
                 known.empty() ? "it has no grids" : "its grids: " + known};
  }
  std::vector<ParameterValues> points{given};
  for (const ParameterGrid::Axis &axis : found->axes) {
    std::vector<ParameterValues> longer;
    for (const ParameterValues &point : points)
      for (const double value : axis.values) {
        longer.push_back(point);
        longer.back().insert_or_assign(std::string(axis.parameter), value);
      }
    points = std::move(longer);
  }
  return points;
}

} // namespace tessera::search
