// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::search {

// A number or a word that the user of an algorithm may change, as in --param LOAD_COST=20. Names
// are those of the algorithm's paper, in upper case, so that they differ from the parameters of
// generators.
struct Parameter {
  std::string_view name;
  std::string_view description; // one line for the user
  double standard = 0, least = 0, most = 0;
  bool isWhole = true; // whole numbers only
  // If not empty, the value is given as one of these words, and is the word's position here.
  std::span<const std::string_view> words = {};
};

// Values that belong together, as in --param PRESET=artifact.
struct Preset {
  std::string_view name;
  std::string_view description;
  std::span<const std::pair<std::string_view, double>> values;
};

// All combinations of some values, which a tuning measures one by one: tune --grid 6.
struct ParameterGrid {
  struct Axis {
    std::string_view parameter;
    std::span<const double> values;
  };
  std::string_view name;
  std::string_view description;
  std::span<const Axis> axes;
};

// All that can be said about an algorithm's parameters.
struct ParameterTable {
  std::span<const Parameter> parameters = {};
  std::span<const Preset> presets = {};
  std::span<const ParameterGrid> grids = {};

  bool contains(std::string_view name) const; // of a parameter, or PRESET if there are presets
  std::string namesText() const;              // all such names: "LOAD_COST, PRESET"
};

// A value as the user gives it: a number, or one of the parameter's words.
std::string valueText(const Parameter &parameter, double value);

// The values that were given, by name. What is missing has its standard value.
using ParameterValues = std::map<std::string, double, std::less<>>;

// Reads values as the user gives them. A preset counts first, wherever it stands. Fails for a name
// that is not in the table, and for a value that is out of range, with an error that says what
// could be given. `algorithm` is for that text.
Result<ParameterValues> parameterValues(const ParameterTable &table, std::string_view algorithm,
                                        std::span<const std::pair<std::string, std::string>> given);

// The points of a grid, each with the values in `given` where the grid has none. Fails for an
// unknown name, with an error that lists the grids that there are.
Result<std::vector<ParameterValues>> gridPoints(const ParameterTable &table,
                                                std::string_view algorithm, std::string_view grid,
                                                const ParameterValues &given);

} // namespace tessera::search
