// SPDX-License-Identifier: MIT
#include "engine/schedule/text/cpp_comment.h"

#include "engine/schedule/text/call_text.h"
#include "engine/schedule/text/cpp_lexer.h"
#include "engine/schedule/text/cpp_text.h"

namespace tessera::schedule {

namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

// The text between `before` and `after`; none if `text` lacks one of them.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  if (text.size() < before.size() + after.size()) return std::nullopt;
  if (!text.starts_with(before) || !text.ends_with(after)) return std::nullopt;
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

} // namespace

std::string nameIn(std::string_view comment) {
  const auto name = between(trimmed(comment), std::string(kNamedMark) + '"', "\"");
  return name ? stringValue("\"" + std::string(*name) + "\"") : std::string();
}

std::optional<std::uint32_t> stageIn(std::string_view comment) {
  constexpr std::size_t kMostDigits = 6;
  const auto digits = between(trimmed(comment), std::string(kStageMark) + "update(", ")");
  if (!digits || digits->size() > kMostDigits) return std::nullopt;
  if (digits->empty()) return 1;
  const auto number = integerValue(*digits);
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number) + 1;
}

} // namespace tessera::schedule
