// SPDX-License-Identifier: MIT
#include "engine/open/build_options.h"

#include "engine/host/files.h"
#include "engine/job/json_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>

namespace tessera::open {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kFoldersUp = 8;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr const char *kName = "compile_commands.json";

std::vector<std::string> argumentsOf(const json &entry) {
  std::vector<std::string> words;
  const auto list = entry.find("arguments");
  if (list == entry.end() || !list->is_array()) return wordsOf(job::textAt(entry, "command"));
  for (const json &word : *list)
    if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

// The value of an option at `at`: behind the option in the same word, or the next word.
std::optional<std::string> valueOf(std::string_view option, const std::vector<std::string> &words,
                                   std::size_t at) {
  if (!words[at].starts_with(option)) return std::nullopt;
  if (words[at].size() > option.size()) return words[at].substr(option.size());
  return at + 1 < words.size() ? std::optional(words[at + 1]) : std::nullopt;
}

BuildOptions optionsOf(const json &entry) {
  BuildOptions options;
  const fs::path folder = job::textAt(entry, "directory");
  const std::vector<std::string> words = argumentsOf(entry);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view option : {"-I", "-isystem", "-iquote"})
      if (const auto value = valueOf(option, words, i))
        options.includes.push_back((folder / *value).lexically_normal().string());
    if (const auto value = valueOf("-D", words, i)) options.definitions.push_back(*value);
  }
  return options;
}

std::optional<BuildOptions> optionsIn(const fs::path &file, const fs::path &source) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  const auto text = host::readHead(file.string(), kMostBytes);
  if (!text) return std::nullopt;
  const json list = json::parse(*text, nullptr, false);
  if (!list.is_array()) return std::nullopt;
  for (const json &entry : list) {
    if (!entry.is_object()) continue;
    const fs::path named = fs::path(job::textAt(entry, "directory")) / job::textAt(entry, "file");
    if (fs::equivalent(named, source, ignored)) return optionsOf(entry);
  }
  return std::nullopt;
}

} // namespace

std::vector<std::string> codeOf(const BuildOptions &options) {
  std::vector<std::string> files = options.sources;
  files.insert(files.end(), options.libraries.begin(), options.libraries.end());
  return files;
}

std::vector<std::string> wordsOf(const std::string &command) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size())
      word = word.value_or("") + command[++i];
    else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      word = word.value_or("");
    } else if (!quote && std::isspace(static_cast<unsigned char>(c))) {
      if (word) words.push_back(*word);
      word.reset();
    } else {
      word = word.value_or("") + c;
    }
  }
  if (word) words.push_back(*word);
  return words;
}

BuildOptions buildOptionsNear(const std::string &source) {
  std::error_code ignored;
  const fs::path file = fs::absolute(source, ignored);
  fs::path folder = file.parent_path();
  for (int up = 0; up < kFoldersUp; ++up, folder = folder.parent_path()) {
    for (const fs::path &place : {folder / kName, folder / "build" / kName})
      if (auto options = optionsIn(place, file)) return std::move(*options);
    if (folder == folder.parent_path()) break;
  }
  return {};
}

BuildOptions completedFor(const std::string &source, BuildOptions given) {
  for (std::vector<std::string> *paths : {&given.includes, &given.sources, &given.libraries})
    for (std::string &path : *paths)
      path = fs::absolute(path).lexically_normal().string();
  BuildOptions found = buildOptionsNear(source);
  std::ranges::move(found.includes, std::back_inserter(given.includes));
  std::ranges::move(found.definitions, std::back_inserter(given.definitions));
  return given;
}

} // namespace tessera::open
