// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/text_difference.h"

#include <QHash>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

namespace tessera::views {

namespace {

using Lines = std::span<const int>; // lines, represented by the numbers of their keys

// Diagonals that the frontiers may visit in all sections together. This many take about a second.
constexpr qint64 kMostSteps = 300'000'000;

// Marks the lines of each text that have no counterpart in the other one.
class Differ {
public:
  Differ(Lines before, Lines now, const std::stop_token &stop)
      : m_before(before), m_now(now), m_stop(stop), m_isRemoved(before.size()),
        m_isAdded(now.size()) {}

  // The lines `first` … `end` - 1 of either text.
  struct Part {
    int first = 0, end = 0;
    int size() const { return end - first; }
  };
  void compare(Part before, Part now);

  bool isRemoved(int line) const { return m_isRemoved[static_cast<std::size_t>(line)]; }
  bool isAdded(int line) const { return m_isAdded[static_cast<std::size_t>(line)]; }

private:
  // A run of equal lines in the middle of a shortest edit path.
  struct Snake {
    Part before, now;
  };
  // The furthest point on each diagonal x - y = k that an edit path with a given number of changes
  // reaches. The path starts at the beginning or at the end of both texts.
  class Frontier {
  public:
    // Has room for the diagonals -most … most, and for one more on either side.
    explicit Frontier(int most) : m_offset(most + 1) {
      m_reached.assign(static_cast<std::size_t>(2 * most + 3), -2 * most - 2);
      at(1) = 0;
    }
    int &at(int k) { return m_reached[static_cast<std::size_t>(k + m_offset)]; }
    int next(int k, int changes) {
      const bool isDown = k == -changes || (k != changes && at(k - 1) < at(k + 1));
      return isDown ? at(k + 1) : at(k - 1) + 1;
    }

  private:
    int m_offset;
    std::vector<int> m_reached;
  };
  enum class From { Begin, End };

  std::optional<Snake> middleOf(Part before, Part now); // none: too many steps, or stopped
  bool isSame(int before, int now) const {
    return m_before[static_cast<std::size_t>(before)] == m_now[static_cast<std::size_t>(now)];
  }

