// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// The tokens of a C++ text, as far as schedules need them: no preprocessing, no raw strings. All
// views point into the text, which has to outlive them.
struct Token {
  enum class Kind : std::uint8_t { Identifier, Number, String, Character, Symbol, End };

  Kind kind = Kind::End;
  std::string_view text;     // a string includes its quotes
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // in bytes, from 1
  std::uint32_t partner = 0; // for a bracket: index of the matching bracket

  bool is(std::string_view symbolOrWord) const {
    return (kind == Kind::Symbol || kind == Kind::Identifier) && text == symbolOrWord;
  }
};

struct Comment {
  std::string_view text; // without "//" and the end of the line
  std::uint32_t line = 1;
};

struct LexedText {
  std::vector<Token> tokens;     // the last is Kind::End; brackets are paired
  std::vector<Comment> comments; // only those that run to the end of their line
};

inline constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;

Result<LexedText> lexCpp(std::string_view text);

// The value of a string token, with escapes as in C++.
std::string stringValue(std::string_view literal);
// The value of a number token, if it is a whole number of at most 63 bits.
std::optional<std::int64_t> integerValue(std::string_view literal);

// An error such as "line 3, column 7: found 'frob'". Its hint says what would be understood.
Error unexpected(const Token &token, const std::string &understood);
// An error at the place of a token. Its message states a problem instead of the token's text.
Error wrongAt(const Token &token, const std::string &problem, const std::string &understood = {});

} // namespace tessera::schedule
