// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/measurement_text.h"

#include "engine/chart/quantity_text.h"

#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"

#include <QCoreApplication>

namespace tessera::views {

namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Measurement)
};

} // namespace

QString timeText(double seconds) { return QString::fromStdString(chart::timeText(seconds)); }

QString measuredText(const measure::KeptMeasurement &measurement) {
  const bench::Measurement &times = measurement.times;
  if (!times.verified())
    return Words::tr("measured, but no time is shown because the outputs were not checked");
  return Words::tr("%1 measured on %2")
      .arg(timeText(times.backToBack.median), QString::fromStdString(times.machine));
}

QString clocksText(const bench::DeviceState &state) {
  if (state.multiprocessorMhz == 0) return Words::tr("not known");
  QString text =
      Words::tr("%1 MHz, memory %2 MHz").arg(state.multiprocessorMhz).arg(state.memoryMhz);
  for (const std::string &reason : state.throttled)
    text += Words::tr(", throttled: %1").arg(QString::fromStdString(reason));
  return text;
}

QString checkedText(const document::KeptVerification &verification) {
  const bool isHost = verification.api == measure::GpuApi::Host;
  if (verification.report.equal())
    return isHost ? Words::tr("equal, on the CPU") : Words::tr("equal, by OpenCL");
  return isHost ? Words::tr("DIFFERENT, on the CPU") : Words::tr("DIFFERENT, by OpenCL");
}

QString verifiedText(const document::KeptVerification &verification) {
  std::int64_t elements = 0, different = 0, beyond = 0;
  for (const report::OutputComparison &output : verification.report.outputs) {
    elements += output.elements;
    different += output.different;
    beyond += output.equal() ? 0 : output.beyond;
  }
  const QString where = verification.api == measure::GpuApi::Host
                            ? Words::tr("on the CPU, GPU loops as plain loops")
                            : Words::tr("by OpenCL");
  if (!verification.report.equal())
    return Words::tr("wrong outputs (%1): %2 of %3 elements differ from the unscheduled pipeline's",
                     nullptr, numerus(beyond))
        .arg(where, countText(beyond), countText(elements));
  return Words::tr("verified (%1): the outputs equal those of the unscheduled pipeline (%2 "
                   "elements, of which %3 differ, but only by rounding)",
                   nullptr, numerus(different))
      .arg(where, countText(elements), countText(different));
}

QString freshnessText(measure::Freshness freshness) {
  switch (freshness) {
  case measure::Freshness::Fresh:
    return Words::tr("fresh");
  case measure::Freshness::OtherPipeline:
    return Words::tr("stale: for another pipeline or size");
  case measure::Freshness::OtherInputs:
    return Words::tr("stale: measured with other inputs");
  case measure::Freshness::OtherSchedule:
    break;
  }
  return Words::tr("stale: for other decisions");
}

} // namespace tessera::views
