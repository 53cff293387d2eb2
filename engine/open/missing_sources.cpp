// SPDX-License-Identifier: MIT
#include "engine/open/missing_sources.h"

#include "engine/base/asked.h"
#include "engine/host/files.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>

namespace tessera::open {
namespace {

namespace fs = std::filesystem;

constexpr int kFoldersSearched = 6;
constexpr std::size_t kMostEntries = 2000; // of one folder
constexpr std::size_t kMostSourceBytes = std::size_t{4} << 20;
constexpr std::size_t kMostQualifiers =
    64; // characters between a function's arguments and its body
constexpr std::string_view kStub = ".stub.h";
constexpr std::string_view kRegistering = "HALIDE_REGISTER_GENERATOR";

std::vector<fs::path> foldersAbove(const std::string &source) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  fs::path folder = fs::absolute(source, ignored).lexically_normal().parent_path();
  while (folders.size() < kFoldersSearched && folder != folder.root_path()) {
    folders.push_back(folder);
    folder = folder.parent_path();
  }
  return folders;
}

std::vector<fs::path> entriesOf(const fs::path &folder) {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, ignored), end; at != end && entries.size() < kMostEntries;
       at.increment(ignored))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool isWordLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether `word` stands in the text, not as a part of a longer one, with `next` right behind it.
bool hasWord(std::string_view text, std::string_view word, std::string_view next) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::string_view behind = text.substr(at + word.size());
    const bool begins = at == 0 || !isWordLetter(text[at - 1]);
    if (begins &&
        (next.empty() ? behind.empty() || !isWordLetter(behind.front()) : behind.starts_with(next)))
      return true;
  }
  return false;
}

// Where the parenthesis that `text` begins with is closed: behind it. The end if it is not.
std::string_view behindParentheses(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(at + 1);
  }
  return {};
}

// Whether the text has a function of this name with its body; a call has none.
bool hasBody(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::string_view call = text.substr(at + name.size());
    if (!call.starts_with('(') || (at > 0 && isWordLetter(text[at - 1]))) continue;
    std::istringstream behind{std::string(behindParentheses(call).substr(0, kMostQualifiers))};
    std::string word;
    while (behind >> word && (word == "const" || word == "noexcept")) {
    }
    if (word.starts_with('{')) return true;
  }
  return false;
}

// The first C++ source in the folder of `source` and in the others whose text fits, but for the
// known ones.
template <typename Fits>
std::optional<std::string> sourceThat(const std::vector<fs::path> &folders,
                                      const std::vector<std::string> &known, const Fits &fits) {
  std::error_code ignored;
  for (const fs::path &folder : folders)
    for (const fs::path &file : entriesOf(folder)) {
      const std::string ending = file.extension().string();
      if (ending != ".cpp" && ending != ".cc" && ending != ".cxx") continue;
      if (std::ranges::any_of(known, [&](const std::string &other) {
            return fs::equivalent(file, other, ignored);
          }))
        continue;
      const Result<std::string> text = host::readHead(file.string(), kMostSourceBytes);
      if (text && fits(*text)) return file.string();
    }
  return std::nullopt;
}

std::string demangled(const std::string &symbol) {
  if (!symbol.starts_with("_Z")) return symbol; // the demangler would take it for a type
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? std::string(name.get()) : symbol;
}

std::string withoutArguments(const std::string &name) { return name.substr(0, name.find('(')); }

// The files in rules of dependencies, each once.
std::vector<std::string> filesIn(std::string_view dependencies) {
  std::vector<std::string> files;
  std::istringstream words{std::string(dependencies)};
  for (std::string word; words >> word;) {
    const bool isFile = word != "\\" && !word.ends_with(':');
    if (isFile && std::ranges::find(files, word) == files.end()) files.push_back(word);
  }
  return files;
}

// The headers that a source includes in quotes.
std::vector<std::string> quotedIncludes(const std::string &text) {
  constexpr std::string_view kSpaces = " \t", kInclude = "include";
  std::vector<std::string> headers;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    std::string_view rest = line;
    const auto skip = [&](std::string_view word) {
      rest.remove_prefix(std::min(rest.find_first_not_of(kSpaces), rest.size()));
      const bool isThere = rest.starts_with(word);
      rest.remove_prefix(isThere ? word.size() : 0);
      return isThere;
    };
    if (!skip("#") || !skip(kInclude) || !skip("\"")) continue;
    headers.emplace_back(rest.substr(0, rest.find('"')));
  }
  return headers;
}

bool isInside(const std::string &file, const std::vector<std::string> &folders) {
  return std::ranges::any_of(folders, [&](const std::string &folder) {
    const std::string inside = fs::path(file).lexically_relative(folder).string();
    return !inside.empty() && !inside.starts_with("..");
  });
}

} // namespace

