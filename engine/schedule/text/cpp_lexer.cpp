// SPDX-License-Identifier: MIT
#include "engine/schedule/text/cpp_lexer.h"

#include "engine/schedule/text/text_header.h"
#include "engine/base/escape.h"

#include <algorithm>
#include <charconv>

namespace tessera::schedule {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// The beginning of a text, for a message.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const std::string out(text.substr(0, kLongest));
  return text.size() > kLongest ? out + "..." : out;
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  Result<LexedText> run() {
    while (skipToToken()) {
      const Token begin = here();
      if (!readToken()) return wrongAt(begin, m_problem);
    }
    m_out.tokens.push_back(here());
    if (const Status paired = pairBrackets(); !paired) return paired.error();
    return std::move(m_out);
  }

private:
  char at(std::size_t ahead = 0) const {
    return m_place + ahead < m_text.size() ? m_text[m_place + ahead] : '\0';
  }
  bool atEnd() const { return m_place >= m_text.size(); }

  Token here() const {
    return {Token::Kind::End, {}, m_line, static_cast<std::uint32_t>(m_place - m_lineStart + 1), 0};
  }

  void advance() {
    if (m_text[m_place++] != '\n') return;
    ++m_line;
    m_lineStart = m_place;
    m_lineIsEmpty = true;
  }

  // Skips white space, comments and preprocessor lines. False at the end of the text.
  bool skipToToken() {
    while (!atEnd()) {
      if (at() == '\n' || isSpace(at()))
        advance();
      else if (at() == '\\' && (at(1) == '\n' || (at(1) == '\r' && at(2) == '\n')))
        advance();
      else if (at() == '/' && at(1) == '/')
        readLineComment();
      else if (at() == '/' && at(1) == '*')
        skipBlockComment();
      else if (at() == '#' && m_lineIsEmpty)
        skipDirective();
      else
        return true;
    }
    return false;
  }

  void readLineComment() {
    m_place += 2;
    const std::size_t begin = m_place;
    while (!atEnd() && at() != '\n')
      ++m_place;
    std::string_view text = m_text.substr(begin, m_place - begin);
    if (text.ends_with('\r')) text.remove_suffix(1);
    m_out.comments.push_back({text, m_line});
  }

  // A comment without an end runs to the end of the text; the parser then reports what is missing.
  void skipBlockComment() {
    m_place += 2;
    while (!atEnd() && !(at() == '*' && at(1) == '/'))
      advance();
    m_place = std::min(m_place + 2, m_text.size());
  }

  void skipDirective() {
    while (!atEnd() && at() != '\n') {
      if (at() == '\\' && at(1) == '\r') ++m_place;
      if (at() == '\\' && at(1) == '\n') ++m_place;
      if (!atEnd()) advance();
    }
  }

  bool readToken() {
    Token token = here();
    const std::size_t begin = m_place;
    m_lineIsEmpty = false;
    const char first = at();
    if (isLetter(first)) {
      token.kind = Token::Kind::Identifier;
      while (isLetter(at()) || isDigit(at()))
        ++m_place;
    } else if (isDigit(first)) {
      token.kind = Token::Kind::Number;
      while (isLetter(at()) || isDigit(at()) || at() == '.' || (at() == '\'' && isDigit(at(1))))
        ++m_place;
    } else if (first == '"' || first == '\'') {
      token.kind = first == '"' ? Token::Kind::String : Token::Kind::Character;
      if (!readQuoted(first)) return false;
    } else {
      token.kind = Token::Kind::Symbol;
      if (!readSymbol()) return false;
    }
    token.text = m_text.substr(begin, m_place - begin);
    m_out.tokens.push_back(token);
    return true;
  }

  bool readQuoted(char quote) {
    ++m_place;
    while (!atEnd() && at() != quote && at() != '\n')
      m_place += at() == '\\' && at(1) != '\n' && m_place + 1 < m_text.size() ? 2 : 1;
    if (at() != quote) {
      m_problem = "this quote is never closed";
      return false;
    }
    ++m_place;
    return true;
  }

