// SPDX-License-Identifier: MIT
#include "engine/chart/roof_words.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::chart {

namespace {

// Approximate pixels of a word: width per letter, height above and depth below the baseline.
constexpr double kLetter = 6.6, kUp = 10, kDown = 3; // for letters of 11.5 pixels
constexpr double kAbove = 5, kBelow = 13;            // from the line to the baseline of its word
constexpr double kFirst = 14, kStep = 12; // first place along a slanted line, distance of the next
constexpr double kLeastLine = 24;         // least length of a flat line above or below its word

// The width of a word in pixels. Counts the first bytes of UTF-8 characters, so each character
// once.
double widthOf(const std::string &text) {
  return kLetter * static_cast<double>(std::ranges::count_if(text, [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
         }));
}

// The box of a word with its baseline at the origin, before it is turned.
Box boxOf(const std::string &label, bool endsThere) {
  const double width = widthOf(label), left = endsThere ? -width : 0;
  return {left, -kUp, left + width, kDown};
}

} // namespace

TurnedBox wordBoxOf(const RoofLine &roof) {
  return {roof.labelAt, boxOf(roof.label, roof.labelEndsThere), roof.labelAngle};
}

TurnedBox wordBoxOf(const CompulsoryLine &line) {
  return {line.labelAt, boxOf(line.label, line.labelEndsThere), 0};
}

RoofWords::RoofWords(const Frame &frame)
    : m_frame{frame.left, frame.top, frame.right(), frame.bottom()} {}

void RoofWords::keepOffLine(Point from, Point to) {
  m_lines.push_back({from, to, TurnedBox::along(from, to, 2)});
}

bool RoofWords::isFree(const TurnedBox &box, const RoofLine &own) const {
  const auto touches = [&](const TurnedBox &other) { return box.touches(other); };
  if (!box.isWithin(m_frame) || std::ranges::any_of(m_taken, touches)) return false;
  return std::ranges::none_of(m_lines, [&](const Line &line) {
    const bool isOwn = line.from.x == own.from.x && line.from.y == own.from.y &&
                       line.to.x == own.to.x && line.to.y == own.to.y;
    return !isOwn && touches(line.box);
  });
}

// Tries places along flat lines from the right end, along slanted lines from the left end. The
// word of the slowest level is first tried below its line, since the next line above may be near.
bool RoofWords::tryPlaces(RoofLine &roof) const {
  const double dx = roof.to.x - roof.from.x, dy = roof.to.y - roof.from.y;
  const double length = std::hypot(dx, dy);
  if (length <= 0) return false;
  const Point along{dx / length, dy / length};
  const bool isFlat = !roof.level;
  const bool isBelowFirst = roof.level == cost::Level::Dram;
  roof.labelEndsThere = isFlat;
  roof.labelAngle = isFlat ? 0 : std::atan2(dy, dx) * 180 / std::numbers::pi;
  // For a flat line, `last` ignores the width of the word: a long word may begin left of the line.
  const double first = isFlat ? 6 : kFirst;
  const double last = length - (isFlat ? kLeastLine : widthOf(roof.label));
  for (double at = first; at <= last; at += kStep) {
    const double place = isFlat ? length - at : at;
    for (const bool isBelow : {isBelowFirst, !isBelowFirst}) {
      const double away = isBelow ? -kBelow : kAbove;
      roof.labelAt = {roof.from.x + place * along.x + away * along.y,
                      roof.from.y + place * along.y - away * along.x};
      if (isFree(wordBoxOf(roof), roof)) return true;
    }
  }
  return false;
}

void RoofWords::place(RoofLine &roof) {
  const std::string whole = roof.label;
  for (const std::string &label : {whole, whole.substr(0, whole.find("  "))}) {
    roof.label = label;
    if (!tryPlaces(roof)) continue;
    m_taken.push_back(wordBoxOf(roof));
    return;
  }
  roof.label.clear();
}

void RoofWords::place(CompulsoryLine &line) {
  constexpr double kBeside = 6, kFoot = 9, kHigher = 8;
  const double middle = (m_frame.left + m_frame.right) / 2;
  for (double y = m_frame.bottom - kFoot; y > m_frame.top; y -= kHigher)
    for (const bool isLeft : {line.x > middle, line.x <= middle}) {
      line.labelEndsThere = isLeft;
      line.labelAt = {line.x + (isLeft ? -kBeside : kBeside), y};
      if (!isFree(wordBoxOf(line), {})) continue;
      m_taken.push_back(wordBoxOf(line));
      return;
    }
  line.label.clear();
}

} // namespace tessera::chart
