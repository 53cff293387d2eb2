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

QString givenText(const report::GivenTolerance &given) {
  if (given.isNothing()) return {};
  return MeasurementWords::tr(", judged with the tolerance %1")
      .arg(QString::fromStdString(textOf(given)));
}

QString timeText(double seconds) { return QString::fromStdString(chart::timeText(seconds)); }

QString measuredText(const measure::KeptMeasurement &measurement) {
  const bench::Measurement &times = measurement.times;
  if (!times.comparison)
    return MeasurementWords::tr(
        "measured, but no time is shown because the outputs were not checked");
  if (!times.verified())
    return MeasurementWords::tr("measured, but no time is shown because the outputs do not tell "
                                "whether the schedule is right (%1)")
        .arg(QString::fromStdString(times.comparison->whyUndecided()));
  return MeasurementWords::tr("%1 measured on %2%3")
      .arg(timeText(times.backToBack.median), QString::fromStdString(times.machine),
           givenText(times.comparison->given));
}

QString unverifiedText(const bench::Measurement &times) {
  return times.comparison
             ? MeasurementWords::tr("The outputs do not tell whether the schedule is right (%1), "
                                    "so no time is shown")
                   .arg(QString::fromStdString(times.comparison->whyUndecided()))
             : MeasurementWords::tr(
                   "The outputs were not compared with the reference, so no time is shown");
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

QString verdictText(report::Verdict verdict) {
  switch (verdict) {
  case report::Verdict::Equal:
    return MeasurementWords::tr("equal");
  case report::Verdict::Different:
    return MeasurementWords::tr("DIFFERENT");
  case report::Verdict::Undecided:
    break;
  }
  return MeasurementWords::tr("undecided");
}

QString checkedText(const document::KeptVerification &verification) {
  const QString verdict = verdictText(verification.report.verdict());
  return (verification.api == measure::GpuApi::Host ? MeasurementWords::tr("%1, on the CPU")
                                                    : MeasurementWords::tr("%1, by OpenCL"))
      .arg(verdict);
}

QString verifiedText(const document::KeptVerification &verification) {
  const report::VerifyReport &report = verification.report;
  std::int64_t elements = 0, different = 0, wrong = 0, notNumbers = 0;
  for (const report::OutputComparison &output : report.outputs) {
    elements += output.elements;
    different += output.different;
    notNumbers += output.notNumbers;
    wrong += output.verdict() == report::Verdict::Different ? output.wrong() : 0;
  }
  const QString where = verification.api == measure::GpuApi::Host
                            ? MeasurementWords::tr("on the CPU, with GPU loops as plain loops")
                            : MeasurementWords::tr("by OpenCL");
  switch (report.verdict()) {
  case report::Verdict::Different:
    return MeasurementWords::tr(
               "wrong outputs (%1): %2 of %3 elements differ from the unscheduled pipeline's",
               nullptr, numerus(wrong))
               .arg(where, countText(wrong), countText(elements)) +
           givenText(report.given);
  case report::Verdict::Undecided:
    return MeasurementWords::tr("undecided (%1): the outputs do not tell whether the schedule is "
                                "right (%2)")
               .arg(where, QString::fromStdString(report.whyUndecided())) +
           givenText(report.given);
  case report::Verdict::Equal:
    break;
  }
  return MeasurementWords::tr(
             "verified (%1): the outputs equal those of the unscheduled pipeline (%2 "
             "elements, of which %3 differ, but only by rounding)",
             nullptr, numerus(different))
             .arg(where, countText(elements), countText(different)) +
         (notNumbers > 0 ? MeasurementWords::tr(", %1 are NaN in both").arg(countText(notNumbers))
                         : QString()) +
         givenText(report.given);
}

QString freshnessText(measure::Freshness freshness) {
  switch (freshness) {
  case measure::Freshness::Fresh:
    return MeasurementWords::tr("fresh");
  case measure::Freshness::OtherPipeline:
    return MeasurementWords::tr("stale: for another pipeline or size");
  case measure::Freshness::OtherInputs:
    return MeasurementWords::tr("stale: measured with other inputs or another tolerance");
  case measure::Freshness::OtherSchedule:
    break;
  }
  return MeasurementWords::tr("stale: for other decisions");
}

} // namespace tessera::views
