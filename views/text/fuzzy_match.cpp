// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/fuzzy_match.h"

#include <QString>

#include <algorithm>
#include <limits>
#include <vector>

namespace tessera::views {

namespace {

constexpr int kFirst = 12, kWordStart = 9, kFollows = 6, kLetter = 1;
// Number of skipped letters between two matched ones; skipping more letters costs no more.
constexpr int kMostGap = 3;
constexpr int kNever = std::numeric_limits<int>::min() / 2;

// In "blur_y.update", "GaussPyramid" and "Go to", a word starts after a character that is no letter
// or digit, at a capital after a small letter, and at a number.
bool startsWord(QStringView text, qsizetype at) {
  if (!text[at].isLetterOrNumber()) return false;
  if (at == 0) return true;
  const QChar before = text[at - 1];
  return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper()) ||
         (before.isLetter() && text[at].isDigit());
}

// See FuzzyMatch::isTight: "occ" is tight in "Occupancy", and scattered in "Close Decisions".
bool areTight(QStringView text, const QList<int> &positions) {
  int starts = 0, strayStarts = 0;
  for (qsizetype i = 0; i < positions.size(); ++i) {
    if (i > 0 && positions[i] == positions[i - 1] + 1) continue;
    ++starts;
    if (!startsWord(text, positions[i])) ++strayStarts;
  }
  return strayStarts == 0 || starts == 1;
}

int worthOf(QStringView text, qsizetype at) {
  return at == 0 ? kFirst : startsWord(text, at) ? kWordStart : kLetter;
}

} // namespace

// Dynamic programming, one row for each letter of the pattern: best[i][j] is the best score of a
// match whose last letter is text[j], and from[i][j] the place of the letter before it. Gaps longer
// than kMostGap cost the same, so for them a running maximum replaces the search backwards.
std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text) {
  const QString letters = pattern.toString().toCaseFolded().remove(' ');
  const QString folded = text.toString().toCaseFolded();
  if (folded.size() != text.size()) return std::nullopt; // a letter folds to two letters
  const auto rows = std::size_t(letters.size()), columns = std::size_t(text.size());
  if (rows == 0) return FuzzyMatch{};
  if (rows > columns) return std::nullopt;
  std::vector<std::vector<int>> best(rows, std::vector<int>(columns, kNever));
  std::vector<std::vector<int>> from(rows, std::vector<int>(columns, -1));
  for (std::size_t i = 0; i < rows; ++i) {
    // The best score in the row above, among columns more than kMostGap letters before j, and its
    // column.
    int far = kNever, farAt = -1;
    for (std::size_t j = i; j < columns; ++j) {
      if (i > 0 && j > kMostGap && best[i - 1][j - kMostGap - 1] > far) {
        farAt = int(j) - kMostGap - 1;
        far = best[i - 1][std::size_t(farAt)];
      }
      if (folded[qsizetype(j)] != letters[qsizetype(i)]) continue;
      const int worth = worthOf(text, qsizetype(j));
      if (i == 0) {
        best[i][j] = worth;
        continue;
      }
      if (far > kNever) {
        best[i][j] = far + worth - kMostGap;
        from[i][j] = farAt;
      }
      for (std::size_t back = 1; back <= std::min<std::size_t>(kMostGap, j); ++back) {
        const int before = best[i - 1][j - back];
        if (before == kNever) continue;
        const int score = before + (back == 1 ? std::max(worth, kFollows) : worth - int(back) + 1);
        if (score <= best[i][j]) continue;
        best[i][j] = score;
        from[i][j] = int(j - back);
      }
    }
  }
  const auto last = std::ranges::max_element(best.back());
  if (*last == kNever) return std::nullopt;
  FuzzyMatch match{*last, {}, false};
  int at = int(last - best.back().begin());
  for (std::size_t i = rows; i-- > 0; at = from[i][std::size_t(at)])
    match.positions.prepend(at);
  match.isTight = areTight(text, match.positions);
  return match;
}

} // namespace tessera::views
