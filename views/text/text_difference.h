// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace tessera::views {

enum class LineChange : std::uint8_t { Same, Removed, Added };

// Two texts merged into one: the lines of both in order, each with its change. A line that is the
// same in both is taken from the new text.
struct TextDifference {
  QStringList lines;
  std::vector<LineChange> changes; // one for each line

  int count(LineChange change) const;
  std::vector<int> placesOfNow() const; // indexed by the line of the new text: its index in `lines`
};

// A text prepared for comparison. Lines are equal if their keys are. Sections of the same name are
// compared with each other, and a line never matches a line of another section.
struct ComparedText {
  struct Section {
    int first = 0; // its first line; the section ends where the next one begins
    QString name;
  };
  QStringList lines, keys; // one key for each line
  // Sorted by first line. The lines before the first section are compared like a section.
  std::vector<Section> sections;
};

// Makes as few changes as possible in each section (Myers 1986, in linear space). If the texts are
// so long and so different that this would take more than about a second, the parts that remain
// then are replaced as a whole.
TextDifference differenceOf(const ComparedText &before, const ComparedText &now,
                            const std::stop_token &stop = {});
TextDifference differenceOf(const QStringList &before, const QStringList &now);

} // namespace tessera::views
