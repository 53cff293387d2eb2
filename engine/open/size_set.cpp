// SPDX-License-Identifier: MIT
#include "engine/open/size_set.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tessera::open {
namespace {

constexpr std::string_view kBlanks = " \t\n;";
constexpr std::array<std::string_view, 6> kJoining{"=", ",", "x", "X", "*", "×"};

Error malformed(std::string_view text, const std::string &why) {
  return {ErrorCode::Usage, "'" + std::string(text) + "' is not a set of sizes: " + why + ".",
          "Write the name of a size, or estimates as for --estimate, separated by blanks; a name "
          "may come first, as in \"720p: input=1280×720 output=1280×720\"."};
}

// Whether the text is valid as a file name on every system.
bool isName(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  return !text.empty() && text.size() <= kLongest && text.front() != '.' &&
         std::ranges::all_of(text, [](unsigned char c) {
           return std::isalnum(c) || c == '-' || c == '_' || c == '.';
         });
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = text.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// Whether an estimate that ends with `word` goes on behind the blank, as in "in=1024 × 768".
bool goesOn(std::string_view word) {
  return std::ranges::any_of(kJoining, [&](std::string_view joining) {
    if (!word.ends_with(joining)) return false;
    const std::string_view before = word.substr(0, word.size() - joining.size());
    const std::size_t last = before.find_last_not_of(kBlanks);
    return joining == "=" || (last != std::string_view::npos && isDigit(before[last]));
  });
}

// Whether `word` goes on with an estimate that ends with `before`, as in "in=1024 ×768".
bool continues(std::string_view before, std::string_view word) {
  const bool isSize = before.find('=') != std::string_view::npos && isDigit(before.back());
  return std::ranges::any_of(kJoining, [&](std::string_view joining) {
    if (!word.starts_with(joining)) return false;
    const std::string_view rest = word.substr(joining.size());
    return joining == "=" || (isSize && (rest.empty() || isDigit(rest.front())));
  });
}

// The words of the text. An estimate is one word, even if it is written with blanks: it may contain
// them, since parseEstimate() skips them.
std::vector<std::string_view> wordsWithWholeEstimates(std::string_view text) {
  std::vector<std::string_view> whole;
  for (const std::string_view word : wordsOf(text)) {
    const bool isFirst = whole.empty() || whole.back().ends_with(':');
    const std::string_view before = whole.empty() ? std::string_view() : whole.back();
    const char *end = before.data() + before.size();
    const bool isApart = isFirst || std::string_view(end, word.data()).find(';') != text.npos;
    if (!isApart && (goesOn(before) || continues(before, word)))
      whole.back() = {before.data(), word.data() + word.size()};
    else
      whole.push_back(word);
  }
  return whole;
}

Result<SizeSet> parseSizeSet(std::string_view text, std::size_t number) {
  SizeSet set;
  std::vector<std::string_view> words = wordsWithWholeEstimates(text);
  // A colon inside an estimate comes after its "=" and is never the last character. So a first word
  // that ends with a colon is a name.
  if (!words.empty() && words.front().ends_with(':')) {
    set.name = words.front().substr(0, words.front().size() - 1);
    if (!isName(set.name))
      return malformed(text, "its name may only have letters, digits, '-', '_' and '.'");
    words.erase(words.begin());
  }
  if (words.empty()) return malformed(text, "it has no size");
  for (const std::string_view word : words) {
    if (word.find('=') == std::string_view::npos) {
      if (!set.size.empty()) return malformed(text, "it names two sizes");
      set.size = word;
      continue;
    }
    auto estimate = parseEstimate(word);
    if (!estimate) return estimate.error();
    set.estimates.push_back(std::move(*estimate));
  }
  if (set.name.empty())
    set.name =
        set.estimates.empty() && isName(set.size) ? set.size : "set" + std::to_string(number);
  return set;
}

} // namespace

Result<std::vector<SizeSet>> parseSizeSets(const std::vector<std::string> &texts) {
  std::vector<SizeSet> sets;
  for (const std::string &text : texts) {
    auto set = parseSizeSet(text, sets.size() + 1);
    if (!set) return set.error();
    if (std::ranges::find(sets, set->name, &SizeSet::name) != sets.end())
      return malformed(text, "another set is called '" + set->name + "' too");
    sets.push_back(std::move(*set));
  }
  return sets;
}

OpenRequest withSizes(OpenRequest request, const SizeSet &set) {
  if (!set.size.empty()) request.size = set.size;
  request.estimates.insert(request.estimates.end(), set.estimates.begin(), set.estimates.end());
  return request;
}

} // namespace tessera::open
