// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace tessera::views {

enum class LineChange : std::uint8_t { Same, Removed, Added };

// Two texts in one: the lines of both in order, with what happened to each. Of a line that is the
// same, as it is now.
struct TextDifference {
  QStringList lines;
  std::vector<LineChange> changes; // one for each line

  int count(LineChange change) const;
  std::vector<int> placesOfNow() const; // of each line of the text now, among the lines
};

// A text as it is compared: lines are the same whose keys are. Sections of one name belong
// together, and no line to one of another section.
struct ComparedText {
  struct Section {
    int first = 0; // line; it goes on to the next section
    QString name;
  };
  QStringList lines, keys;       // one key for each line
  std::vector<Section> sections; // by rising line; what is before them belongs together too
};

// With as few changes as possible in each section (Myers 1986, in linear space); one that is
// longer and more different than a second is worth is told apart as a whole.
TextDifference differenceOf(const ComparedText &before, const ComparedText &now,
                            const std::stop_token &stop = {});
TextDifference differenceOf(const QStringList &before, const QStringList &now);

} // namespace tessera::views
