// SPDX-License-Identifier: MIT
#include "engine/document/sections.h"

#include "engine/base/sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>

namespace tessera::document {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kMark = "{\"section\":";
constexpr std::size_t kLongestHead = 4096;

std::string hashOf(std::string_view text) { return sha256Hex(std::as_bytes(std::span(text))); }

std::string lineOf(const ordered_json &value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string word(const json &object, const char *key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

struct Head {
  std::string name, sha256;
  std::size_t bytes = 0;
};

std::optional<Head> headFrom(std::string_view line) {
  if (line.size() > kLongestHead) return std::nullopt;
  const json head = json::parse(line, nullptr, false);
  if (!head.is_object()) return std::nullopt;
  const auto bytes = head.find("bytes");
  Head found{word(head, "section"), word(head, "sha256"), 0};
  if (found.name.empty() || bytes == head.end() || !bytes->is_number_unsigned())
    return std::nullopt;
  found.bytes = bytes->get<std::size_t>();
  return found;
}

// The position of the next line that begins a section; npos if there is none.
std::size_t nextMark(std::string_view bytes, std::size_t from) {
  for (std::size_t at = from;; ++at) {
    at = bytes.find(kMark, at);
    if (at == std::string_view::npos || at == 0 || bytes[at - 1] == '\n') return at;
  }
}

// The section names listed in the first line; none if that line is damaged.
Result<std::vector<std::string>> expected(std::string_view kind, int newest, std::string_view line,
                                          bool &damaged) {
  const json first = json::parse(line, nullptr, false);
  damaged = !first.is_object() || word(first, "tessera") != kind;
  if (damaged) return std::vector<std::string>{};
  const auto version = first.find("version");
  if (version != first.end() && version->is_number_integer() &&
      version->get<std::int64_t>() > newest)
    return Error{ErrorCode::InputRefused,
                 "it was written by a later version of Tessera (its format is " + version->dump() +
                     "; this program reads up to " + std::to_string(newest) + ").",
                 "Open it with that version."};
  std::vector<std::string> names;
  const auto list = first.find("sections");
  damaged = list == first.end() || !list->is_array();
  if (!damaged)
    for (const json &one : *list)
      if (one.is_string()) names.push_back(one.get<std::string>());
  return names;
}

} // namespace

std::string sectionsText(std::string_view kind, int version, std::span<const Section> sections) {
  ordered_json names = ordered_json::array();
  for (const Section &section : sections)
    names.push_back(section.name);
  std::string text = lineOf({{"tessera", kind}, {"version", version}, {"sections", names}});
  for (const Section &section : sections) {
    assert(section.text.find('\n') == std::string::npos);
    text += lineOf({{"section", section.name},
                    {"bytes", section.text.size()},
                    {"sha256", hashOf(section.text)}});
    text += section.text + "\n";
  }
  return text;
}

Result<ReadSections> readSections(std::string_view kind, int newest, std::string_view bytes) {
  bool isFirstDamaged = false;
  const auto names = expected(kind, newest, bytes.substr(0, bytes.find('\n')), isFirstDamaged);
  if (!names) return names.error();
  ReadSections read;
  std::set<std::string> seen;
  for (std::size_t at = nextMark(bytes, 0); at != std::string_view::npos;) {
    const std::size_t end = bytes.find('\n', at);
    const auto head = headFrom(bytes.substr(at, end - at));
    const std::size_t begin = end == std::string_view::npos ? bytes.size() : end + 1;
    if (!head) {
      at = nextMark(bytes, begin);
      continue;
    }
    const std::string_view text = bytes.substr(begin, head->bytes);
    const bool isWhole = text.size() == head->bytes && hashOf(text) == head->sha256;
    if (isWhole && seen.insert(head->name).second)
      read.sections.push_back({head->name, std::string(text)});
    at = nextMark(bytes, isWhole ? begin + head->bytes : begin);
  }
  if (isFirstDamaged && read.sections.empty())
    return Error{ErrorCode::InputRefused,
                 "it is not a Tessera " + std::string(kind) + ", or all of it is damaged.", ""};
  if (isFirstDamaged) read.damaged.emplace_back("the list of sections");
  for (const std::string &name : *names)
    if (!seen.contains(name)) read.damaged.push_back(name);
  return read;
}

} // namespace tessera::document
