// SPDX-License-Identifier: MIT
#include "engine/halide/worker/request.h"

#include "engine/report/promise.h"

#include <nlohmann/json.hpp>

namespace tessera::halide {

namespace {

using nlohmann::json;

Error badRequest(const std::string &what) {
  return Error{ErrorCode::Usage, "request to tessera-halide: " + what, ""};
}

std::optional<std::int64_t> integer(const json &value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX / 4) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number > INT64_MAX / 4 || number < INT64_MIN / 4 ? std::nullopt
                                                          : std::optional<std::int64_t>(number);
}

std::optional<std::int64_t> integerAt(const json &object, const char *key) {
  const auto at = object.find(key);
  return at == object.end() ? std::nullopt : integer(*at);
}

Result<EstimateOverride> overrideFrom(const json &item) {
  if (!item.is_object() || !item.contains("name") || !item["name"].is_string())
    return badRequest("an estimate without a name");
  EstimateOverride result;
  result.name = item["name"].get<std::string>();
  if (const auto value = item.find("value"); value != item.end()) {
    if (!value->is_string())
      return badRequest("the value of estimate \"" + result.name + "\" is not a string");
    result.value = value->get<std::string>();
    return result;
  }
  const auto dims = item.find("dims");
  if (dims == item.end() || !dims->is_array())
    return badRequest("estimate \"" + result.name + "\" has neither value nor dims");
  for (const json &dim : *dims) {
    const auto min = dim.is_object() ? integerAt(dim, "min") : std::nullopt;
    const auto extent = dim.is_object() ? integerAt(dim, "extent") : std::nullopt;
    if (!min || !extent)
      return badRequest("a dimension of estimate \"" + result.name + "\" is not {min, extent}");
    result.dims.push_back({*min, *min + *extent - 1});
  }
  return result;
}

Result<std::string> text(const json &fields, const char *key) {
  const auto at = fields.find(key);
  if (at == fields.end() || at->is_null()) return std::string();
  if (!at->is_string()) return badRequest(std::string("\"") + key + "\" is not a string");
  return at->get<std::string>();
}

std::optional<std::size_t> stageFrom(const json &value, const Graph &graph) {
  std::size_t index = 0;
  const auto wanted = integer(value);
  for (const FuncSource &func : graph.funcs)
    for (const StageSource &stage : func.stages) {
      const bool hit =
          wanted ? static_cast<std::size_t>(*wanted) == index
                 : value.is_string() && value.get<std::string>() == graph.stageName(stage);
      if (hit) return index;
      ++index;
    }
  return std::nullopt;
}

} // namespace

Status readPromises(const json &fields, const char *key, std::vector<report::Promise> &promises) {
  const auto list = fields.find(key);
  if (list == fields.end() || list->is_null()) return Done{};
  if (!list->is_array()) return badRequest("\"" + std::string(key) + "\" is not a list");
  for (const json &item : *list) {
    if (!item.is_string()) return badRequest("a promise is not a string");
    auto promise = report::promiseFromText(item.get<std::string>());
    if (!promise) return promise.error();
    promises.push_back(std::move(*promise));
  }
  return Done{};
}

Result<ImportOptions> importOptionsFrom(const json &fields) {
  if (!fields.is_object()) return badRequest("not an object");
  ImportOptions options;
  for (const auto &[key, target] :
       {std::pair{"path", &options.path}, {"name", &options.name}, {"sidecar", &options.sidecar}}) {
    auto value = text(fields, key);
    if (!value) return value.error();
    *target = std::move(*value);
  }
  if (options.path.empty()) return badRequest("\"path\" is missing");
  if (fields.contains("definitionLimit")) {
    const auto limit = integerAt(fields, "definitionLimit");
    if (!limit || *limit < 0) return badRequest("\"definitionLimit\" is not a number of bytes");
    options.definitionLimit = static_cast<std::size_t>(*limit);
  }
  if (auto status = readPromises(fields, "promises", options.promises); !status)
    return status.error();
  const auto estimates = fields.find("estimates");
  if (estimates == fields.end() || estimates->is_null()) return options;
  if (!estimates->is_array()) return badRequest("\"estimates\" is not a list");
  for (const json &item : *estimates) {
    auto estimate = overrideFrom(item);
    if (!estimate) return estimate.error();
    options.estimates.push_back(std::move(*estimate));
  }
  return options;
}

Result<std::vector<TileQuery>> tilesFrom(const json &fields, const Graph &graph) {
  const auto tiles = fields.find("tiles");
  if (tiles == fields.end() || !tiles->is_array()) return badRequest("\"tiles\" is not a list");
  std::vector<TileQuery> result;
  for (const json &item : *tiles) {
    const bool shaped = item.is_object() && item.contains("stage") && item.contains("loops") &&
                        item["loops"].is_array();
    if (!shaped) return badRequest("a tile is not {stage, loops}");
    const auto stage = stageFrom(item["stage"], graph);
    if (!stage) return badRequest("no stage " + item["stage"].dump());
    TileQuery query{*stage, {}};
    for (const json &loop : item["loops"]) {
      const bool pair = loop.is_array() && loop.size() == 2;
      const auto min = pair ? integer(loop[0]) : std::nullopt;
      const auto max = pair ? integer(loop[1]) : std::nullopt;
      if (!min || !max || *min > *max) return badRequest("a loop of a tile is not [min, max]");
      query.loops.push_back({*min, *max});
    }
    result.push_back(std::move(query));
  }
  return result;
}

} // namespace tessera::halide
