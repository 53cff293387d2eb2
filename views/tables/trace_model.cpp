// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/trace_model.h"

#include "views/flows/shown_schedule.h"
#include "views/text/column_head.h"
#include "views/text/from_std.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>
#include <limits>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kTraceMicro = 1e6;
constexpr int kTraceDigits = 4; // of costs in an algorithm's own unit

bool isTraceNumber(int column) {
  return column == TraceModel::Step || column == TraceModel::Cost || column == TraceModel::Benefit;
}

// The numbers of a row, and why it was refused.
QString notesOf(const search::TraceRow &row) {
  QStringList notes;
  for (const auto &[name, value] : row.counts)
    notes << QStringLiteral("%1 %2").arg(QLocale().toString(value, 'f', 0), from(name));
  if (!row.reason.empty()) notes << from(row.reason);
  return notes.join(QStringLiteral(", "));
}

} // namespace

QString outcomeText(search::TraceOutcome outcome) {
  switch (outcome) {
  case search::TraceOutcome::Taken:
    return TraceModel::tr("taken");
  case search::TraceOutcome::Refused:
    return TraceModel::tr("refused");
  case search::TraceOutcome::Frozen:
    return TraceModel::tr("frozen");
  case search::TraceOutcome::Tried:
    break;
  }
  return TraceModel::tr("tried");
}

TraceModel::TraceModel(QObject *parent) : QAbstractTableModel(parent) {}

void TraceModel::setTrace(TracePtr trace, pipeline::PipelinePtr pipeline) {
  beginResetModel();
  m_trace = std::move(trace);
  m_subjects.clear();
  if (m_trace && pipeline)
    for (const pipeline::Func &func : pipeline->funcs())
      m_subjects.emplace(func.name, Subject::stage(func.firstStage));
  endResetModel();
}

std::vector<Subject> TraceModel::subjectsAt(int row) const {
  std::vector<Subject> subjects;
  for (const std::string &func : rowAt(row).funcs)
    if (const auto subject = m_subjects.find(func); subject != m_subjects.end())
      subjects.push_back(subject->second);
  return subjects;
}

int TraceModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() || !m_trace ? 0 : static_cast<int>(m_trace->rows.size());
}

int TraceModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

bool TraceModel::hasTimes() const { return m_trace && m_trace->unit == "s"; }

QString TraceModel::costText(const std::optional<double> &cost) const {
  if (!cost) return {};
  if (!hasTimes()) return QLocale().toString(*cost, 'g', kTraceDigits);
  const QString text = threeDigits(std::abs(*cost) * kTraceMicro);
  return *cost < 0 ? QLocale().negativeSign() + text : text;
}

QString TraceModel::display(int row, int column) const {
  const search::TraceRow &at = rowAt(row);
  switch (column) {
  case Step:
    return QLocale().toString(row + 1);
  case Phase:
    return from(at.phase);
  case What:
    return from(at.what);
  case Funcs: {
    QStringList names;
    for (const std::string &func : at.funcs)
      names << from(func);
    return names.join(QStringLiteral(", "));
  }
  case Cost:
    return costText(at.cost);
  case Benefit:
    return costText(at.benefit);
  case Outcome:
    return outcomeText(at.outcome);
  case Why:
    return notesOf(at);
  default:
    return {};
  }
}

QVariant TraceModel::sortKey(int row, int column) const {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const search::TraceRow &at = rowAt(row);
  if (column == Step) return row;
  if (column == Cost) return at.cost.value_or(kNone);
  if (column == Benefit) return at.benefit.value_or(kNone);
  return display(row, column);
}

QVariant TraceModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  switch (role) {
  case Qt::DisplayRole:
  case Qt::ToolTipRole:
    return display(index.row(), index.column());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue((isTraceNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                               Qt::AlignVCenter);
  case SortRole:
    return sortKey(index.row(), index.column());
  case OutcomeRole:
    return static_cast<int>(rowAt(index.row()).outcome);
  default:
    return {};
  }
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const auto head = [&]() -> ColumnHead {
    switch (section) {
    case Step:
      return {tr("Step"), tr("In the order of the search")};
    case Phase:
      return {tr("Phase"), tr("The phase of the algorithm")};
    case What:
      return {tr("What"), tr("What was decided or tried")};
    case Funcs:
      return {tr("Funcs"), tr("The funcs that it concerns; selecting the row selects them")};
    case Cost:
      return hasTimes()
                 ? ColumnHead{tr("Cost µs"), tr("Predicted time of the kernels that it changes")}
                 : ColumnHead{tr("Cost"), tr("By the algorithm's own model, in its unit")};
    case Benefit:
      return {hasTimes() ? tr("Benefit µs") : tr("Benefit"),
              tr("What it costs less than without it")};
    case Outcome:
      return {tr("Outcome"), tr("Taken or refused; frozen: decided for the rest of the search; "
                                "tried: a pass with its numbers")};
    case Why:
      return {tr("Why"), tr("Why it was refused, or its numbers")};
    default:
      return {};
    }
  }();
  return head.data(role, isTraceNumber(section) ? Qt::AlignRight : Qt::AlignLeft);
}

} // namespace tessera::views
