// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace tessera::record {

// A word from the program's source text. The log accepts only such words, numbers and versions.
// Text that exists only at run time, such as the name of a func or a path, does not compile as a
// Word, so it cannot get into the log by mistake.
class Word {
public:
  consteval Word(const char *text) : m_text(text) {}

  std::string_view text() const { return m_text; }

  friend bool operator==(const Word &, const Word &) = default;

private:
  std::string_view m_text;
};

// The word in `known` that equals `text`; "other" if there is none.
Word oneOf(std::string_view text, std::span<const Word> known);

// The version of a program, possibly reported by that program: "0.1.0 (5c2f0a91b3d4)". It becomes
// "unknown" if it does not begin with a number and a dot, is too long, or contains characters that
// no version has.
class Version {
public:
  explicit Version(std::string_view text);

  const std::string &text() const { return m_text; }

private:
  std::string m_text;
};

// One key and value of a line, such as "program=tessera-halide", "ms=1250" or "trusted=yes".
struct Field {
  Word key;
  std::variant<Word, Version, std::int64_t> value;

  Field(Word name, Word word) : key(name), value(word) {}
  Field(Word name, Version version) : key(name), value(std::move(version)) {}
  template <typename Number> // a bool is written as yes or no
  requires std::is_integral_v<Number> Field(Word name, Number number)
      : key(name), value(static_cast<std::int64_t>(number)) {
    if constexpr (std::is_same_v<Number, bool>) value = number ? Word("yes") : Word("no");
  }
};

} // namespace tessera::record
