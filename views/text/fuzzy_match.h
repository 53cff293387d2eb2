// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringView>

#include <optional>

namespace tessera::views {

// How well a text holds the letters of a pattern in their order, and which of its letters those
// are. Letters at the start of a word count most, then letters that follow one another; blanks of
// the pattern and case do not count.
struct FuzzyMatch {
  int score = 0;
  QList<int> positions;
};
std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text);

} // namespace tessera::views
