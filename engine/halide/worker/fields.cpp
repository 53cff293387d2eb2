// SPDX-License-Identifier: MIT
#include "engine/halide/worker/fields.h"

#include "engine/schedule/words/directive_json.h"

namespace tessera::halide {

namespace {

using nlohmann::json;

std::optional<CompileTarget> targetFrom(const std::string &word) {
  if (word == "cuda") return CompileTarget::Cuda;
  if (word == "opencl") return CompileTarget::OpenCl;
  if (word == "host") return CompileTarget::Host;
  return std::nullopt;
}

} // namespace

void Fields::text(const char *key, std::string &target) {
  const json *value = find(key);
  if (!value) return;
  if (!value->is_string()) return fail(key, "a string");
  target = value->get<std::string>();
}

void Fields::number(const char *key, int &target, int least, int most) {
  const json *value = find(key);
  if (!value) return;
  const bool whole = value->is_number_integer() &&
                     (!value->is_number_unsigned() || value->get<std::uint64_t>() < INT32_MAX);
  if (whole && value->get<std::int64_t>() >= least && value->get<std::int64_t>() <= most)
    target = value->get<int>();
  else
    fail(key, "a number from " + std::to_string(least) + " to " + std::to_string(most));
}

void Fields::words(const char *key, const std::vector<std::pair<const char *, bool *>> &known) {
  const json *value = find(key);
  if (!value) return;
  if (!value->is_array()) return fail(key, "a list");
  for (const json &word : *value) {
    bool hit = false;
    for (const auto &[name, target] : known)
      if (word.is_string() && word.get<std::string>() == name) {
        hit = true;
        if (target) *target = true;
      }
    if (!hit) fail(key, "a list of available items: " + word.dump());
  }
}

void Fields::texts(const char *key, std::vector<std::pair<std::string, std::string>> &target) {
  const json *value = find(key);
  if (!value) return;
  if (!value->is_object()) return fail(key, "an object");
  for (const auto &[name, text] : value->items()) {
    if (!text.is_string()) return fail(key, "an object of strings");
    target.emplace_back(name, text.get<std::string>());
  }
}

void Fields::flag(const char *key, bool &target) {
  const json *value = find(key);
  if (!value) return;
  if (!value->is_boolean()) return fail(key, "true or false");
  target = value->get<bool>();
}

void Fields::target(CompileTarget &result, const std::string &usual) {
  std::string word = usual;
  text("target", word);
  const auto known = targetFrom(word);
  if (known) result = *known;
  if (!known) fail("target", "\"cuda\", \"opencl\" or \"host\"");
}

void Fields::inputs(std::vector<InputFile> &target) {
  const json *value = find("inputs");
  if (!value) return;
  if (!value->is_array()) return fail("inputs", "a list");
  for (const json &item : *value) {
    const auto text = [&](const char *key) {
      const bool there = item.is_object() && item.contains(key) && item[key].is_string();
      return there ? item[key].get<std::string>() : std::string();
    };
    target.push_back({text("name"), text("file")});
    if (target.back().input.empty() || target.back().file.empty())
      return fail("inputs", "a list of {name, file}");
  }
}

Status Fields::directives(std::vector<schedule::Directive> &target) const {
  const json *value = find("directives");
  if (!value) return Done{};
  auto list = schedule::directivesFromJson(*value);
  if (!list) return list.error();
  target = std::move(*list);
  return Done{};
}

const json *Fields::find(const char *key) const {
  const auto at = m_fields.find(key);
  return at == m_fields.end() || at->is_null() ? nullptr : &*at;
}

void Fields::fail(const char *key, const std::string &wanted) {
  if (error) return;
  const std::string text = std::string("\"").append(key) + "\" is not " + wanted;
  error = Error{ErrorCode::Usage, "request to tessera-halide: " + text, ""};
}

} // namespace tessera::halide
