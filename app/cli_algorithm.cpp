// SPDX-License-Identifier: MIT
#include "app/cli_algorithm.h"

#include "engine/search/algorithms.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

namespace tessera::app {

namespace {

bool isOfAnAlgorithm(const std::string &parameter) {
  const std::string name = parameter.substr(0, parameter.find('='));
  return std::ranges::any_of(search::algorithms(), [&](const search::Algorithm &one) {
    return one.parameters && one.parameters->contains(name);
  });
}

// "|artifact" for a parameter whose standard value is another word.
std::string otherWords(const search::Parameter &parameter) {
  std::string others;
  for (std::size_t word = 0; word < parameter.words.size(); ++word)
    if (static_cast<double>(word) != parameter.standard)
      others += "|" + std::string(parameter.words[word]);
  return others;
}

// The algorithms with their parameters. A parameter that an earlier algorithm has too is only named
// there.
std::string algorithmsText() {
  std::ostringstream text;
  text << "Algorithms:\n";
  std::set<std::string_view> told;
  for (const search::Algorithm &one : search::algorithms()) {
    text << "  " << one.name << ": " << one.description << "\n";
    if (!one.parameters) continue;
    for (const search::Parameter &parameter : one.parameters->parameters)
      if (told.insert(parameter.name).second)
        text << "      --param " << parameter.name << "="
             << search::valueText(parameter, parameter.standard) << otherWords(parameter) << ": "
             << parameter.description << "\n";
    for (const search::Preset &preset : one.parameters->presets)
      if (told.insert(preset.description).second) // two papers may name a preset alike
        text << "      --param PRESET=" << preset.name << ": " << preset.description << "\n";
    for (const search::ParameterGrid &grid : one.parameters->grids)
      text << "      tune --grid " << grid.name << ": " << grid.description << "\n";
  }
  return text.str();
}

} // namespace

void addAlgorithmOptions(CLI::App &command, const std::string &described, std::string &algorithm,
                         std::string &frozen) {
  std::string names;
  for (const search::Algorithm &one : search::algorithms())
    names += (names.empty() ? "" : "|") + std::string(one.name);
  command.add_option("--algorithm", algorithm, described)->type_name(names)->capture_default_str();
  command
      .add_option("--freeze", frozen,
                  "Start from this schedule, and keep its frozen decisions: a .json file, or any "
                  "schedule that the export command takes")
      ->type_name("S");
  command.get_option("--param")->description(
      "Set a parameter of a generator, or of the algorithm (in upper case, see below); repeatable");
  command.footer(algorithmsText());
}

Result<search::ParameterValues> takeAlgorithmParameters(const std::string &algorithm,
                                                        std::vector<std::string> &parameters) {
  const auto known = search::algorithmNamed(algorithm);
  if (!known) return known.error();
  const auto own = std::stable_partition(parameters.begin(), parameters.end(),
                                         [](const auto &one) { return !isOfAnAlgorithm(one); });
  std::vector<std::pair<std::string, std::string>> given;
  for (auto one = own; one != parameters.end(); ++one) {
    const std::size_t equals = one->find('=');
    if (equals == std::string::npos)
      return Error{ErrorCode::Usage, "'" + *one + "' is not a parameter.",
                   "Write --param NAME=VALUE."};
    given.emplace_back(one->substr(0, equals), one->substr(equals + 1));
  }
  parameters.erase(own, parameters.end());
  return search::parameterValues(search::parametersOf(algorithm), algorithm, given);
}

Error withAlgorithmParameters(Error error, const std::string &algorithm,
                              const std::vector<std::string> &parameters) {
  if (parameters.empty() || error.code != ErrorCode::Usage) return error;
  const std::string names = search::parametersOf(algorithm).namesText();
  error.hint += (error.hint.empty() ? "The algorithm " : " The algorithm ") + algorithm + " has " +
                (names.empty() ? "no parameters." : "the parameters " + names + ".");
  return error;
}

nlohmann::ordered_json parametersJson(const std::string &algorithm,
                                      const search::ParameterValues &values) {
  nlohmann::ordered_json json;
  for (const search::Parameter &parameter : search::parametersOf(algorithm).parameters) {
    const auto value = values.find(parameter.name);
    if (value == values.end()) continue;
    nlohmann::ordered_json &of = json[std::string(parameter.name)];
    if (parameter.words.empty())
      of = value->second;
    else
      of = search::valueText(parameter, value->second);
  }
  return json;
}

} // namespace tessera::app
