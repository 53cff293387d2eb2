// SPDX-License-Identifier: MIT
#include "engine/base/asked.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tessera {
namespace {

// Characters that every shell leaves as they are.
constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";

std::string quotedForShell(const std::string &word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

} // namespace

std::string commandWords(const std::vector<Asked> &asked) {
  std::string words;
  for (const Asked &one : asked)
    words += (words.empty() ? "--" : " --") + one.option + " " + quotedForShell(one.value);
  return words;
}

void ask(std::vector<Asked> &asked, Asked one) {
  if (std::ranges::find(asked, one) == asked.end()) asked.push_back(std::move(one));
}

} // namespace tessera
