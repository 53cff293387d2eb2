// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/measurement_model.h"
#include "views/text/from_std.h"

#include "engine/chart/quantity_text.h"
#include "views/text/column_head.h"
#include "views/text/measurement_text.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace tessera::views {

using bench::Measurement;

namespace {

bool isTime(int column) {
  switch (column) {
  case MeasurementModel::Median:
  case MeasurementModel::Lower:
  case MeasurementModel::Upper:
  case MeasurementModel::Predicted:
  case MeasurementModel::Kernels:
  case MeasurementModel::Gaps:
  case MeasurementModel::Allocations:
    return true;
  default:
    return false;
  }
}

bool isMeasuredNumber(int column) {
  return isTime(column) || column == MeasurementModel::Spread || column == MeasurementModel::Ratio;
}

QString spreadLine(const QString &what, const bench::Spread &spread) {
  return MeasurementModel::tr("%1: %2 (%3 to %4, %5 samples)", nullptr, int(spread.samples))
      .arg(what, timeText(spread.median), timeText(spread.lower), timeText(spread.upper))
      .arg(spread.samples);
}

// All times of a measurement, one line each.
QString timesText(const Measurement &times) {
  QStringList lines;
  for (const auto &[what, spread] :
       {std::pair(MeasurementModel::tr("Consecutive runs, without pauses"), times.backToBack),
        {MeasurementModel::tr("Single runs, with synchronisation"), times.single},
        {MeasurementModel::tr("Runs with a cold second-level cache"), times.coldCache},
        {MeasurementModel::tr("Runs as a CUDA graph"), times.graph},
        {MeasurementModel::tr("Runs that allocate every buffer themselves"), times.allocating}})
    if (spread.measured()) lines << spreadLine(what, spread);
  for (const std::string &remark : times.remarks)
    lines << from(remark);
  return lines.join('\n');
}

// The state of a verification that is fresh.
QString resultText(const report::VerifyReport &report) {
  switch (report.verdict()) {
  case report::Verdict::Equal:
    return MeasurementModel::tr("verified");
  case report::Verdict::Different:
    return MeasurementModel::tr("wrong outputs");
  case report::Verdict::Undecided:
    break;
  }
  return MeasurementModel::tr("undecided");
}

} // namespace

MeasurementModel::MeasurementModel(QObject *parent) : QAbstractTableModel(parent) {}

void MeasurementModel::setDocument(const document::Document *document) {
  std::vector<Row> rows;
  if (document)
    for (const document::CandidatePtr &candidate : document->candidates()) {
      if (candidate->label.isRemoved) continue;
      for (std::size_t age = 0; candidate->measurement && age <= candidate->earlier.size(); ++age) {
        Row row{candidate, Kind::Measured, age};
        row.freshness = measure::freshnessOf(row.measurement()->of, document->basisOf(*candidate));
        rows.push_back(std::move(row));
      }
      if (candidate->verification)
        rows.push_back(
            {candidate, Kind::Verified, 0, document->freshnessOfVerification(*candidate)});
    }
  if (rows == m_rows) return;
  const auto id = [](const Row &row) { return std::tuple(row.candidate->id, row.kind, row.age); };
  if (!std::ranges::equal(rows, m_rows, {}, id, id)) {
    beginResetModel();
    m_rows = std::move(rows);
    return endResetModel();
  }
  m_rows = std::move(rows);
  emit dataChanged(index(0, 0), index(int(m_rows.size()) - 1, ColumnCount - 1));
}

void MeasurementModel::setCurrent(ShownSchedulePtr shown) {
  if (shown == m_current) return;
  m_current = std::move(shown);
  if (!m_rows.empty())
    emit dataChanged(index(0, 0), index(int(m_rows.size()) - 1, ColumnCount - 1));
}

