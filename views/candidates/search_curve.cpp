// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/search_curve.h"

#include "engine/chart/log_axis.h"
#include "views/flows/shown_schedule.h"
#include "views/plot/plot_parts.h"

#include <algorithm>
#include <cmath>

namespace tessera::views {

namespace {

constexpr double kAir = 0.08;    // part of the height that stays free above the curve, and below
constexpr double kTickRoom = 80; // pixels between two labels of the search time
// With fewer points, as after a very short search, the chart is hidden to save space.
constexpr std::size_t kFewest = 3;
constexpr PlotAxes kAxes = {.isLogY = true};

QString secondsText(double seconds) { return SearchCurve::tr("%1 s").arg(threeDigits(seconds)); }
QString runText(double milliseconds) {
  return SearchCurve::tr("%1 ms").arg(threeDigits(milliseconds));
}

} // namespace

SearchCurve::SearchCurve(QWidget *parent) : PlotView(kAxes, parent) {
  setObjectName(QStringLiteral("searchCurve"));
  setAccessibleName(tr("Best so far"));
  setMinimumHeight(84);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  showAxes(true, false);
  // The value of a point holds until the next point.
  m_steps = &addGraph(plot(), QCPGraph::lsStepLeft);
  m_last = &addMarks(plot());
  m_title = new QCPItemText(&plot());
  m_title->setSelectable(false);
  m_title->setText(tr("best so far"));
  m_title->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
  m_title->position->setType(QCPItemPosition::ptAxisRectRatio);
  m_title->position->setCoords(1, 0);
}

QSize SearchCurve::sizeHint() const { return {200, 84}; }

void SearchCurve::clear() {
  m_points.clear();
  m_steps->data()->clear();
  forgetZoom();
  setVisible(false);
}

void SearchCurve::add(Point point) {
  m_points.push_back(point);
  m_steps->addData(point.seconds, point.predicted);
  setVisible(m_points.size() >= kFewest);
  setAccessibleDescription(
      tr("%1 ms after %2 s").arg(threeDigits(point.predicted), threeDigits(point.seconds)));
  changed();
}

// From the start of the search to the last point, with the fastest time near the bottom.
ChartWindow SearchCurve::whole() const {
  const auto [low, high] = std::ranges::minmax_element(m_points, {}, &Point::predicted);
  // If all points have the same time, a minimal range puts them at the bottom.
  const double range = std::max(std::log(high->predicted / low->predicted), 1e-3);
  const double air = range * kAir / (1 - 2 * kAir);
  return {0, std::max(m_points.back().seconds, 1e-9), low->predicted * std::exp(-air),
          low->predicted * std::exp(range + air)};
}

QMargins SearchCurve::room() const {
  const QFontMetrics metrics(smallFont());
  int widest = 0;
  for (const PlotTick &tick : {PlotTick{0, runText(888.8)}, PlotTick{0, runText(0.0888)}})
    widest = std::max(widest, metrics.horizontalAdvance(tick.text));
  return {widest + 14, 6, 20, metrics.height() + 8};
}

// Labels the shortest and the longest time, and round values between them if there is room.
std::vector<PlotTick> SearchCurve::ticksOfTimes() const {
  const PlotScale now = scale();
  const ChartWindow &seen = now.window();
  const auto [low, high] = std::ranges::minmax_element(m_points, {}, &Point::predicted);
  chart::LogAxis round;
  round.fitTo(seen.leastY, seen.mostY, now.field().bottom(), now.field().top());
  std::vector<double> values{low->predicted, high->predicted};
  std::ranges::copy(round.steps(), std::back_inserter(values));
  const double line = QFontMetricsF(smallFont()).height();
  std::vector<PlotTick> ticks;
  for (const double value : values) {
    const auto isNear = [&](const PlotTick &tick) {
      return std::abs(now.yOf(tick.value) - now.yOf(value)) <= line;
    };
    if (std::ranges::none_of(ticks, isNear)) ticks.push_back({value, runText(value)});
  }
  return ticks;
}

void SearchCurve::fill() {
  const PlotScale now = scale();
  std::vector<PlotTick> ticks;
  for (const double seconds :
       linearSteps(now.window().leastX, now.window().mostX, now.field().width() / kTickRoom))
    ticks.push_back({seconds, seconds == 0 ? QStringLiteral("0") : secondsText(seconds)});
  setTicks(*plot().xAxis, std::move(ticks));
  setTicks(*plot().yAxis, ticksOfTimes());
  m_steps->setPen(QPen(colors().accent, 1.6));
  m_steps->setBrush(mix(colors().canvas, colors().accent, colors().dark ? 0.22 : 0.10));
  m_last->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colors().accent, 6));
  m_last->data()->clear();
  const Point &last = m_points.back();
  if (last.seconds <= now.window().mostX) m_last->addData(last.seconds, last.predicted);
  m_title->setFont(smallFont());
  m_title->setColor(colors().faintText);
}

// Describes the step under the pointer.
QString SearchCurve::textAt(QPointF place) const {
  QString all = tr("Predicted time of the best schedule found so far, against the time since the "
                   "search began; predicted times are on a logarithmic scale");
  const double seconds = scale().xAt(place.x());
  const auto next = std::ranges::upper_bound(m_points, seconds, {}, &Point::seconds);
  if (!field().contains(place) || next == m_points.begin()) return all;
  return tr("%1 ms after %2 s")
             .arg(threeDigits((next - 1)->predicted), threeDigits((next - 1)->seconds)) +
         '\n' + all;
}

} // namespace tessera::views
