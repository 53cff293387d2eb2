// SPDX-License-Identifier: MIT
#include "engine/schedule/words/directive_json.h"

#include <nlohmann/json.hpp>

namespace tessera::schedule {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct ArgumentWriter {
  ordered_json operator()(const LoopName &loop) const {
    ordered_json out{{"loop", loop.name}};
    if (loop.reduction) out["reduction"] = true;
    return out;
  }
  ordered_json operator()(std::int64_t number) const { return number; }
  ordered_json operator()(Tail tail) const { return {{"tail", name(tail)}}; }
  ordered_json operator()(Storage storage) const { return {{"storage", name(storage)}}; }
  ordered_json operator()(const FuncName &func) const { return {{"func", func.name}}; }
  ordered_json operator()(const Level &level) const {
    ordered_json out{{"func", level.func}, {"stage", level.stage}};
    out.update((*this)(level.loop));
    return out;
  }
};

Error refused(std::size_t place, const std::string &problem) {
  return {ErrorCode::InputRefused, "directive " + std::to_string(place + 1) + ": " + problem, ""};
}

// A member of an object, if it exists and has the wanted type.
template <typename T>
const T *member(const json &object, const char *key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : at->get_ptr<const T *>();
}

std::optional<std::uint32_t> stageNumber(const json &object) {
  const auto at = object.find("stage");
  if (at == object.end()) return 0;
  if (!at->is_number_unsigned() || at->get<std::uint64_t>() > 1'000'000) return std::nullopt;
  return at->get<std::uint32_t>();
}

std::optional<LoopName> loopFrom(const json &object) {
  const auto *loop = member<std::string>(object, "loop");
  if (!loop) return std::nullopt;
  const auto *reduction = member<bool>(object, "reduction");
  return LoopName{*loop, reduction && *reduction};
}

template <typename Word>
std::optional<Argument> asArgument(std::optional<Word> word) {
  if (!word) return std::nullopt;
  return *word;
}

std::optional<Argument> argumentFrom(const json &value) {
  if (value.is_number_integer()) {
    const bool tooLarge =
        value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    if (tooLarge) return std::nullopt;
    return value.get<std::int64_t>();
  }
  if (!value.is_object()) return std::nullopt;
  if (const auto *tail = member<std::string>(value, "tail")) return asArgument(tailFromName(*tail));
  if (const auto *storage = member<std::string>(value, "storage"))
    return asArgument(storageFromName(*storage));
  const auto loop = loopFrom(value);
  const auto *func = member<std::string>(value, "func");
  if (func && loop) {
    const auto stage = stageNumber(value);
    if (!stage) return std::nullopt;
    return Level{*func, *stage, *loop};
  }
  if (func) return FuncName{*func};
  if (loop) return *loop;
  return std::nullopt;
}

Result<Directive> directiveFrom(const json &value, std::size_t place) {
  if (!value.is_object()) return refused(place, "it is not an object");
  const auto *func = member<std::string>(value, "func");
  const auto *call = member<std::string>(value, "call");
  const auto stage = stageNumber(value);
  if (!func || func->empty()) return refused(place, "'func' is missing");
  if (!call) return refused(place, "'call' is missing");
  if (!stage) return refused(place, "'stage' is not a stage number");
  const Signature *known = signatureNamed(*call);
  if (!known) return refused(place, "'" + *call + "' is not a known call");
  Directive directive{*func, *stage, known->verb, {}, {}};
  if (const auto *makes = member<std::string>(value, "makes")) directive.makes = *makes;
  if (const auto *arguments = member<json::array_t>(value, "arguments"))
    for (const json &one : *arguments) {
      auto argument = argumentFrom(one);
      if (!argument) return refused(place, "an argument of " + *call + " cannot be read");
      directive.arguments.push_back(std::move(*argument));
    }
  if (const std::string problem = problemWith(directive); !problem.empty())
    return refused(place, problem);
  return directive;
}

} // namespace

ordered_json toJson(const Directive &directive) {
  ordered_json out{{"func", directive.func}};
  if (directive.stage != 0) out["stage"] = directive.stage;
  out["call"] = signature(directive.verb).name;
  ordered_json arguments = ordered_json::array();
  for (const Argument &argument : directive.arguments)
    arguments.push_back(std::visit(ArgumentWriter{}, argument));
  if (!arguments.empty()) out["arguments"] = std::move(arguments);
  if (!directive.makes.empty()) out["makes"] = directive.makes;
  return out;
}

ordered_json toJson(std::span<const Directive> directives) {
  ordered_json out = ordered_json::array();
  for (const Directive &directive : directives)
    out.push_back(toJson(directive));
  return out;
}

Result<std::vector<Directive>> directivesFromJson(const json &document) {
  if (!document.is_array()) return Error{ErrorCode::InputRefused, "directives must be a list", ""};
  std::vector<Directive> directives;
  for (const json &value : document) {
    auto directive = directiveFrom(value, directives.size());
    if (!directive) return directive.error();
    directives.push_back(std::move(*directive));
  }
  return directives;
}

} // namespace tessera::schedule
