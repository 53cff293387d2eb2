// SPDX-License-Identifier: MIT
#include "engine/schedule/text/token_reader.h"

#include "engine/schedule/text/cpp_comment.h"
#include "engine/schedule/directives/handles.h"

#include <algorithm>
#include <utility>

namespace tessera::schedule {

TokenReader::TokenReader(LexedText lexed) : m_lexed(std::move(lexed)) {}

const Token &TokenReader::at(std::size_t ahead) const {
  return m_lexed.tokens[std::min(m_place + ahead, m_lexed.tokens.size() - 1)];
}

bool TokenReader::accept(std::string_view word) {
  if (!at().is(word)) return false;
  ++m_place;
  return true;
}

bool TokenReader::expect(std::string_view word) {
  return accept(word) || fail(unexpected(at(), "'" + std::string(word) + "'"));
}

void TokenReader::acceptQualifier() {
  const std::size_t first = at().is("::") ? 1 : 0;
  if (at(first).is("Halide") && at(first + 1).is("::")) m_place += first + 2;
}

bool TokenReader::readName(const std::string &understood, std::string &name) {
  if (at().kind != Token::Kind::String) return fail(unexpected(at(), understood));
  name = stringValue(at().text);
  return isShort(at(), name) && (++m_place, true);
}

bool TokenReader::readNumber(std::int64_t &number) {
  const bool negative = accept("-");
  const auto read = at().kind == Token::Kind::Number ? integerValue(at().text) : std::nullopt;
  if (!read) return fail(unexpected(at(), "a whole number"));
  number = negative ? -*read : *read;
  skip();
  return true;
}

bool TokenReader::readSmall(std::uint32_t &number) {
  constexpr std::int64_t kMost = 999'999;
  const Token &token = at();
  std::int64_t read = 0;
  if (!readNumber(read)) return false;
  if (read < 0 || read > kMost) return fail(unexpected(token, "a number from 0 to 999999"));
  number = static_cast<std::uint32_t>(read);
  return true;
}

bool TokenReader::isShort(const Token &token, std::string_view name) {
  return name.size() <= kMaxNameBytes ||
         fail(wrongAt(token,
                      "this name is longer than " + std::to_string(kMaxNameBytes) + " bytes"));
}

bool TokenReader::fail(Error error) {
  if (!m_error) m_error = std::move(error);
  return false;
}

std::size_t TokenReader::find(std::string_view symbol, std::string_view other) const {
  std::size_t i = std::min(m_place, m_lexed.tokens.size() - 1);
  for (; m_lexed.tokens[i].kind != Token::Kind::End; ++i) {
    const Token &token = m_lexed.tokens[i];
    if (token.is(symbol) || token.is(other)) break;
    if (token.is(")") || token.is("]") || token.is("}")) break;
    if (token.is("(") || token.is("[") || token.is("{")) i = token.partner;
  }
  return i;
}

bool TokenReader::skipStatement() {
  m_place = find(";", ";");
  return expect(";");
}

std::string_view TokenReader::commentIn(std::uint32_t line) const {
  const auto &comments = m_lexed.comments;
  const auto comment = std::partition_point(comments.begin(), comments.end(),
                                            [&](const Comment &c) { return c.line < line; });
  return comment == comments.end() || comment->line != line ? std::string_view() : comment->text;
}

std::string TokenReader::nameBehind(std::size_t end) const {
  const auto &tokens = m_lexed.tokens;
  const std::size_t next = std::min(end + 1, tokens.size() - 1);
  const std::size_t last = tokens[end].is(";") ? end : next;
  if (!tokens[last].is(";")) return {};
  const Token &behind = tokens[last + 1];
  const bool isLast = behind.line != tokens[last].line || behind.kind == Token::Kind::End;
  return isLast ? nameIn(commentIn(tokens[last].line)) : std::string();
}

} // namespace tessera::schedule
