// SPDX-License-Identifier: MIT
#include "engine/base/json_text.h"

#include "engine/base/escape.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace tessera {

namespace {

using nlohmann::json;

constexpr std::size_t kShown = 40; // bytes of a value in a message
constexpr std::size_t kNowhere = std::string_view::npos;

TextPlace textPlaceOf(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t newline = before.rfind('\n');
  return {1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          newline == std::string_view::npos ? at + 1 : at - newline};
}

// Goes through a JSON text that has been parsed before.
class JsonWalk {
public:
  explicit JsonWalk(std::string_view text) : m_text(text) {}

  // The place of the value that `path` leads to, or of the last one that exists on the way.
  std::size_t find(std::string_view path) {
    skipSpace();
    std::size_t place = m_at;
    while (!path.empty()) {
      const bool isIndex = path.front() == '[';
      if (path.front() == '.') path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(isIndex ? "]" : ".["), path.size());
      const std::string_view step = isIndex ? path.substr(1, end - 1) : path.substr(0, end);
      if (isIndex ? !enterItem(step) : !enterMember(step)) break;
      path.remove_prefix(std::min(isIndex ? end + 1 : end, path.size()));
      place = m_at;
    }
    return place;
  }

private:
  char here() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
  void skipSpace() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }
  bool accept(char c) {
    skipSpace();
    if (here() != c) return false;
    ++m_at;
    skipSpace();
    return true;
  }

  void skipString() {
    for (++m_at; m_at < m_text.size() && here() != '"'; ++m_at)
      if (here() == '\\') ++m_at;
    ++m_at;
  }

  // Skips a value: everything up to the comma or bracket behind it.
  void skipValue() {
    for (int depth = 0; m_at < m_text.size();) {
      const char c = here();
      const bool closes = c == '}' || c == ']';
      if (depth == 0 && (closes || c == ',')) return;
      if (c == '"') {
        skipString();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (closes) --depth;
      ++m_at;
    }
  }

  bool enterItem(std::string_view step) {
    std::size_t index = 0;
    std::from_chars(step.data(), step.data() + step.size(), index);
    if (!accept('[') || here() == ']') return false;
    for (; index > 0; --index) {
      skipValue();
      if (!accept(',')) return false;
    }
    return true;
  }

  // Of several members of one name, the last one counts, as for the parser.
  bool enterMember(std::string_view step) {
    if (!accept('{')) return false;
    std::size_t found = kNowhere;
    while (here() == '"') {
      const std::size_t first = m_at;
      skipString();
      const auto key = json::parse(m_text.substr(first, m_at - first), nullptr, false);
      if (!accept(':')) return false;
      if (key.is_string() && key.get<std::string>() == step) found = m_at;
      skipValue();
      accept(',');
    }
    if (found == kNowhere) return false;
    m_at = found;
    return true;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
};

std::string placeText(TextPlace place) {
  return std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
}

} // namespace

Result<json> parsedJson(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error &error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while …"
    const std::string_view what = error.what();
    constexpr std::string_view kColumn = "column ";
    const std::size_t column = what.find(kColumn);
    const std::size_t reason = column == kNowhere ? kNowhere : what.find(": ", column);
    const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    return Error{ErrorCode::InputRefused,
                 placeText(textPlaceOf(text, at)) + "it is not JSON: " +
                     printable(reason == kNowhere ? what : what.substr(reason + 2)),
                 ""};
  }
}

std::optional<TextPlace> placeInJson(std::string_view text, std::string_view path) {
  if (!json::accept(text)) return std::nullopt;
  return textPlaceOf(text, JsonWalk(text).find(path));
}

Error withPlaceIn(std::string_view text, Error error) {
  const std::string_view message = error.message;
  const std::size_t end = std::min(message.find_first_of(":, "), message.size());
  if (end == message.size()) return error;
  if (const auto place = placeInJson(text, message.substr(0, end)))
    error.message = placeText(*place) + error.message;
  return error;
}

std::string expectedText(std::string_view expected, const json &found) {
  std::string text = found.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kShown) text = text.substr(0, kShown) + "…";
  return "expected " + std::string(expected) + ", found " + text;
}

} // namespace tessera
