// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/measurement_text.h"

#include "engine/chart/quantity_text.h"

#include <QCoreApplication>

namespace tessera::views {

namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Measurement)
};

} // namespace

QString timeText(double seconds) { return QString::fromStdString(chart::timeText(seconds)); }

QString measuredText(const session::KeptMeasurement &measurement) {
  const bench::Measurement &times = measurement.times;
  if (!times.verified()) return Words::tr("measured, but nobody checked its outputs: no time");
  return Words::tr("%1 measured on %2")
      .arg(timeText(times.backToBack.median), QString::fromStdString(times.machine));
}

QString clocksText(const bench::DeviceState &state) {
  if (state.multiprocessorMhz == 0) return Words::tr("not known");
  QString text =
      Words::tr("%1 MHz, memory %2 MHz").arg(state.multiprocessorMhz).arg(state.memoryMhz);
  for (const std::string &reason : state.throttled)
    text += Words::tr(", held back: %1").arg(QString::fromStdString(reason));
  return text;
}

QString freshnessText(session::Freshness freshness) {
  switch (freshness) {
  case session::Freshness::Fresh:
    return Words::tr("fresh");
  case session::Freshness::OtherPipeline:
    return Words::tr("stale: of another pipeline or size");
  case session::Freshness::OtherSchedule:
    break;
  }
  return Words::tr("stale: of other decisions");
}

} // namespace tessera::views
