// SPDX-License-Identifier: MIT
#include "engine/record/word.h"

#include <algorithm>

namespace tessera::record {
namespace {

constexpr std::size_t kLongestVersion = 60;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Accepts digits and dots. After them a commit in brackets may follow: hexadecimal digits, with or
// without "-dirty". The name of a func cannot look like that.
bool looksLikeVersion(std::string_view text) {
  if (text.size() > kLongestVersion) return false;
  const std::size_t number = std::min(text.find_first_not_of("0123456789."), text.size());
  if (number < 3 || !isDigit(text.front()) || text.find('.') >= number) return false;
  const std::string_view rest = text.substr(number);
  if (rest.empty()) return true;
  if (!rest.starts_with(" (") || !rest.ends_with(')')) return false;
  std::string_view commit = rest.substr(2, rest.size() - 3);
  if (commit.ends_with("-dirty")) commit.remove_suffix(6);
  return !commit.empty() && commit.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

Word oneOf(std::string_view text, std::span<const Word> known) {
  const auto found =
      std::ranges::find_if(known, [&](const Word &word) { return word.text() == text; });
  return found == known.end() ? Word("other") : *found;
}

Version::Version(std::string_view text) : m_text(looksLikeVersion(text) ? text : "unknown") {}

} // namespace tessera::record