std::optional<int> MeasurementModel::rowOf(std::uint64_t id, Kind kind) const {
  const auto at = std::ranges::find_if(
      m_rows, [&](const Row &row) { return row.candidate->id == id && row.kind == kind; });
  if (at == m_rows.end()) return std::nullopt;
  return int(at - m_rows.begin());
}

int MeasurementModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

int MeasurementModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

// A measurement whose outputs were not checked has no time, and no number derived from it.
std::optional<double> MeasurementModel::number(const Row &row, int column) const {
  const auto &predicted = row.candidate->predictedSeconds;
  if (column == Predicted) return predicted;
  if (!row.measurement()) return std::nullopt;
  const Measurement &times = row.measurement()->times;
  if (!times.verified() || !times.backToBack.measured()) return std::nullopt;
  const bench::Spread &spread = times.backToBack;
  switch (column) {
  case Median:
    return spread.median;
  case Lower:
    return spread.lower;
  case Upper:
    return spread.upper;
  case Spread:
    return (spread.upper - spread.lower) / spread.median;
  case Ratio:
    return predicted && *predicted > 0 ? std::optional(spread.median / *predicted) : std::nullopt;
  case Kernels:
    return times.kernelSeconds();
  case Gaps:
    return times.gapSeconds();
  case Allocations:
    return times.allocationSeconds();
  default:
    return std::nullopt;
  }
}

QString MeasurementModel::display(const Row &row, int column) const {
  if (isMeasuredNumber(column)) {
    const auto value = number(row, column);
    if (!value) return column != Median ? QString() : tr("no time");
    if (isTime(column)) return timeText(*value);
    return column == Spread ? tr("%1 %").arg(QLocale().toString(*value * 100, 'f', 1))
                            : from(chart::timesText(*value));
  }
  if (column == Candidate) return from(row.candidate->label.name);
  return row.measurement() ? measured(row, column) : verified(row, column);
}

QString MeasurementModel::measured(const Row &row, int column) const {
  const Measurement &times = row.measurement()->times;
  switch (column) {
  case State:
    return !times.verified() ? tr("unverified")
           : row.age > 0 && row.freshness == measure::Freshness::Fresh
               ? tr("earlier")
               : freshnessText(row.freshness);
  case Checked:
    return times.comparison ? verdictText(times.comparison->verdict()) : tr("not compared");
  case Machine:
    return from(times.machine);
  case Driver:
    return from(times.driver);
  case Clocks:
    return clocksText(times.before);
  case Date:
    return from(times.date);
  case Program:
    return from(times.program);
  default:
    return {};
  }
}

// A verification ran on no GPU, so it has no driver and no clocks.
QString MeasurementModel::verified(const Row &row, int column) const {
  const document::KeptVerification &verification = *row.candidate->verification;
  switch (column) {
  case State:
    return row.freshness == measure::Freshness::Fresh ? resultText(verification.report)
                                                      : freshnessText(row.freshness);
  case Checked:
    return verdictText(verification.report.verdict());
  case Machine:
    return verification.api == measure::GpuApi::Host ? tr("CPU, plain loops")
                                                     : tr("OpenCL on this machine");
  case Date:
    return from(verification.date);
  case Program:
    return from(verification.program);
  default:
    return {};
  }
}

QString MeasurementModel::toolTip(const Row &row, int column) const {
  if (column == Candidate)
    return tr("%1\nDouble-click or press Return to make this the current schedule")
        .arg(display(row, Candidate));
  if (column == Predicted)
    return tr("Time predicted by the cost model for %1").arg(from(row.candidate->machine));
  if (row.measurement()) return measuredToolTip(row, column);
  if (column == Median)
    return tr("Verifying measures no times, because it does not run on the GPU");
  return column == State || column == Checked ? verifiedText(*row.candidate->verification)
                                              : display(row, column);
}

