// SPDX-License-Identifier: MIT
#include "engine/open/unset_arguments.h"

#include "engine/base/asked.h"
#include "engine/job/json_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace tessera::open {
namespace {

using nlohmann::json;

constexpr std::string_view kMarker = "tessera-arguments: ";
// What generators are written for most often comes first.
constexpr std::array kTypes{"uint8", "float32", "int32", "uint16", "int16", "int8"};
constexpr std::array kDimensions{"2", "3", "1", "4"};
constexpr const char *kSize = "2";

// Arguments that are set in a trial.
enum class Which { Inputs, All };

bool isGiven(const Parameters &given, const std::string &name) {
  return std::ranges::any_of(given, [&](const auto &one) { return one.first == name; });
}

// The parameters of a trial, with one type and one number of dimensions for all arguments.
Parameters settingAll(const std::vector<UnsetArgument> &unset, const Parameters &given, Which which,
                      const char *type, const char *dimensions) {
  Parameters all;
  for (const UnsetArgument &argument : unset) {
    if (argument.isOutput && which == Which::Inputs) continue;
    const auto set = [&](bool isOpen, const char *what, const char *value) {
      const std::string name = argument.name + what;
      if (isOpen && !isGiven(given, name)) all.emplace_back(name, value);
    };
    set(argument.type, ".type", type);
    set(argument.dimensions, ".dim", dimensions);
    set(argument.size, ".size", kSize);
  }
  return all;
}

// All trials, each once: usually, setting the inputs is enough.
std::vector<Parameters> trialsFor(const std::vector<UnsetArgument> &unset,
                                  const Parameters &given) {
  std::vector<Parameters> trials;
  for (const char *dimensions : kDimensions)
    for (const char *type : kTypes)
      for (const Which which : {Which::Inputs, Which::All}) {
        Parameters trial = settingAll(unset, given, which, type, dimensions);
        const bool isNew = std::ranges::find(trials, trial) == trials.end();
        if (isNew && !trial.empty()) trials.push_back(std::move(trial));
      }
  return trials;
}

} // namespace

bool saysUnset(std::string_view message) {
  const auto has = [&](std::string_view part) { return message.find(part) != std::string::npos; };
  return has("Type is not defined for") || has("Dimensions are not defined for") ||
         has("ArraySize is unspecified for") || has("has no type requirements") ||
         has("has no dimension requirements");
}

std::vector<UnsetArgument> unsetArguments(std::string_view printed, const std::string &generator) {
  std::vector<UnsetArgument> unset;
  const std::size_t at = printed.find(kMarker);
  if (at == std::string_view::npos) return unset;
  printed.remove_prefix(at + kMarker.size());
  const json all = json::parse(printed.substr(0, printed.find('\n')), nullptr, false);
  const auto found = all.find(generator);
  if (found == all.end() || !found->is_array()) return unset;
  for (const json &argument : *found) {
    const auto flag = [&](const char *key) {
      return argument.contains(key) && argument[key].is_boolean() && argument[key].get<bool>();
    };
    if (std::string name = job::textAt(argument, "name"); !name.empty())
      unset.push_back({std::move(name), flag("output"), flag("type"), flag("dim"), flag("size")});
  }
  return unset;
}

std::vector<Asked> parametersFor(const std::vector<UnsetArgument> &unset, const Parameters &given,
                                 const std::function<bool(const Parameters &)> &runsWith) {
  const std::vector<Parameters> trials = trialsFor(unset, given);
  auto chosen = std::ranges::find_if(trials, runsWith);
  if (chosen == trials.end()) chosen = trials.begin(); // usual values
  std::vector<Asked> asked;
  if (chosen != trials.end())
    for (const auto &[name, value] : *chosen)
      ask(asked, {"param", name + "=" + value});
  return asked;
}

std::string namesOf(const std::vector<UnsetArgument> &unset, const std::vector<Asked> &asked) {
  const auto isAsked = [&](const std::string &name) {
    return std::ranges::any_of(asked,
                               [&](const Asked &one) { return one.value.starts_with(name + "="); });
  };
  std::string all;
  for (const UnsetArgument &argument : unset) {
    std::string parts;
    for (const auto &[parameter, words] :
         {std::pair{".type", "the type"}, std::pair{".dim", "the dimensions"},
          std::pair{".size", "the size"}})
      if (isAsked(argument.name + parameter))
        parts.append(parts.empty() ? "" : " and ").append(words);
    if (parts.empty()) continue;
    all += (all.empty() ? "" : "; ") + parts +
           (argument.isOutput ? " of output '" : " of input '") + argument.name + "'";
  }
  return all;
}

} // namespace tessera::open
