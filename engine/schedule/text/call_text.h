// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/directives/handles.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// The differences between texts in C++ and in Python. The calls themselves are the same.
struct Dialect {
  std::string_view prefix;   // of Halide's names: "" or "hl."
  std::string_view enumMark; // "::" or "."
  std::string_view in;       // "in" or "in_"
  std::string_view async;    // "async" or "async_"
  std::string_view yes;      // "true" or "True"
  char listOpen, listClose, pairOpen, pairClose;
  std::string (*literal)(std::string_view text); // a string in quotes
  SizeSpelling sizes;
  bool listsLoops = false; // true: never_partition() and always_partition() take a list
};

// "split(x, xo, xi, 32)", without the func.
std::string callText(const Directive &directive, const Handles &handles, const Dialect &dialect);

// The call in C++ for people to read, with every name as in the pipeline: "split(r$x, xo, xi, 32)".
// If the call names a place in an update, stageRemark() follows as a comment.
std::string plainCallText(const Directive &directive);

// "f", or "f.update(1)" for a later stage.
std::string stageText(const Directive &directive, const Handles &handles);

// The comment that says which stage a place belongs to, such as "of update(1)", because the call
// cannot say it. Empty for the pure definition.
std::string stageRemark(const Directive &directive);
inline constexpr std::string_view kStageMark = "of ";

// What find() takes: the name, as `literal` writes it, and where several funcs have this name also
// which one it is, how many there are, and its dimensions and updates: "\"blur\", 2, 3, 2, 0".
std::string whichText(const std::string &func, const FoundNames &names,
                      const std::function<std::string(std::string_view)> &literal);

// Where the text finds a loop that has no name of its own: "f.args()[1]", "f.rvars(0)[2]". Empty
// for other loops.
std::string placeText(const LoopName &loop, const FoundNames &names, const Handles &handles);

// The text around the calls of a statement: "Func g = " before them, and brackets where they take
// several lines.
struct ChainFrame {
  std::string indent, before, open, close, end, comment;
};

// "f.split(x, xo, xi, 32).unroll(xi);", in one line if it is short. A variant is fetched by the
// conditions of `all` directives that made it, since Halide returns the one that it has already.
std::string chainText(std::span<const Directive> statement, std::span<const Directive> all,
                      const Handles &handles, const Dialect &dialect, ChainFrame frame);

// Groups of directives that print as one statement: successive directives of the same stage, or of
// the variant that the one before makes. A directive that makes a func stands alone.
std::vector<std::span<const Directive>> statements(std::span<const Directive> directives);

// "a, b, c" in lines of at most `width` columns. The first line begins with `start`, the others
// with as many spaces.
std::string wrapped(const std::string &start, const std::vector<std::string> &items,
                    std::size_t width);

// `text` with each `mark` replaced by `value`.
std::string filledIn(std::string text, std::string_view mark, std::string_view value);

inline constexpr std::size_t kTextWidth = 100;

// How a text calls what returns a size by Halide's name of it.
inline constexpr std::string_view kSizeFunction = "size";

// Whether a text needs that function.
bool usesSizes(std::span<const Directive> directives);

} // namespace tessera::schedule
