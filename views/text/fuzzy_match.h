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
};
std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text);

} // namespace tessera::views
