// SPDX-License-Identifier: MIT
#include "engine/machine/gpu_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace tessera::machine {

namespace {

// Words after the model number. A word of kVariants tells that the chip is a different one. A word
// of kForms only names the board or the socket of the chip.
constexpr std::array<std::string_view, 4> kVariants{"TI", "SUPER", "LAPTOP", "MAX"};
constexpr std::array<std::string_view, 3> kForms{"SXM", "PCIE", "NVL"};

struct GpuName {
  std::vector<std::string> model;    // words up to and including the first one with a digit
  std::vector<std::string> variants; // sorted
  std::string_view form;             // empty: unknown

  explicit GpuName(std::string_view text) {
    std::vector<std::string> words;
    bool isInWord = false;
    for (const char c : text) {
      const auto letter = static_cast<unsigned char>(c);
      if (!std::isalnum(letter)) {
        isInWord = false;
        continue;
      }
      if (!isInWord) words.emplace_back();
      isInWord = true;
      words.back() += static_cast<char>(std::toupper(letter));
    }
    const auto hasDigit = [](const std::string &word) {
      return std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    auto end = std::ranges::find_if(words, hasDigit);
    if (end != words.end()) ++end;
    model.assign(words.begin(), end);
    for (auto word = end; word != words.end(); ++word) {
      if (std::ranges::find(kVariants, *word) != kVariants.end()) variants.push_back(*word);
      for (const std::string_view known : kForms)
        if (word->starts_with(known)) form = known;
    }
    std::ranges::sort(variants);
  }
};

} // namespace

bool isSameGpu(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const GpuName left(a), right(b);
  const bool sameForm = left.form.empty() || right.form.empty() || left.form == right.form;
  return !left.model.empty() && left.model == right.model && left.variants == right.variants &&
         sameForm;
}

} // namespace tessera::machine
