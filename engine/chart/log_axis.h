// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tessera::chart {

// A logarithmic axis, which maps values to positions in a drawing.
class LogAxis {
public:
  // Extends the axis to a value. fit() then adds a margin and rounds outwards to quarters of a
  // decade. Values that are not positive are ignored.
  void show(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    const double power = std::log10(value);
    m_least = std::min(m_least, power);
    m_most = std::max(m_most, power);
  }
  void fit(double from, double to) {
    if (m_least > m_most) m_least = m_most = 0;
    m_least = std::floor((m_least - kMargin) * 4) / 4;
    m_most = std::ceil((m_most + kMargin) * 4) / 4;
    m_from = from;
    m_to = to;
  }

  // Shows exactly the range between two positive values.
  void fitTo(double least, double most, double from, double to) {
    m_least = std::log10(least);
    m_most = std::log10(most);
    m_from = from;
    m_to = to;
  }

  double least() const { return std::pow(10, m_least); }
  double most() const { return std::pow(10, m_most); }
  double perDecade() const { return (m_to - m_from) / (m_most - m_least); }
  double at(double value) const { return m_from + (std::log10(value) - m_least) * perDecade(); }
  double valueAt(double place) const {
    return std::pow(10, m_least + (place - m_from) / perDecade());
  }
  bool shows(double value) const { return value >= least() && value <= most(); }
  // The values 1, 2, 5, 10, 20 … in the visible range.
  std::vector<double> steps() const {
    std::vector<double> steps;
    for (int power = static_cast<int>(std::floor(m_least)); power <= m_most; ++power)
      for (const int digit : {1, 2, 5}) {
        const double value = digit * std::pow(10, power);
        if (value >= least() * kAlmost && value <= most() / kAlmost) steps.push_back(value);
      }
    return steps;
  }
  static bool isDecade(double value) {
    const double power = std::log10(value);
    return std::abs(power - std::round(power)) < 1e-6;
  }

private:
  static constexpr double kMargin = 0.12, kAlmost = 0.999;
  double m_least = 1e9, m_most = -1e9; // log10 of the smallest and the largest value
  double m_from = 0, m_to = 1;
};

} // namespace tessera::chart
