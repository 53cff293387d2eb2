// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/occupancy_curve.h"

#include "views/text/stage_summary.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

using machine::BlockUse;
using machine::OccupancyPoint;

std::int64_t valueOf(const BlockUse &use, BlockNumber number) {
  return number == BlockNumber::Threads     ? use.threads
         : number == BlockNumber::Registers ? use.registers
                                            : use.sharedBytes;
}

BlockUse with(BlockUse use, BlockNumber number, std::int64_t value) {
  (number == BlockNumber::Threads     ? use.threads
   : number == BlockNumber::Registers ? use.registers
                                      : use.sharedBytes) = value;
  return use;
}

std::vector<OccupancyPoint> curveOver(const machine::Machine &machine, const BlockUse &use,
                                      BlockNumber number) {
  switch (number) {
  case BlockNumber::Threads:
    return overThreads(machine, use);
  case BlockNumber::Registers:
    return overRegisters(machine, use);
  case BlockNumber::SharedBytes:
    break;
  }
  return overSharedBytes(machine, use);
}

OccupancyCurve::OccupancyCurve(std::vector<OccupancyPoint> points, BlockNumber number,
                               const QRectF &plot)
    : m_points(std::move(points)), m_number(number), m_plot(plot) {
  // What limits at a value between two points is what limits at the next higher point.
  double from = m_plot.left();
  for (const OccupancyPoint &point : m_points) {
    const double to = xOf(point.value);
    if (!m_bands.empty() && m_bands.back().limiting == point.occupancy.limiting)
      m_bands.back().to = to;
    else
      m_bands.push_back({from, to, point.occupancy.limiting});
    from = to;
  }
}

double OccupancyCurve::xOf(std::int64_t value) const {
  return m_plot.left() + m_plot.width() * double(value) / double(most());
}

double OccupancyCurve::yOf(double fraction) const {
  return m_plot.bottom() - m_plot.height() * fraction;
}

std::int64_t OccupancyCurve::valueAt(double x) const {
  const double part = (x - m_plot.left()) / m_plot.width();
  const auto steps = std::llround(part * double(most()) / double(step()));
  return std::clamp<std::int64_t>(steps * step(), least(), most());
}

std::vector<OccupancyCurve::Tick> OccupancyCurve::xTicks() const {
  constexpr std::int64_t kKibi = 1024;
  const bool isShared = m_number == BlockNumber::SharedBytes;
  std::int64_t apart = m_number == BlockNumber::Threads     ? 256
                       : m_number == BlockNumber::Registers ? 64
                       : most() > 64 * kKibi                ? 32 * kKibi
                                                            : 16 * kKibi;
  constexpr double kWide = 240; // pixels
  const std::int64_t least = isShared ? kKibi : step();
  while (apart / 2 >= least && m_plot.width() * double(apart) / double(most()) > kWide)
    apart /= 2;
  std::vector<Tick> ticks;
  for (std::int64_t value = 0; value <= most(); value += apart) {
    const QString number = countText(isShared ? value / kKibi : value);
    const bool isLast = value + apart > most();
    ticks.push_back({xOf(value),
                     isShared && isLast
                         ? QCoreApplication::translate("Occupancy", "%1 KiB").arg(number)
                         : number,
                     double(value)});
  }
  return ticks;
}

std::vector<OccupancyCurve::Tick> OccupancyCurve::yTicks() const {
  std::vector<Tick> ticks;
  for (const int percent : {0, 25, 50, 75})
    ticks.push_back({yOf(percent / 100.0), countText(percent), percent / 100.0});
  ticks.push_back(
      {yOf(1), QCoreApplication::translate("Occupancy", "%1 %").arg(countText(100)), 1});
  return ticks;
}

} // namespace tessera::views
