// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

#include <cstdint>
#include <vector>

namespace tessera::views {

// The texts of the code dock, in the order of its tabs.
enum class CodeKind : std::uint8_t { Cpp, Python, Json, Loops, Ptx, Sass };
inline constexpr int kCodeKinds = 6;

// A part of a line that has its own colour.
struct CodeToken {
  enum class Kind : std::uint8_t { Keyword, Call, Number, String, Comment, Register };
  qsizetype from = 0, length = 0;
  Kind kind = Kind::Keyword;

  friend bool operator==(const CodeToken &, const CodeToken &) = default;
};

// Scans a single line: in none of these texts does a token span several lines.
std::vector<CodeToken> tokensOf(CodeKind kind, QStringView line);

} // namespace tessera::views
