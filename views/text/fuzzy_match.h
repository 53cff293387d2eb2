// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringView>

#include <optional>

namespace tessera::views {

// How well a text contains the letters of a pattern in their order, and the positions of these
// letters. Letters at the start of a word score most, then consecutive letters. Blanks in the
// pattern and upper or lower case are ignored.
struct FuzzyMatch {
  int score = 0;
  QList<int> positions;
  // All letters stand in a row, or each run of them begins at the start of a word. Other matches
  // are scattered over the text by chance.
  bool isTight = true;
};
std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text);

} // namespace tessera::views
