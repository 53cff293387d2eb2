// SPDX-License-Identifier: MIT
#include "engine/pipeline/excerpt.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <span>

namespace tessera::pipeline {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const StoredFunc &stored) {
  Json box = Json::array();
  for (const Interval &side : stored.box)
    box.push_back({side.min, side.max});
  return {{"func", stored.name}, {"box", box}, {"layout", stored.layout}};
}

// Throws what the library throws for a missing member and for one of another type.
StoredFunc storedFrom(const nlohmann::json &document) {
  StoredFunc stored;
  document.at("func").get_to(stored.name);
  for (const nlohmann::json &side : document.at("box"))
    stored.box.push_back({side.at(0).get<std::int64_t>(), side.at(1).get<std::int64_t>()});
  document.at("layout").get_to(stored.layout);
  return stored;
}

std::string problemWith(const StoredFunc &stored) {
  constexpr std::int64_t kMost = 2147483647;
  for (const Interval &side : stored.box)
    if (side.empty() || side.min < -kMost || side.max > kMost)
      return "\"" + stored.name + "\" has no box of 32-bit positions";
  const std::set<std::uint16_t> dims(stored.layout.begin(), stored.layout.end());
  const bool isOrder = stored.layout.empty() ||
                       (stored.layout.size() == stored.box.size() &&
                        dims.size() == stored.box.size() && *dims.rbegin() < stored.box.size());
  return isOrder ? "" : "the layout of \"" + stored.name + "\" is no order of its dimensions";
}

} // namespace

std::string keptInputName(const std::string &func, std::size_t element) {
  return func + "$kept" + std::to_string(element);
}

Json toJson(const Excerpt &excerpt) {
  Json inputs = Json::array();
  for (const StoredFunc &input : excerpt.inputs)
    inputs.push_back(toJson(input));
  return {{"output", toJson(excerpt.output)}, {"inputs", inputs}};
}

Result<Excerpt> excerptFromJson(const nlohmann::json &document) {
  Excerpt excerpt;
  const auto refused = [](const std::string &why) {
    return Error{ErrorCode::Usage, "an excerpt of a pipeline: " + why, ""};
  };
  try {
    excerpt.output = storedFrom(document.at("output"));
    for (const nlohmann::json &input : document.at("inputs"))
      excerpt.inputs.push_back(storedFrom(input));
  } catch (const nlohmann::json::exception &e) {
    return refused(e.what());
  }
  if (const std::string problem = problemWith(excerpt.output); !problem.empty())
    return refused(problem);
  for (const StoredFunc &input : excerpt.inputs)
    if (const std::string problem = problemWith(input); !problem.empty()) return refused(problem);
  return excerpt;
}

} // namespace tessera::pipeline
