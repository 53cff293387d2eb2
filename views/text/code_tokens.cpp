// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/code_tokens.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tessera::views {

namespace {

using Kind = CodeToken::Kind;

constexpr std::array kCppWords{u"auto",   u"bool",  u"break",     u"class",  u"const",  u"else",
                               u"endif",  u"false", u"for",       u"if",     u"ifndef", u"include",
                               u"inline", u"int",   u"namespace", u"return", u"static", u"struct",
                               u"true",   u"using", u"void",      u"define", u"while"};
constexpr std::array kPythonWords{u"None",  u"True",   u"as",    u"break", u"def",    u"except",
                                  u"False", u"for",    u"if",    u"else",  u"import", u"in",
                                  u"not",   u"return", u"raise", u"try",   u"while",  u"from"};
constexpr std::array kJsonWords{u"true", u"false", u"null"};
constexpr std::array kLoopWords{
    u"allocate", u"assert", u"consume", u"else",     u"for",        u"free",           u"gpu_block",
    u"if",       u"in",     u"let",     u"produce",  u"gpu_thread", u"gpu_lane",       u"in",
    u"parallel", u"then",   u"select",  u"unrolled", u"vectorized", u"register_rename"};

template <typename Words>
bool isOneOf(const Words &words, QStringView word) {
  return std::ranges::any_of(words,
                             [&](const char16_t *known) { return word == QStringView(known); });
}

bool isKeyword(CodeKind kind, QStringView word) {
  switch (kind) {
  case CodeKind::Cpp:
    return isOneOf(kCppWords, word);
  case CodeKind::Python:
    return isOneOf(kPythonWords, word);
  case CodeKind::Json:
    return isOneOf(kJsonWords, word);
  case CodeKind::Loops:
    return isOneOf(kLoopWords, word);
  case CodeKind::Ptx:
    return word.startsWith(u'.'); // directives
  case CodeKind::Sass:
    break;
  }
  return word.startsWith(u'.');
}

bool isAssembly(CodeKind kind) { return kind == CodeKind::Ptx || kind == CodeKind::Sass; }

// Registers are R12, UR4, P0, UP1, RZ, PT and the like in SASS, and %r12 in PTX.
bool isRegister(CodeKind kind, QStringView word) {
  if (kind == CodeKind::Ptx) return word.startsWith(u'%');
  if (kind != CodeKind::Sass) return false;
  if (word.startsWith(u'U') && word.size() > 1) word = word.mid(1);
  if (word == u"RZ" || word == u"PT") return true;
  return word.size() > 1 && (word[0] == u'R' || word[0] == u'P' || word[0] == u'B') &&
         std::all_of(word.begin() + 1, word.end(), [](QChar c) { return c.isDigit(); });
}

class LineScanner {
public:
  LineScanner(CodeKind kind, QStringView line) : m_kind(kind), m_line(line) {}

  std::vector<CodeToken> scan() {
    while (m_at < m_line.size())
      step();
    return std::move(m_tokens);
  }

private:
  QChar at(qsizetype place) const { return place < m_line.size() ? m_line[place] : QChar(); }
  void add(qsizetype end, Kind kind) {
    m_tokens.push_back({m_at, end - m_at, kind});
    m_at = end;
  }
  bool beginsWord(QChar c) const {
    return c.isLetter() || c == u'_' || (isAssembly(m_kind) && (c == u'.' || c == u'%'));
  }
  bool isInWord(QChar c) const {
    return c.isLetterOrNumber() || c == u'_' || c == u'$' ||
           (c == u'.' && (isAssembly(m_kind) || m_kind == CodeKind::Loops));
  }

  void step();
  bool comment();
  void text(QChar quote);
  void number();
  void word();

  CodeKind m_kind;
  QStringView m_line;
  qsizetype m_at = 0;
  // True: the opcode of the line was read. It is the first word that is neither a directive nor a
  // label.
  bool m_hasOpcode = false;
  std::vector<CodeToken> m_tokens;
};

void LineScanner::step() {
  const QChar c = at(m_at);
  if (c.isSpace()) {
    ++m_at;
  } else if (comment()) {
    return;
  } else if (c == u'"' || (c == u'\'' && !isAssembly(m_kind))) {
    text(c);
  } else if (c.isDigit()) {
    number();
  } else if (beginsWord(c)) {
    word();
  } else {
    ++m_at;
  }
}

bool LineScanner::comment() {
  const QChar c = at(m_at), next = at(m_at + 1);
  if (m_kind == CodeKind::Python && c == u'#') return add(m_line.size(), Kind::Comment), true;
  if (c != u'/' || m_kind == CodeKind::Python || m_kind == CodeKind::Json ||
      m_kind == CodeKind::Loops)
    return false;
  if (next == u'/') return add(m_line.size(), Kind::Comment), true;
  if (next != u'*') return false;
  const qsizetype end = m_line.indexOf(u"*/", m_at + 2);
  add(end < 0 ? m_line.size() : end + 2, Kind::Comment);
  return true;
}

void LineScanner::text(QChar quote) {
  qsizetype end = m_at + 1;
  while (end < m_line.size() && m_line[end] != quote)
    end += m_line[end] == u'\\' ? 2 : 1;
  end = std::min(end + 1, m_line.size());
  const bool isKey = m_kind == CodeKind::Json && m_line.mid(end).trimmed().startsWith(u':');
  add(end, isKey ? Kind::Call : Kind::String);
}

void LineScanner::number() {
  qsizetype end = m_at;
  while (end < m_line.size() && (m_line[end].isLetterOrNumber() || m_line[end] == u'.'))
    ++end;
  add(end, Kind::Number);
}

void LineScanner::word() {
  qsizetype end = m_at + 1;
  while (end < m_line.size() && isInWord(m_line[end]))
    ++end;
  const QStringView found = m_line.mid(m_at, end - m_at);
  if (isKeyword(m_kind, found)) return add(end, Kind::Keyword);
  if (isRegister(m_kind, found)) return add(end, Kind::Register);
  if (isAssembly(m_kind)) {
    const bool isOpcode = !m_hasOpcode && at(end) != u':';
    m_hasOpcode = true;
    if (isOpcode) return add(end, Kind::Call);
  } else if (at(end) == u'(') {
    return add(end, Kind::Call);
  }
  m_at = end;
}

} // namespace

std::vector<CodeToken> tokensOf(CodeKind kind, QStringView line) {
  return LineScanner(kind, line).scan();
}

} // namespace tessera::views