std::vector<std::string> missingHeaders(std::string_view dependencies) {
  std::vector<std::string> missing = filesIn(dependencies);
  std::erase_if(missing, [](const std::string &file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
  });
  return missing;
}

std::optional<std::string> folderWith(const std::string &header, const std::string &source) {
  std::error_code ignored;
  const std::vector<fs::path> above = foldersAbove(source);
  for (const fs::path &folder : above)
    if (fs::is_regular_file(folder / header, ignored)) return folder.string();
  for (const fs::path &folder : above)
    for (const fs::path &inside : entriesOf(folder))
      if (fs::is_regular_file(inside / header, ignored)) return inside.string();
  return std::nullopt;
}

std::vector<HiddenHeader> hiddenHeaders(const std::string &source, std::string_view dependencies,
                                        const std::vector<std::string> &given) {
  const Result<std::string> text = host::readHead(source, kMostSourceBytes);
  std::vector<HiddenHeader> hidden;
  std::error_code ignored;
  for (const std::string &header : text ? quotedIncludes(*text) : std::vector<std::string>{})
    for (const std::string &taken : filesIn(dependencies)) {
      if (!taken.ends_with("/" + header) || isInside(taken, given)) continue;
      const auto folder = folderWith(header, source);
      if (folder && !fs::equivalent(fs::path(*folder) / header, taken, ignored))
        hidden.push_back({header, taken, *folder});
    }
  return hidden;
}

std::optional<std::string> generatorOfStub(const std::string &header) {
  const std::string name = fs::path(header).filename().string();
  if (!name.ends_with(kStub)) return std::nullopt;
  return name.substr(0, name.size() - kStub.size());
}

std::optional<std::string> sourceRegistering(const std::string &generator,
                                             const std::string &source) {
  std::vector<fs::path> folders = foldersAbove(source);
  folders.resize(std::min<std::size_t>(folders.size(), 2)); // a stub's source is a neighbour
  return sourceThat(folders, {source}, [&](std::string_view text) {
    for (std::size_t at = text.find(kRegistering); at != std::string_view::npos;
         at = text.find(kRegistering, at + 1))
      if (hasWord(text.substr(at, text.find(')', at) - at), generator, "")) return true;
    return false;
  });
}

std::vector<std::string> undefinedSymbols(std::string_view complaint) {
  constexpr std::string_view kMark = "undefined symbol: ";
  std::vector<std::string> symbols;
  for (std::size_t at = complaint.find(kMark); at != std::string_view::npos;
       at = complaint.find(kMark, at + 1)) {
    const std::string_view rest = complaint.substr(at + kMark.size());
    std::string symbol(rest.substr(0, rest.find_first_of(" \t\n)'")));
    const std::string name = withoutArguments(demangled(symbol));
    const bool isHalides =
        name.find("Halide::") != std::string::npos || name.starts_with("halide_");
    const bool isKnown = std::ranges::find(symbols, symbol) != symbols.end();
    if (!symbol.empty() && !isHalides && !isKnown) symbols.push_back(std::move(symbol));
  }
  return symbols;
}

std::string plainName(const std::string &symbol) {
  const std::string name = withoutArguments(demangled(symbol));
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::vector<std::string> undefinedNames(std::string_view complaint) {
  std::vector<std::string> names;
  for (const std::string &symbol : undefinedSymbols(complaint))
    if (std::string name = plainName(symbol); std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  return names;
}

std::optional<std::string> sourceDefining(const std::string &name, const std::string &source,
                                          const std::vector<std::string> &given) {
  std::vector<fs::path> folders = foldersAbove(source);
  folders.resize(std::min<std::size_t>(folders.size(), 1));
  std::vector<std::string> known = given;
  known.push_back(source);
  // Others may call the function, generators above all. A macro may hide its body.
  for (const bool isDefined : {true, false})
    for (const bool isGenerator : {false, true})
      if (auto found = sourceThat(folders, known, [&](std::string_view text) {
            const bool registers = text.find(kRegistering) != std::string_view::npos;
            return registers == isGenerator &&
                   (isDefined ? hasBody(text, name) : hasWord(text, name, "("));
          }))
        return found;
  return std::nullopt;
}

Error askingForSymbols(Error error, std::string_view complaint, const std::string &source,
                       const std::vector<std::string> &given) {
  std::vector<std::string> names = undefinedNames(complaint);
  if (names.empty()) names = undefinedNames(error.message);
  if (names.empty()) return error;
  error.remedy = ErrorRemedy::Build;
  for (const std::string &name : names)
    if (auto other = sourceDefining(name, source, given))
      ask(error.asked, {"with-source", std::move(*other)});
  error.hint =
      error.asked.empty()
          ? "Give what defines '" + names.front() + "': --with-source FILE or --with-library FILE."
          : "Give the sources that define it: " + commandWords(error.asked);
  return error;
}

} // namespace tessera::open
