// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/measurement_text.h"

#include "engine/chart/quantity_text.h"

#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"

#include <QCoreApplication>

namespace tessera::views {

namespace {

struct MeasurementWords {
  Q_DECLARE_TR_FUNCTIONS(Measurement)
};

} // namespace

QString timeText(double seconds) { return QString::fromStdString(chart::timeText(seconds)); }

QString measuredText(const measure::KeptMeasurement &measurement) {
  const bench::Measurement &times = measurement.times;
  if (!times.verified())
    return MeasurementWords::tr(
        "measured, but no time is shown because the outputs were not checked");
  return MeasurementWords::tr("%1 measured on %2")
      .arg(timeText(times.backToBack.median), QString::fromStdString(times.machine));
}

QString clocksText(const bench::DeviceState &state) {
  if (state.multiprocessorMhz == 0) return MeasurementWords::tr("not known");
  QString text = MeasurementWords::tr("%1 MHz, memory %2 MHz")
                     .arg(state.multiprocessorMhz)
                     .arg(state.memoryMhz);
  for (const std::string &reason : state.throttled)
    text += MeasurementWords::tr(", throttled: %1").arg(QString::fromStdString(reason));
  return text;
}

QString checkedText(const document::KeptVerification &verification) {
  const bool isHost = verification.api == measure::GpuApi::Host;
  if (verification.report.equal())
    return isHost ? MeasurementWords::tr("equal, on the CPU")
                  : MeasurementWords::tr("equal, by OpenCL");
  return isHost ? MeasurementWords::tr("DIFFERENT, on the CPU")
                : MeasurementWords::tr("DIFFERENT, by OpenCL");
}

QString verifiedText(const document::KeptVerification &verification) {
  std::int64_t elements = 0, different = 0, beyond = 0;
  for (const report::OutputComparison &output : verification.report.outputs) {
    elements += output.elements;
    different += output.different;
    beyond += output.equal() ? 0 : output.beyond;
  }
  const QString where = verification.api == measure::GpuApi::Host
                            ? MeasurementWords::tr("on the CPU, with GPU loops as plain loops")
                            : MeasurementWords::tr("by OpenCL");
  if (!verification.report.equal())
    return MeasurementWords::tr(
               "wrong outputs (%1): %2 of %3 elements differ from the unscheduled pipeline's",
               nullptr, numerus(beyond))
        .arg(where, countText(beyond), countText(elements));
  return MeasurementWords::tr(
             "verified (%1): the outputs equal those of the unscheduled pipeline (%2 "
             "elements, of which %3 differ, but only by rounding)",
             nullptr, numerus(different))
      .arg(where, countText(elements), countText(different));
}

QString freshnessText(measure::Freshness freshness) {
  switch (freshness) {
  case measure::Freshness::Fresh:
    return MeasurementWords::tr("fresh");
  case measure::Freshness::OtherPipeline:
    return MeasurementWords::tr("stale: for another pipeline or size");
  case measure::Freshness::OtherInputs:
    return MeasurementWords::tr("stale: measured with other inputs");
  case measure::Freshness::OtherSchedule:
    break;
  }
  return MeasurementWords::tr("stale: for other decisions");
}

} // namespace tessera::views
