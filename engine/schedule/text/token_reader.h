// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/cpp_lexer.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::schedule {

// Goes through the tokens of a text, and keeps the first error. Functions that may fail return
// false, so that a parser can chain them.
class TokenReader {
public:
  explicit TokenReader(LexedText lexed);

  const LexedText &lexed() const { return m_lexed; }
  const std::optional<Error> &error() const { return m_error; }

  std::size_t place() const { return m_place; }
  void moveTo(std::size_t place) { m_place = place; }
  void skip(std::size_t tokens = 1) { m_place += tokens; }
  const Token &at(std::size_t ahead = 0) const;

  bool accept(std::string_view word);
  bool expect(std::string_view word);
  // Skips `::Halide::` or `Halide::`: the meaning is the same with and without it.
  void acceptQualifier();
  // Reads a string token as a name.
  bool readName(const std::string &understood, std::string &name);
  bool readNumber(std::int64_t &number);
  bool readSmall(std::uint32_t &number); // from 0 to 999999
  bool isShort(const Token &token, std::string_view name);
  bool fail(Error error);

  // The position of `symbol` or `other` at this bracket depth, whichever comes first. If there is
  // neither, the position of the bracket that closes this depth.
  std::size_t find(std::string_view symbol, std::string_view other) const;
  bool skipStatement();
  // The comment at the end of a line; empty if there is none.
  std::string_view commentIn(std::uint32_t line) const;
  // The name in the comment behind a statement that ends at token `end`; empty if there is none.
  std::string nameBehind(std::size_t end) const;

private:
  LexedText m_lexed;
  std::size_t m_place = 0;
  std::optional<Error> m_error;
};

} // namespace tessera::schedule
