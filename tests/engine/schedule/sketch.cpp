// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/sketch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace tessera::schedule {

namespace {

[[noreturn]] void refuse(const std::string &line, const std::string &problem) {
  std::fprintf(stderr, "sketch: %s in '%s'\n", problem.c_str(), line.c_str());
  std::abort();
}

LoopName loopFrom(const std::string &word) {
  return word.starts_with('~') ? LoopName{word.substr(1), true} : LoopName{word, false};
}

// Splits "f.2" into the func f and its stage 2. A plain name means stage 0.
std::pair<std::string, std::uint32_t> stageFrom(const std::string &word) {
  const std::size_t dot = word.rfind('.');
  if (dot == std::string::npos) return {word, 0};
  return {word.substr(0, dot), static_cast<std::uint32_t>(std::stoul(word.substr(dot + 1)))};
}

Argument argumentFrom(const std::string &word, ParameterKind kind) {
  switch (kind) {
  case ParameterKind::Number:
  case ParameterKind::Flag:
    return static_cast<std::int64_t>(std::stoll(word));
  case ParameterKind::Size:
  case ParameterKind::Condition: {
    const SizeExpression size = sizeExpressionFrom(word).value();
    if (size.op == SizeExpression::Op::Number) return size.number;
    return size;
  }
  case ParameterKind::Tail:
    return tailFromName(word).value();
  case ParameterKind::Storage:
    return storageFromName(word).value();
  case ParameterKind::Func:
    return FuncName{word};
  case ParameterKind::Text:
    return Text{word};
  case ParameterKind::Level: {
    const std::size_t colon = word.rfind(':');
    const auto [func, stage] = stageFrom(word.substr(0, colon));
    return Level{func, stage, loopFrom(word.substr(colon + 1))};
  }
  default:
    return loopFrom(word);
  }
}

// Splits "f.2@0.1" into "f.2" and the variant 0.1.
std::pair<std::string, VariantPath> variantFrom(const std::string &word) {
  const std::size_t mark = word.find('@');
  if (mark == std::string::npos) return {word, {}};
  VariantPath variant;
  std::istringstream numbers(word.substr(mark + 1));
  for (std::string number; std::getline(numbers, number, '.');)
    variant.push_back(static_cast<std::uint32_t>(std::stoul(number)));
  return {word.substr(0, mark), variant};
}

Directive directiveFrom(const std::string &func, std::uint32_t stage, const VariantPath &variant,
                        const std::string &call, const std::string &line) {
  std::istringstream words(call);
  std::string word;
  words >> word;
  const Signature *known = signatureNamed(word);
  if (!known) refuse(line, "no call '" + word + "'");
  Directive directive{func, stage, known->verb, {}, {}, variant};
  while (words >> word) {
    if (word == "->") {
      words >> directive.makes;
      break;
    }
    if (known->parameters.empty()) refuse(line, "no argument '" + word + "'");
    const std::size_t place = std::min(directive.arguments.size(), known->parameters.size() - 1);
    directive.arguments.push_back(argumentFrom(word, known->parameters.at(place)));
  }
  if (const std::string problem = problemWith(directive); !problem.empty()) refuse(line, problem);
  return directive;
}

struct WordOf {
  std::string operator()(const LoopName &loop) const {
    return (loop.reduction ? "~" : "") + loop.name;
  }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(Tail tail) const { return std::string(name(tail)); }
  std::string operator()(Storage storage) const { return std::string(name(storage)); }
  std::string operator()(const Level &level) const {
    return stageWord(level.func, level.stage) + ":" + (*this)(level.loop);
  }
  std::string operator()(const FuncName &func) const { return func.name; }
  std::string operator()(const SizeExpression &size) const {
    std::string text = textOf(size);
    std::erase(text, ' ');
    return text;
  }

  std::string operator()(const Text &text) const { return text.text; }

  static std::string stageWord(const std::string &func, std::uint32_t stage,
                               const VariantPath &variant = {}) {
    std::string word = func + (stage == 0 ? "" : "." + std::to_string(stage));
    for (std::size_t i = 0; i < variant.size(); ++i)
      word += (i == 0 ? "@" : ".") + std::to_string(variant[i]);
    return word;
  }
};

} // namespace

std::string sketchText(std::span<const Directive> directives) {
  std::string text, line;
  for (const Directive &directive : directives) {
    const std::string stage = WordOf::stageWord(directive.func, directive.stage, directive.variant);
    if (stage != line)
      text += (line.empty() ? "" : "\n") + stage + " ";
    else
      text += " | ";
    line = stage;
    text += signature(directive.verb).name;
    for (const Argument &argument : directive.arguments)
      text += " " + std::visit(WordOf{}, argument);
    if (!directive.makes.empty()) text += " -> " + directive.makes;
  }
  return text;
}

std::vector<Directive> sketch(std::string_view text) {
  std::vector<Directive> directives;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, rest;
    if (!(words >> first)) continue;
    const auto [of, variant] = variantFrom(first);
    const auto [func, stage] = stageFrom(of);
    for (std::string call; std::getline(words, call, '|');)
      directives.push_back(directiveFrom(func, stage, variant, call, line));
  }
  return directives;
}

} // namespace tessera::schedule
