// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace tessera::record {

// A word that stands in our own source. The log takes such words, numbers and versions and nothing
// else: text that exists only while the program runs, as the name of a func or a path, does not
// compile, so it cannot get into the log by mistake.
class Word {
public:
  consteval Word(const char *text) : m_text(text) {}

  std::string_view text() const { return m_text; }

  friend bool operator==(const Word &, const Word &) = default;

private:
  std::string_view m_text;
};

// The word of `known` that reads as `text`; "other" where none does.
Word oneOf(std::string_view text, std::span<const Word> known);

// The version of a program, which may come from that program: "0.1.0 (5c2f0a91b3d4)". What does not
// begin with a number and a dot, or is long, or has other characters than a version has, becomes
// "unknown".
class Version {
public:
  explicit Version(std::string_view text);

  const std::string &text() const { return m_text; }

private:
  std::string m_text;
};

// One fact of a line: "program=tessera-halide", "ms=1250", "trusted=yes".
struct Field {
  Word key;
  std::variant<Word, Version, std::int64_t> value;

  Field(Word name, Word word) : key(name), value(word) {}
  Field(Word name, Version version) : key(name), value(std::move(version)) {}
  template <std::integral Number> // of a bool: yes or no
  Field(Word name, Number number) : key(name), value(static_cast<std::int64_t>(number)) {
    if constexpr (std::same_as<Number, bool>) value = number ? Word("yes") : Word("no");
  }
};

} // namespace tessera::record
