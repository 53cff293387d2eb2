// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plot/plot_scale.h"

#include <algorithm>
#include <cmath>

namespace tessera::views {

namespace {

// The relative position of `value` between `least` and `most`.
double partOf(bool isLog, double least, double most, double value) {
  return isLog ? std::log(value / least) / std::log(most / least)
               : (value - least) / (most - least);
}

double valueAt(bool isLog, double least, double most, double part) {
  return isLog ? least * std::pow(most / least, part) : least + (most - least) * part;
}

// False if the range is so small that rounding errors show, or much larger than the data.
bool isSeen(bool isLog, double least, double most, double whole) {
  constexpr double kLeastRatio = 1.01, kMostRatio = 1e12, kLeastPart = 1e-4;
  if (isLog) return most / least > kLeastRatio && most / least < kMostRatio;
  return (most - least) / whole > kLeastPart;
}

// Moves the range `least` … `most` of a linear axis back into the whole range.
void keepWithin(double &least, double &most, double wholeLeast, double wholeMost) {
  const double span = std::min(most - least, wholeMost - wholeLeast);
  least = std::clamp(least, wholeLeast, std::max(wholeMost - span, wholeLeast));
  most = least + span;
}

} // namespace

double PlotScale::xOf(double value) const {
  return m_field.left() +
         m_field.width() * partOf(m_axes.isLogX, m_window.leastX, m_window.mostX, value);
}

double PlotScale::yOf(double value) const {
  return m_field.bottom() -
         m_field.height() * partOf(m_axes.isLogY, m_window.leastY, m_window.mostY, value);
}

double PlotScale::xAt(double place) const {
  return valueAt(m_axes.isLogX, m_window.leastX, m_window.mostX,
                 (place - m_field.left()) / m_field.width());
}

double PlotScale::yAt(double place) const {
  return valueAt(m_axes.isLogY, m_window.leastY, m_window.mostY,
                 (m_field.bottom() - place) / m_field.height());
}

ChartWindow PlotScale::windowOf(const QRectF &place) const {
  ChartWindow window{xAt(place.left()), xAt(place.right()), m_window.leastY, m_window.mostY};
  if (!m_axes.canZoomY) return window;
  window.leastY = yAt(place.bottom());
  window.mostY = yAt(place.top());
  return window;
}

std::optional<ChartWindow> PlotScale::zoomed(double factor, QPointF about,
                                             const ChartWindow &whole) const {
  const bool isBesideX = m_axes.canZoomY && about.x() < m_field.left();
  const bool isBelowY = m_axes.canZoomY && !isBesideX && about.y() > m_field.bottom();
  const auto scaled = [&](double edge, double middle) { return middle + (edge - middle) / factor; };
  QRectF place = m_field;
  if (!isBesideX) {
    place.setLeft(scaled(m_field.left(), about.x()));
    place.setRight(scaled(m_field.right(), about.x()));
  }
  if (!isBelowY) {
    place.setTop(scaled(m_field.top(), about.y()));
    place.setBottom(scaled(m_field.bottom(), about.y()));
  }
  ChartWindow window = windowOf(place);
  if (!m_axes.isLogX) keepWithin(window.leastX, window.mostX, whole.leastX, whole.mostX);
  const bool canBeSeen =
      isSeen(m_axes.isLogX, window.leastX, window.mostX, whole.mostX - whole.leastX) &&
      (!m_axes.canZoomY ||
       isSeen(m_axes.isLogY, window.leastY, window.mostY, whole.mostY - whole.leastY));
  return canBeSeen ? std::optional(window) : std::nullopt;
}

ChartWindow PlotScale::panned(QPointF by, const ChartWindow &whole) const {
  ChartWindow window = windowOf(m_field.translated(-by));
  if (!m_axes.isLogX) keepWithin(window.leastX, window.mostX, whole.leastX, whole.mostX);
  return window;
}

QRectF PlotScale::stretched(const ChartWindow &whole) const {
  const double left = xOf(whole.leastX);
  return {left, m_field.top(), xOf(whole.mostX) - left, m_field.height()};
}

std::vector<double> linearSteps(double least, double most, double count) {
  std::vector<double> steps;
  if (!(most > least) || !(count > 0)) return steps;
  const double atLeast = (most - least) / count;
  const double power = std::pow(10, std::floor(std::log10(atLeast)));
  double apart = 10 * power;
  for (const double digit : {5.0, 2.0, 1.0})
    if (digit * power >= atLeast) apart = digit * power;
  const double first = std::ceil(least / apart - 1e-9);
  for (int i = 0; (first + i) * apart <= most + apart * 1e-9; ++i)
    steps.push_back((first + i) * apart);
  return steps;
}

} // namespace tessera::views
