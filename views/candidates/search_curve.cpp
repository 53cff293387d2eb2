// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/search_curve.h"

#include "views/flows/shown_schedule.h"
#include "views/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tessera::views {

namespace {
constexpr double kAir = 0.08; // of the height, above and below
// A single step, as of a search that is over at once, tells less than the room that it takes.
constexpr std::size_t kFewest = 3;
} // namespace

SearchCurve::SearchCurve(QWidget *parent) : QWidget(parent) {
  setObjectName(QStringLiteral("searchCurve"));
  setAccessibleName(tr("Best so far"));
  setToolTip(tr("The best schedule of the search so far, over its time; times on a logarithmic "
                "scale"));
  setMinimumHeight(84);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize SearchCurve::sizeHint() const { return {200, 84}; }

void SearchCurve::clear() {
  m_points.clear();
  setVisible(false);
  update();
}

void SearchCurve::add(Point point) {
  m_points.push_back(point);
  setVisible(m_points.size() >= kFewest);
  setAccessibleDescription(
      tr("%1 ms after %2 s").arg(threeDigits(point.predicted), threeDigits(point.seconds)));
  update();
}

std::vector<QPointF> stepsIn(const std::vector<SearchCurve::Point> &points, QRectF field) {
  if (points.size() < 2) return {};
  const auto byTime = [](const auto &a, const auto &b) { return a.predicted < b.predicted; };
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), byTime);
  const double least = std::log(low->predicted), range = std::log(high->predicted) - least;
  const double end = std::max(points.back().seconds, 1e-9);
  const auto y = [&](double predicted) {
    const double share = range > 0 ? (std::log(predicted) - least) / range : 0;
    return field.bottom() - field.height() * (kAir + share * (1 - 2 * kAir));
  };
  std::vector<QPointF> corners;
  for (const SearchCurve::Point &point : points) {
    const double x = field.left() + field.width() * point.seconds / end;
    if (!corners.empty()) corners.push_back({x, corners.back().y()});
    corners.push_back({x, y(point.predicted)});
  }
  return corners;
}

void SearchCurve::paintEvent(QPaintEvent *) {
  if (m_points.size() < 2) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colors colors(palette());
  painter.fillRect(rect(), colors.canvas);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.88);
  painter.setFont(small);
  const QFontMetrics metrics(small);
  const auto [low, high] =
      std::minmax_element(m_points.begin(), m_points.end(),
                          [](const Point &a, const Point &b) { return a.predicted < b.predicted; });
  const QString best = tr("%1 ms").arg(threeDigits(low->predicted));
  const QString worst = tr("%1 ms").arg(threeDigits(high->predicted));
  const int left = std::max(metrics.horizontalAdvance(best), metrics.horizontalAdvance(worst)) + 16;
  const QRectF field(left, 6, width() - left - 12, height() - 12 - metrics.height());
  painter.setPen(QPen(colors.line, 1));
  painter.drawLine(field.bottomLeft(), field.bottomRight());
  painter.drawLine(field.topLeft(), field.bottomLeft());
  const std::vector<QPointF> corners = stepsIn(m_points, field);
  QPainterPath line(corners.front());
  for (const QPointF &corner : corners)
    line.lineTo(corner);
  QPainterPath area = line;
  area.lineTo(corners.back().x(), field.bottom());
  area.lineTo(corners.front().x(), field.bottom());
  area.closeSubpath();
  painter.fillPath(area, mix(colors.canvas, colors.accent, colors.dark ? 0.22 : 0.10));
  painter.setPen(QPen(colors.accent, 1.6));
  painter.drawPath(line);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors.accent);
  painter.drawEllipse(corners.back(), 3, 3);
  painter.setPen(colors.faintText);
  const auto label = [&](double y, const QString &text) {
    painter.drawText(QRectF(0, y - metrics.height() / 2.0, left - 6, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, text);
  };
  const auto yOf = [](const QPointF &a, const QPointF &b) { return a.y() < b.y(); };
  const auto [top, bottom] = std::minmax_element(corners.begin(), corners.end(), yOf);
  label(bottom->y(), best);
  if (bottom->y() - top->y() > metrics.height()) label(top->y(), worst);
  painter.drawText(QRectF(field.left(), field.bottom() + 1, field.width(), metrics.height()),
                   Qt::AlignRight, tr("%1 s").arg(threeDigits(m_points.back().seconds)));
  painter.drawText(QRectF(field.left(), field.bottom() + 1, field.width(), metrics.height()),
                   Qt::AlignLeft, tr("best so far"));
}

} // namespace tessera::views
