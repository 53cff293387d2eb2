// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/machine/occupancy.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <vector>

namespace tessera::views {

// The property of a block that a curve varies; the other properties stay constant.
enum class BlockNumber : std::uint8_t { Threads, Registers, SharedBytes };
inline constexpr int kBlockNumbers = 3;

std::int64_t valueOf(const machine::BlockUse &use, BlockNumber number);
machine::BlockUse with(machine::BlockUse use, BlockNumber number, std::int64_t value);
std::vector<machine::OccupancyPoint> curveOver(const machine::Machine &machine,
                                               const machine::BlockUse &use, BlockNumber number);

// An occupancy curve as numbers, without drawing. It consists of steps, because only whole blocks
// fit.
class OccupancyCurve {
public:
  struct Tick {
    double at = 0;
    QString text;
    double value = 0;
  };
  struct Band { // neighbouring values with the same limiting resource
    double from = 0, to = 0;
    machine::Resource limiting{};
  };

  OccupancyCurve(std::vector<machine::OccupancyPoint> points, BlockNumber number,
                 const QRectF &plot);

  const QRectF &plot() const { return m_plot; }
  const std::vector<machine::OccupancyPoint> &points() const { return m_points; }
  const std::vector<Band> &bands() const { return m_bands; }
  std::vector<Tick> xTicks() const; // the wider the plot, the smaller their distance in value
  std::vector<Tick> yTicks() const;

  double xOf(std::int64_t value) const;
  double yOf(double fraction) const;
  // The value at the place `x`, rounded to the steps of the curve. These are the units in which the
  // hardware allocates, such as whole warps.
  std::int64_t valueAt(double x) const;
  std::int64_t least() const { return m_points.front().value; }
  std::int64_t most() const { return m_points.back().value; }
  std::int64_t step() const { return m_points[1].value - m_points[0].value; }

private:
  std::vector<machine::OccupancyPoint> m_points; // at least two
  BlockNumber m_number;
  QRectF m_plot;
  std::vector<Band> m_bands;
};

} // namespace tessera::views
