// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <cstdint>
#include <vector>

namespace tessera::views {

enum class LineChange : std::uint8_t { Same, Removed, Added };

// Two texts in one: the lines of both in order, with what happened to each.
struct TextDifference {
  QStringList lines;
  std::vector<LineChange> changes; // one for each line

  int count(LineChange change) const;
};

// With as few changes as possible (Myers 1986, O((n + m) d)). Texts that differ in more than a few
// thousand lines are told apart as a whole.
TextDifference differenceOf(const QStringList &before, const QStringList &now);

} // namespace tessera::views