QString MeasurementModel::measuredToolTip(const Row &row, int column) const {
  const measure::KeptMeasurement &measurement = *row.measurement();
  const Measurement &times = measurement.times;
  switch (column) {
  case Median:
    return times.verified() ? timesText(times) : unverifiedText(times);
  case State:
    return !times.verified() ? unverifiedText(times)
                             : tr("%1\nBundle %2\nPipeline %3")
                                   .arg(freshnessText(row.freshness), from(times.librarySha256),
                                        measurement.of.contentSha256.empty()
                                            ? tr("not known")
                                            : from(measurement.of.contentSha256));
  case Ratio:
    return tr("Time measured on %1 ÷ time predicted for %2")
        .arg(from(times.machine), from(row.candidate->machine));
  case Kernels:
    return times.kernelClock == bench::KernelClock::Events
               ? tr("Launches × median time, summed over all kernels. The times are from CUDA "
                    "events, which add a few microseconds per launch")
               : tr("Launches × median time, summed over all kernels. The times are from NVIDIA's "
                    "profiler");
  case Clocks:
    return tr("Before: %1\nAfter: %2").arg(clocksText(times.before), clocksText(times.after));
  case Date:
    return tr("%1, by %2, CUDA %3")
        .arg(from(times.date), from(times.program), from(times.cudaVersion));
  default:
    return display(row, column);
  }
}

QVariant MeasurementModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Row &row = m_rows[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    return display(row, index.column());
  case Qt::ToolTipRole:
    return toolTip(row, index.column());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue((isMeasuredNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                               Qt::AlignVCenter);
  case SortRole:
    // In ascending order, rows without a number come last.
    return isMeasuredNumber(index.column())
               ? QVariant(number(row, index.column()).value_or(std::numeric_limits<double>::max()))
               : QVariant(display(row, index.column()));
  case IdRole:
    return qulonglong(row.candidate->id);
  case StaleRole:
    return row.freshness != measure::Freshness::Fresh;
  case CheckedRole:
    return row.measurement() ? row.measurement()->times.verified()
                             : row.candidate->verification->report.equal();
  case EarlierRole:
    return row.age > 0;
  case WrongRole:
    return row.kind == Kind::Verified && row.candidate->verification->report.different();
  case CurrentRole:
    return m_current && row.candidate->schedule == m_current->found.schedule;
  default:
    return {};
  }
}

QVariant MeasurementModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ColumnHead heads[ColumnCount] = {
      {tr("Candidate"), tr("The candidate whose schedule was measured or verified")},
      {tr("State"),
       tr("Whether the measurement still belongs to the current pipeline and decisions")},
      {tr("Median"),
       tr("Median time of consecutive runs, without pauses, that keep their allocations")},
      {tr("Lower"), tr("Lower quartile of the time of a run")},
      {tr("Upper"), tr("Upper quartile of the time of a run")},
      {tr("Spread"), tr("Spread of the times: (upper − lower quartile) ÷ median")},
      {tr("Predicted"), tr("Time predicted by the cost model")},
      {tr("Ratio"), tr("Measured time ÷ predicted time")},
      {tr("Kernels"),
       tr("Time of all kernels in a run: the sum of launches × median time of each kernel")},
      {tr("Gaps"), tr("Time outside the kernels (median time of a run minus the sum of its "
                      "kernels): launch overhead and work of the host")},
      {tr("Allocating"), tr("How much longer a run takes if it allocates every buffer itself")},
      {tr("Checked"), tr("Whether the outputs equal those of the unscheduled pipeline")},
      {tr("Machine"), tr("The GPU that the candidate was measured on, or where it was verified")},
      {tr("Driver"), tr("The GPU's driver")},
      {tr("Clocks"), tr("The GPU's clocks before the measurement, and what throttled them")},
      {tr("Date"), tr("When the candidate was measured or verified, in UTC")},
      {tr("Program"), tr("Version and commit of the program that measured or verified")}};
  return heads[section].data(role, isMeasuredNumber(section) ? Qt::AlignRight : Qt::AlignLeft);
}

} // namespace tessera::views
