// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/text_difference.h"

#include <algorithm>

namespace tessera::views {

namespace {

constexpr int kMostChanges = 2000; // 2000² / 2 numbers are kept: 16 MB

// How far one gets along each diagonal x - y = k with so many changes.
using Frontier = std::vector<int>;

class Differ {
public:
  Differ(const QStringList &before, const QStringList &now)
      : m_before(before), m_now(now), m_n(int(before.size())), m_m(int(now.size())) {}

  TextDifference compare() {
    const int changes = walk();
    if (changes < 0) {
      for (const QString &line : m_before)
        add(line, LineChange::Removed);
      for (const QString &line : m_now)
        add(line, LineChange::Added);
      return std::move(m_result);
    }
    trace(changes);
    std::ranges::reverse(m_result.lines);
    std::ranges::reverse(m_result.changes);
    return std::move(m_result);
  }

private:
  void add(const QString &line, LineChange change) {
    m_result.lines << line;
    m_result.changes.push_back(change);
  }
  // Whether the furthest way along k with d changes comes from an added line.
  bool comesFromAbove(const Frontier &last, int d, int k) const {
    return k == -d || (k != d && last[at(d - 1, k - 1)] < last[at(d - 1, k + 1)]);
  }
  // Frontiers of d changes have the diagonals -d … d.
  static std::size_t at(int d, int k) { return static_cast<std::size_t>(k + d); }

  int walk();
  void trace(int changes);

  const QStringList &m_before, &m_now;
  const int m_n, m_m;
  std::vector<Frontier> m_frontiers; // by the number of changes
  TextDifference m_result;
};

// The number of changes; -1: too many.
int Differ::walk() {
  for (int d = 0; d <= std::min(m_n + m_m, kMostChanges); ++d) {
    Frontier now(static_cast<std::size_t>(2 * d + 1));
    for (int k = -d; k <= d; k += 2) {
      int x = 0;
      if (d > 0) {
        const Frontier &last = m_frontiers.back();
        x = comesFromAbove(last, d, k) ? last[at(d - 1, k + 1)] : last[at(d - 1, k - 1)] + 1;
      }
      while (x < m_n && x - k < m_m && x - k >= 0 && m_before[x] == m_now[x - k])
        ++x;
      now[at(d, k)] = x;
      if (x >= m_n && x - k >= m_m) {
        m_frontiers.push_back(std::move(now));
        return d;
      }
    }
    m_frontiers.push_back(std::move(now));
  }
  return -1;
}

// Backwards along the frontiers.
void Differ::trace(int changes) {
  int x = m_n, y = m_m;
  for (int d = changes; d > 0; --d) {
    const Frontier &last = m_frontiers[static_cast<std::size_t>(d - 1)];
    const int k = x - y;
    const bool isAdded = comesFromAbove(last, d, k);
    const int from = isAdded ? k + 1 : k - 1;
    const int start = last[at(d - 1, from)] + (isAdded ? 0 : 1); // after the change
    for (; x > start; --x, --y)
      add(m_before[x - 1], LineChange::Same);
    if (isAdded)
      add(m_now[--y], LineChange::Added);
    else
      add(m_before[--x], LineChange::Removed);
  }
  for (; x > 0; --x)
    add(m_before[x - 1], LineChange::Same);
}

} // namespace

int TextDifference::count(LineChange change) const {
  return int(std::ranges::count(changes, change));
}

TextDifference differenceOf(const QStringList &before, const QStringList &now) {
  return Differ(before, now).compare();
}

} // namespace tessera::views