  Lines m_before, m_now;
  const std::stop_token &m_stop;
  std::vector<bool> m_isRemoved, m_isAdded;
  qint64 m_steps = 0;
};

void Differ::compare(Part before, Part now) {
  for (; before.size() > 0 && now.size() > 0 && isSame(before.first, now.first); ++now.first)
    ++before.first;
  for (; before.size() > 0 && now.size() > 0 && isSame(before.end - 1, now.end - 1); --now.end)
    --before.end;
  if (before.size() > 0 && now.size() > 0) {
    if (const auto middle = middleOf(before, now)) {
      compare({before.first, middle->before.first}, {now.first, middle->now.first});
      return compare({middle->before.end, before.end}, {middle->now.end, now.end});
    }
  }
  for (int line = before.first; line < before.end; ++line)
    m_isRemoved[static_cast<std::size_t>(line)] = true;
  for (int line = now.first; line < now.end; ++line)
    m_isAdded[static_cast<std::size_t>(line)] = true;
}

// Searches from both ends until the frontiers meet. Half of the changes lie on each side of the
// meeting point.
std::optional<Differ::Snake> Differ::middleOf(Part before, Part now) {
  const int n = before.size(), m = now.size(), most = (n + m + 1) / 2;
  const bool isOdd = (n + m) % 2 != 0;
  Frontier forwards(most), backwards(most);
  for (int d = 0; d <= most; ++d) {
    m_steps += 2 * d;
    if (m_steps > kMostSteps || m_stop.stop_requested()) return std::nullopt;
    for (const From from : {From::Begin, From::End}) {
      const bool isBegin = from == From::Begin;
      Frontier &mine = isBegin ? forwards : backwards, &other = isBegin ? backwards : forwards;
      // Diagonals outside the two texts are skipped.
      for (int k = -(d - 2 * std::max(0, d - m)); k <= d - 2 * std::max(0, d - n); k += 2) {
        const int start = mine.next(k, d);
        int x = start, y = x - k;
        const auto goesOn = [&] {
          return x < n && y < m &&
                 (isBegin ? isSame(before.first + x, now.first + y)
                          : isSame(before.end - 1 - x, now.end - 1 - y));
        };
        while (goesOn())
          ++x, ++y;
        mine.at(k) = x;
        const int opposite = n - m - k, reach = isBegin ? d - 1 : d;
        if (isOdd != isBegin || std::abs(opposite) > reach || x + other.at(opposite) < n) continue;
        const int y0 = start - k;
        if (isBegin)
          return Snake{{before.first + start, before.first + x}, {now.first + y0, now.first + y}};
        return Snake{{before.end - x, before.end - start}, {now.end - y, now.end - y0}};
      }
    }
  }
  return std::nullopt;
}

// Assigns numbers to texts. Equal texts get equal numbers.
class Numbers {
public:
  std::vector<int> of(const QStringList &texts) {
    std::vector<int> all;
    for (const QString &text : texts) {
      const auto known = m_numbers.constFind(text);
      all.push_back(known != m_numbers.cend() ? *known : int(m_numbers.size()));
      if (known == m_numbers.cend()) m_numbers.insert(text, all.back());
    }
    return all;
  }

private:
  QHash<QString, int> m_numbers;
};

// Pairs of matching sections, in rising order in both texts.
std::vector<std::pair<int, int>> pairsOf(const ComparedText &before, const ComparedText &now) {
  const auto namesOf = [](const ComparedText &text) {
    QStringList names{QString()}; // the part before the first section
    for (const ComparedText::Section &section : text.sections)
      names << section.name;
    return names;
  };
  Numbers numbers;
  const std::vector<int> old = numbers.of(namesOf(before)), names = numbers.of(namesOf(now));
  const std::stop_token never;
  Differ differ(old, names, never);
  differ.compare({0, int(old.size())}, {0, int(names.size())});
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0, j = 0; i < int(old.size()) && j < int(names.size());) {
    if (differ.isRemoved(i))
      ++i;
    else if (differ.isAdded(j))
      ++j;
    else
      pairs.emplace_back(i++, j++);
  }
  return pairs;
}

// The first line of a section. Section 0 is the part before the first named one; the section after
// the last one begins at the end of the text.
int beginOf(const ComparedText &text, int section) {
  if (section == 0) return 0;
  const auto index = static_cast<std::size_t>(section - 1);
  return index < text.sections.size() ? text.sections[index].first : int(text.lines.size());
}

// The lines of both texts merged. In each change, the removed lines come before the added ones.
TextDifference merged(const ComparedText &before, const ComparedText &now, const Differ &differ) {
  TextDifference result;
  const auto add = [&](const QString &line, LineChange change) {
    result.lines << line;
    result.changes.push_back(change);
  };
  const int olds = int(before.lines.size()), news = int(now.lines.size());
  for (int i = 0, j = 0; i < olds || j < news;) {
    if (i < olds && differ.isRemoved(i)) {
      add(before.lines[i++], LineChange::Removed);
    } else if (j < news && differ.isAdded(j)) {
      add(now.lines[j++], LineChange::Added);
    } else {
      add(now.lines[j++], LineChange::Same);
      ++i;
    }
  }
  return result;
}

} // namespace

int TextDifference::count(LineChange change) const {
  return int(std::ranges::count(changes, change));
}

std::vector<int> TextDifference::placesOfNow() const {
  std::vector<int> places;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i] != LineChange::Removed) places.push_back(int(i));
  return places;
}

TextDifference differenceOf(const ComparedText &before, const ComparedText &now,
                            const std::stop_token &stop) {
  Numbers numbers;
  const std::vector<int> old = numbers.of(before.keys), current = numbers.of(now.keys);
  Differ differ(old, current, stop);
  int i = 0, j = 0; // lines compared so far
  // Marks the old lines before `line` as removed and the new ones before `lineNow` as added,
  // because their sections have no counterpart.
  const auto skipTo = [&](int line, int lineNow) {
    differ.compare({i, line}, {j, j});
    differ.compare({line, line}, {j, lineNow});
    i = line;
    j = lineNow;
  };
  for (const auto &[a, b] : pairsOf(before, now)) {
    skipTo(beginOf(before, a), beginOf(now, b));
    differ.compare({i, beginOf(before, a + 1)}, {j, beginOf(now, b + 1)});
    i = beginOf(before, a + 1);
    j = beginOf(now, b + 1);
  }
  skipTo(int(old.size()), int(current.size()));
  return merged(before, now, differ);
}

TextDifference differenceOf(const QStringList &before, const QStringList &now) {
  return differenceOf({before, before, {}}, {now, now, {}});
}

} // namespace tessera::views
