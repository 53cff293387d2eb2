// SPDX-License-Identifier: MIT
#include "engine/schedule/words/directive_json.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

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
  ordered_json operator()(const SizeExpression &size) const { return {{"size", textOf(size)}}; }
  ordered_json operator()(const Text &text) const { return {{"text", text.text}}; }
  ordered_json operator()(const Level &level) const {
    ordered_json out{{"func", level.func}, {"stage", level.stage}};
    out.update((*this)(level.loop));
    return out;
  }
};

Error refused(const std::string &path, const std::string &problem) {
  return {ErrorCode::InputRefused, path + ": " + problem, ""};
}

// A member of an object, if it exists and has the wanted type.
template <typename T>
const T *member(const json &object, const char *key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : at->get_ptr<const T *>();
}

// A member that has to be a string.
Result<std::string> wantedText(const json &object, const char *key, const std::string &path) {
  const auto at = object.find(key);
  if (at == object.end()) return refused(path, "'" + std::string(key) + "' is missing");
  const auto *text = at->get_ptr<const std::string *>();
  if (!text || text->empty())
    return refused(path + "." + key, expectedText("a name in quotes", *at));
  return *text;
}

std::optional<std::uint32_t> stageNumber(const json &object) {
  const auto at = object.find("stage");
  if (at == object.end()) return 0;
  if (!at->is_number_unsigned() || at->get<std::uint64_t>() > 1'000'000) return std::nullopt;
  return at->get<std::uint32_t>();
}

// The numbers of variants, such as [0, 1]. problemWith() checks how many there are.
std::optional<VariantPath> variantFrom(const json &object) {
  const auto at = object.find("variant");
  if (at == object.end()) return VariantPath{};
  if (!at->is_array()) return std::nullopt;
  VariantPath variant;
  for (const json &number : *at) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > 1'000'000)
      return std::nullopt;
    variant.push_back(number.get<std::uint32_t>());
  }
  return variant;
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
  if (const auto *size = member<std::string>(value, "size")) {
    auto expression = sizeExpressionFrom(*size);
    return expression ? std::optional<Argument>(std::move(*expression)) : std::nullopt;
  }
  if (const auto *text = member<std::string>(value, "text")) return Text{*text};
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

// What an argument has to be, and how it is written.
struct ExpectedArgument {
  ParameterKind kind;
  std::string_view text;
};
constexpr auto kExpected = std::to_array<ExpectedArgument>({
    {ParameterKind::Loop, R"(a loop, such as {"loop":"x"})"},
    {ParameterKind::PureLoop, R"(a loop, such as {"loop":"x"})"},
    {ParameterKind::ReductionLoop, R"(a loop, such as {"loop":"r$x","reduction":true})"},
    {ParameterKind::LoopPair, R"(a loop, such as {"loop":"x"})"},
    {ParameterKind::Number, "a number"},
    {ParameterKind::Size, R"(a number, or a size such as {"size":"input.extent.0/2*2"})"},
    {ParameterKind::Condition, R"(a condition, such as {"size":"input.extent.0 > 8"})"},
    {ParameterKind::Flag, "0 or 1"},
    {ParameterKind::Tail, R"(a tail, such as {"tail":"guard_with_if"})"},
    {ParameterKind::Storage, R"(a memory, such as {"storage":"shared"})"},
    {ParameterKind::Level, R"(a place, such as {"func":"f","loop":"x"})"},
    {ParameterKind::Func, R"(a func, such as {"func":"f"})"},
    {ParameterKind::Text, R"(a text, such as {"text":"the width is odd"})"},
});

bool isOfKind(const Argument &argument, ParameterKind kind) {
  switch (kind) {
  case ParameterKind::Loop:
  case ParameterKind::PureLoop:
  case ParameterKind::ReductionLoop:
  case ParameterKind::LoopPair:
    return std::holds_alternative<LoopName>(argument);
  case ParameterKind::Number:
  case ParameterKind::Flag:
    return std::holds_alternative<std::int64_t>(argument);
  case ParameterKind::Size:
    return std::holds_alternative<std::int64_t>(argument) ||
           std::holds_alternative<SizeExpression>(argument);
  case ParameterKind::Condition:
    return std::holds_alternative<SizeExpression>(argument);
  case ParameterKind::Tail:
    return std::holds_alternative<Tail>(argument);
  case ParameterKind::Storage:
    return std::holds_alternative<Storage>(argument);
  case ParameterKind::Level:
    return std::holds_alternative<Level>(argument);
  case ParameterKind::Func:
    return std::holds_alternative<FuncName>(argument);
  case ParameterKind::Text:
    return std::holds_alternative<Text>(argument);
  }
  return false;
}

// The arguments of a call. Whether there are enough of them is seen later.
Status readArguments(const json &list, const Signature &call, const std::string &path,
                     std::vector<Argument> &arguments) {
  if (!list.is_array()) return refused(path, expectedText("a list", list));
  for (const json &one : list) {
    const std::size_t i = arguments.size();
    auto argument = argumentFrom(one);
    const bool isTaken = i < call.parameters.size() || call.lastRepeats;
    const ParameterKind kind =
        isTaken ? call.parameters[std::min(i, call.parameters.size() - 1)] : ParameterKind::Loop;
    if (!argument || (isTaken && !isOfKind(*argument, kind))) {
      const auto *expected = std::ranges::find(kExpected, kind, &ExpectedArgument::kind);
      return refused(path + "[" + std::to_string(i) + "]", expectedText(expected->text, one));
    }
    arguments.push_back(std::move(*argument));
  }
  return Done{};
}

Result<Directive> directiveFrom(const json &value, const std::string &path) {
  if (!value.is_object()) return refused(path, expectedText("an object", value));
  const auto func = wantedText(value, "func", path), call = wantedText(value, "call", path);
  if (!func) return func.error();
  if (!call) return call.error();
  const auto stage = stageNumber(value);
  if (!stage) return refused(path + ".stage", expectedText("a stage number", value["stage"]));
  const Signature *known = signatureNamed(*call);
  if (!known) return refused(path + ".call", "'" + *call + "' is not a known call");
  Directive directive{*func, *stage, known->verb, {}, {}};
  auto variant = variantFrom(value);
  if (!variant)
    return refused(path + ".variant", expectedText("a list of numbers", value["variant"]));
  directive.variant = std::move(*variant);
  if (value.contains("makes")) {
    const auto makes = wantedText(value, "makes", path);
    if (!makes) return makes.error();
    directive.makes = *makes;
  }
  if (const auto list = value.find("arguments"); list != value.end())
    if (const Status read = readArguments(*list, *known, path + ".arguments", directive.arguments);
        !read)
      return read.error();
  if (const std::string problem = problemWith(directive); !problem.empty())
    return refused(path, problem);
  return directive;
}

} // namespace

ordered_json toJson(const Directive &directive) {
  ordered_json out{{"func", directive.func}};
  if (directive.stage != 0) out["stage"] = directive.stage;
  if (!directive.variant.empty()) out["variant"] = directive.variant;
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
  if (!document.is_array()) return refused("directives", expectedText("a list", document));
  std::vector<Directive> directives;
  for (const json &value : document) {
    auto directive = directiveFrom(value, "directives[" + std::to_string(directives.size()) + "]");
    if (!directive) return directive.error();
    directives.push_back(std::move(*directive));
  }
  return directives;
}

} // namespace tessera::schedule
