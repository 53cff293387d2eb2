// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace tessera::views {

namespace {

constexpr double kReach = 28;       // reach of the field around a member or a bridge
constexpr double kBridgeLess = 5;   // how much closer the outline is to a bridge than to a member
constexpr double kOthersReach = 12; // reach of the negative field around boxes that are not members
constexpr double kCell = 5;
constexpr double kMostCells = 1.2e6;
constexpr double kFlat = 0.35; // the largest distance by which thin() may move an outline

double fall(double distance, double reach) {
  const double part = 1 - distance / reach;
  return part > 0 ? part * part : 0;
}

const double kLevel = fall(kHullMargin, kReach);

double distanceTo(const QRectF &rect, QPointF p) {
  return std::hypot(std::max({rect.left() - p.x(), 0.0, p.x() - rect.right()}),
                    std::max({rect.top() - p.y(), 0.0, p.y() - rect.bottom()}));
}

double distanceTo(QPointF a, QPointF b, QPointF p) {
  const QPointF d = b - a;
  const double length = QPointF::dotProduct(d, d);
  const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / length, 0.0, 1.0) : 0.0;
  const QPointF off = p - (a + d * t);
  return std::hypot(off.x(), off.y());
}

class Field {
public:
  explicit Field(const QRectF &bounds)
      : m_bounds(bounds),
        m_cell(std::max(kCell, std::sqrt(bounds.width() * bounds.height() / kMostCells))),
        m_columns(int(std::ceil(bounds.width() / m_cell)) + 1),
        m_rows(int(std::ceil(bounds.height() / m_cell)) + 1),
        m_values(std::size_t(m_columns) * std::size_t(m_rows), 0.0F) {}

  // Calls change(value, point) for each grid point in `around`.
  template <typename Change>
  void changeIn(const QRectF &around, const Change &change) {
    const auto cell = [&](double distance, int cells) {
      return std::clamp(int(distance / m_cell), 0, cells - 1);
    };
    const int left = cell(around.left() - m_bounds.left(), m_columns);
    const int right = cell(around.right() - m_bounds.left() + m_cell, m_columns);
    const int top = cell(around.top() - m_bounds.top(), m_rows);
    const int bottom = cell(around.bottom() - m_bounds.top() + m_cell, m_rows);
    for (int row = top; row <= bottom; ++row)
      for (int column = left; column <= right; ++column)
        change(m_values[std::size_t(row) * std::size_t(m_columns) + std::size_t(column)],
               m_bounds.topLeft() + QPointF(column, row) * m_cell);
  }

  void addBox(const QRectF &box) {
    changeIn(box.adjusted(-kReach, -kReach, kReach, kReach),
             [&](float &value, QPointF p) { value += float(fall(distanceTo(box, p), kReach)); });
  }

  // The fields of the pieces of one bridge do not add up: at each grid point only the nearest piece
  // counts.
  void addBridge(const QPolygonF &line) {
    std::unordered_map<float *, float> best;
    for (qsizetype i = 0; i + 1 < line.size(); ++i)
      changeIn(QRectF(line[i], line[i + 1]).normalized().adjusted(-kReach, -kReach, kReach, kReach),
               [&](float &value, QPointF p) {
                 const double d = distanceTo(line[i], line[i + 1], p) + kBridgeLess;
                 float &most = best[&value];
                 most = std::max(most, float(fall(d, kReach)));
               });
    for (const auto &[value, more] : best)
      *value += more;
  }

  void takeBox(const QRectF &box) {
    changeIn(box.adjusted(-kOthersReach, -kOthersReach, kOthersReach, kOthersReach),
             [&](float &value, QPointF p) {
               const double distance = distanceTo(box, p);
               value =
                   distance == 0 ? 0 : std::max(0.0F, value - float(fall(distance, kOthersReach)));
             });
  }

  std::vector<QPolygonF> outlines() const {
    std::vector<QPolygonF> lines = contours(m_values, m_columns, float(kLevel));
    for (QPolygonF &line : lines)
      for (QPointF &point : line)
        point = m_bounds.topLeft() + point * m_cell;
    return lines;
  }

private:
  QRectF m_bounds;
  double m_cell;
  int m_columns, m_rows;
  std::vector<float> m_values;
};

QPolygonF roundedBox(const QRectF &box, double radius) {
  constexpr int kPieces = 6;
  QPolygonF line;
  const std::array<QPointF, 4> centres{box.bottomRight(), box.bottomLeft(), box.topLeft(),
                                       box.topRight()};
  for (int corner = 0; corner < 4; ++corner)
    for (int i = 0; i <= kPieces; ++i) {
      const double angle = (corner + double(i) / kPieces) * std::numbers::pi / 2;
      line << centres[std::size_t(corner)] + QPointF(std::cos(angle), std::sin(angle)) * radius;
    }
  return line;
}

// The line simplification of Ramer, Douglas and Peucker for line[first] … line[last].
void thin(const QPolygonF &line, qsizetype first, qsizetype last, QPolygonF &out) {
  double worst = 0;
  qsizetype at = first;
  for (qsizetype i = first + 1; i < last; ++i)
    if (const double d = distanceTo(line[first], line[last], line[i]); d > worst) {
      worst = d;
      at = i;
    }
  if (worst > kFlat) {
    thin(line, first, at, out);
    thin(line, at, last, out);
  } else {
    out << line[last];
  }
}

