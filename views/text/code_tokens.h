// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

#include <cstdint>
#include <vector>

namespace tessera::views {

// What the code dock shows, in the order of its tabs.
enum class CodeKind : std::uint8_t { Cpp, Python, Json, Loops, Ptx, Sass };
inline constexpr int kCodeKinds = 6;

// Parts of a line that are painted in a colour of their own.
struct CodeToken {
  enum class Kind : std::uint8_t { Keyword, Call, Number, String, Comment, Register };
  qsizetype from = 0, length = 0;
  Kind kind = Kind::Keyword;

  friend bool operator==(const CodeToken &, const CodeToken &) = default;
};

// Of one line by itself: none of these texts has anything that goes on over several.
std::vector<CodeToken> tokensOf(CodeKind kind, QStringView line);

} // namespace tessera::views