  bool readSymbol() {
    if (at() < 0x21 || at() > 0x7e) {
      m_problem = "this character cannot be part of a schedule";
      return false;
    }
    m_place += at() == ':' && at(1) == ':' ? 2 : 1;
    return true;
  }

  Status pairBrackets() {
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < m_out.tokens.size(); ++i) {
      Token &token = m_out.tokens[i];
      if (token.kind != Token::Kind::Symbol) continue;
      const std::size_t closing = std::string_view(")]}").find(token.text.front());
      if (std::string_view("([{").find(token.text.front()) != std::string_view::npos)
        open.push_back(i);
      if (closing == std::string_view::npos) continue;
      const std::string closes = "this '" + std::string(token.text) + "' closes ";
      if (open.empty()) return wrongAt(token, closes + "nothing");
      const Token &opening = m_out.tokens[open.back()];
      if (opening.text.front() != "([{"[closing])
        return wrongAt(token, closes + "the '" + std::string(opening.text) + "' of line " +
                                  std::to_string(opening.line) + ", column " +
                                  std::to_string(opening.column));
      token.partner = open.back();
      m_out.tokens[open.back()].partner = i;
      open.pop_back();
    }
    if (open.empty()) return Done{};
    const Token &token = m_out.tokens[open.back()];
    return wrongAt(token, "this '" + std::string(token.text) + "' is never closed");
  }

  std::string_view m_text;
  std::size_t m_place = 0, m_lineStart = 0;
  std::uint32_t m_line = 1;
  bool m_lineIsEmpty = true; // true: the line has only white space so far
  std::string m_problem;
  LexedText m_out;
};

int digitOf(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// Reads a character code: at most `longest` digits of base `base`, starting at `place`.
char codeAt(std::string_view text, std::size_t &place, int base, std::size_t longest) {
  int code = 0;
  for (std::size_t n = 0; n < longest && place < text.size() && digitOf(text[place]) < base; ++n)
    code = (code * base + digitOf(text[place++])) & 255;
  return static_cast<char>(code);
}

} // namespace

Result<LexedText> lexCpp(std::string_view text) {
  if (text.size() > kMaxTextBytes)
    return Error{ErrorCode::InputRefused, "the text is larger than 4 MiB", ""};
  return Lexer(text).run();
}

std::string stringValue(std::string_view literal) {
  constexpr std::string_view kLetters = "abfnrtv", kMeanings = "\a\b\f\n\r\t\v";
  const std::string_view text = literal.substr(1, literal.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i++];
      continue;
    }
    const char letter = text[++i];
    if (digitOf(letter) < 8) {
      out += codeAt(text, i, 8, 3);
      continue;
    }
    ++i;
    if (letter == 'x') {
      out += codeAt(text, i, 16, text.size());
      continue;
    }
    const std::size_t known = kLetters.find(letter);
    out += known == std::string_view::npos ? letter : kMeanings[known];
  }
  return out;
}

std::optional<std::int64_t> integerValue(std::string_view literal) {
  std::string digits;
  for (const char c : literal)
    if (c != '\'') digits += c;
  while (!digits.empty() && std::string_view("uUlLzZ").find(digits.back()) != std::string::npos)
    digits.pop_back();
  std::string_view text = digits;
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  if (base != 10)
    text.remove_prefix(2);
  else if (text.size() > 1 && text.front() == '0')
    base = 8;
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size())
    return std::nullopt;
  return number;
}

Error wrongAt(const Token &token, const std::string &problem, const std::string &understood) {
  return {ErrorCode::InputRefused,
          "line " + std::to_string(token.line) + ", column " + std::to_string(token.column) + ": " +
              printable(problem),
          understood.empty() ? "" : "expected here: " + understood};
}

Error unexpected(const Token &token, const std::string &understood) {
  const bool end = token.kind == Token::Kind::End;
  return wrongAt(token, end ? "the text ends" : "found '" + shown(token.text) + "'", understood);
}

} // namespace tessera::schedule