QPolygonF thinned(const QPolygonF &ring) {
  if (ring.size() < 8) return ring;
  QPolygonF out;
  thin(ring, 0, ring.size() / 2, out);
  QPolygonF rest = ring.mid(ring.size() / 2);
  rest << ring.first();
  thin(rest, 0, rest.size() - 1, out);
  return out;
}

double twiceArea(const QPolygonF &ring) {
  double area = 0;
  for (qsizetype i = 0; i < ring.size(); ++i) {
    const QPointF a = ring[i], b = ring[(i + 1) % ring.size()];
    area += a.x() * b.y() - b.x() * a.y();
  }
  return area;
}

} // namespace

namespace {

// An outline piece from one side of a cell to another. The index of the table is a sum over the
// corners of the cell that are inside: 1 for the upper left corner, 2 upper right, 4 lower right, 8
// lower left. Sides are numbered clockwise from the top, which is 0. If only two opposite corners
// are inside, each gets a piece of its own.
struct Piece {
  int from = -1, to = -1;
};
constexpr std::array<std::array<Piece, 2>, 16> kPieces{{{},
                                                        {{{3, 0}}},
                                                        {{{0, 1}}},
                                                        {{{3, 1}}},
                                                        {{{1, 2}}},
                                                        {{{3, 0}, {1, 2}}},
                                                        {{{0, 2}}},
                                                        {{{3, 2}}},
                                                        {{{2, 3}}},
                                                        {{{2, 0}}},
                                                        {{{0, 1}, {2, 3}}},
                                                        {{{2, 1}}},
                                                        {{{1, 3}}},
                                                        {{{1, 0}}},
                                                        {{{0, 3}}},
                                                        {}}};

} // namespace

// Marching squares. The inside is to the left of each piece, seen with y pointing down, so that
// outlines and holes run in opposite directions.
std::vector<QPolygonF> contours(std::span<const float> values, int columns, float level) {
  const int rows = columns > 0 ? int(values.size()) / columns : 0;
  const auto value = [&](int column, int row) {
    return values[std::size_t(row) * std::size_t(columns) + std::size_t(column)];
  };
  // The number of a line between two neighbouring grid points: 2·point for the line to the right of
  // `point`, 2·point + 1 for the line downwards from it.
  const auto side = [&](int column, int row, int down) {
    return 2 * (std::int64_t(row) * columns + column) + down;
  };
  const auto pointOn = [&](std::int64_t of) {
    const int column = int(of / 2 % columns), row = int(of / 2 / columns), down = int(of % 2);
    const double a = value(column, row), b = value(column + 1 - down, row + down);
    const double t = std::clamp((level - a) / (b - a), 0.02, 0.98);
    return down ? QPointF(column, row + t) : QPointF(column + t, row);
  };
  // Key: the side where a piece begins; value: where it ends.
  std::unordered_map<std::int64_t, std::int64_t> next;
  for (int row = 0; row + 1 < rows; ++row)
    for (int column = 0; column + 1 < columns; ++column) {
      const bool a = value(column, row) > level, b = value(column + 1, row) > level;
      const bool d = value(column, row + 1) > level, c = value(column + 1, row + 1) > level;
      const int inside = a + 2 * b + 4 * c + 8 * d;
      if (inside == 0 || inside == 15) continue;
      const std::array<std::int64_t, 4> sides{side(column, row, 0), side(column + 1, row, 1),
                                              side(column, row + 1, 0), side(column, row, 1)};
      for (const auto &[from, to] : kPieces[std::size_t(inside)])
        if (from >= 0) next[sides[std::size_t(from)]] = sides[std::size_t(to)];
    }
  std::vector<std::int64_t> starts;
  for (const auto &piece : next)
    starts.push_back(piece.first);
  std::ranges::sort(starts);
  std::vector<QPolygonF> rings;
  for (const std::int64_t start : starts) {
    QPolygonF ring;
    std::int64_t at = start;
    for (auto step = next.find(at); step != next.end(); step = next.find(at)) {
      ring << pointOn(at);
      at = step->second;
      next.erase(step);
    }
    if (ring.size() > 3) rings.push_back(std::move(ring));
  }
  return rings;
}

std::vector<QPolygonF> hullAround(const HullParts &parts) {
  if (parts.members.size() == 1) return {roundedBox(parts.members.front(), kHullMargin)};
  QRectF bounds;
  for (const QRectF &box : parts.members)
    bounds |= box;
  for (const QPolygonF &line : parts.bridges)
    bounds |= line.boundingRect();
  constexpr double kRoom = kReach + 2 * kCell;
  bounds.adjust(-kRoom, -kRoom, kRoom, kRoom);
  Field field(bounds);
  for (const QRectF &box : parts.members)
    field.addBox(box);
  for (const QPolygonF &line : parts.bridges)
    field.addBridge(line);
  for (const QRectF &box : parts.others)
    if (bounds.intersects(box)) field.takeBox(box);
  std::vector<QPolygonF> rings;
  for (QPolygonF &ring : field.outlines()) {
    const QRectF box = ring.boundingRect();
    const auto isIn = [&](const QRectF &other) { return box.intersects(other); };
    const bool isHole = twiceArea(ring) > 0;
    // A hole is filled if it contains no node other than the members.
    if (isHole && std::ranges::none_of(parts.others, isIn)) continue;
    rings.push_back(thinned(ring));
  }
  return rings;
}

} // namespace tessera::views
