// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/choice_model.h"

#include "engine/schedule/text/decision_text.h"
#include "views/flows/shown_schedule.h"
#include "views/text/change_text.h"
#include "views/text/prediction_formula.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kToMilliseconds = 1e3;

} // namespace

ChoiceModel::ChoiceModel(QObject *parent) : QAbstractTableModel(parent) {}

void ChoiceModel::clear(double currentSeconds, MeasuredSeconds measured) {
  beginResetModel();
  m_choices.clear();
  m_added = 0;
  m_meant.clear();
  m_current = currentSeconds;
  m_measured = std::move(measured);
  endResetModel();
}

void ChoiceModel::append(document::Choices choices) {
  if (choices.empty()) return;
  forgetTyped();
  const int first = int(m_choices.size());
  beginInsertRows({}, first, first + int(choices.size()) - 1);
  std::move(choices.begin(), choices.end(), std::back_inserter(m_choices));
  endInsertRows();
}

void ChoiceModel::forgetTyped() {
  m_meant.clear();
  if (m_added == 0) return;
  beginRemoveRows({}, listedCount(), int(m_choices.size()) - 1);
  m_choices.erase(m_choices.end() - std::ptrdiff_t(std::exchange(m_added, 0)), m_choices.end());
  endRemoveRows();
}

void ChoiceModel::setTyped(document::Choices choices) {
  forgetTyped();
  const auto listed = std::span(m_choices);
  std::erase_if(choices, [&](const document::Choice &choice) {
    const auto same = std::ranges::find_if(listed, [&](const document::Choice &one) {
      return one.decision == choice.decision && one.value == choice.value;
    });
    if (same != listed.end()) m_meant.insert(std::size_t(same - listed.begin()));
    return same != listed.end();
  });
  if (!choices.empty()) {
    const int first = int(m_choices.size());
    beginInsertRows({}, first, first + int(choices.size()) - 1);
    m_added = choices.size();
    std::move(choices.begin(), choices.end(), std::back_inserter(m_choices));
    endInsertRows();
  }
  if (!m_meant.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

double ChoiceModel::changeOf(const document::Choice &choice) const {
  return m_current > 0 ? choice.seconds / m_current - 1 : 0;
}

int ChoiceModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_choices.size());
}

int ChoiceModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant ChoiceModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const document::Choice &choice = choiceAt(index.row());
  const double change = changeOf(choice);
  switch (role) {
  case Qt::DisplayRole:
    switch (index.column()) {
    case Decision:
      return QString::fromStdString(schedule::subjectOf(choice.after, choice.decision));
    case Value:
      return QString::fromStdString(choice.value);
    case Predicted:
      return tr("%1 ms").arg(threeDigits(choice.seconds * kToMilliseconds));
    case Change:
      return changeText(change);
    case Measured: {
      const auto known = m_measured.find(choice.after.hash());
      return known == m_measured.end()
                 ? QString()
                 : tr("%1 ms").arg(threeDigits(known->second * kToMilliseconds));
    }
    default:
      return {};
    }
  case Qt::ToolTipRole:
    return tr("%1: %2").arg(data(index.siblingAtColumn(Decision), Qt::DisplayRole).toString(),
                            data(index.siblingAtColumn(Value), Qt::DisplayRole).toString());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue((index.column() >= Predicted ? Qt::AlignRight : Qt::AlignLeft) |
                               Qt::AlignVCenter);
  case SortRole:
    return choice.seconds;
  case FasterRole:
    return std::abs(change) < kLeastChange ? 0 : change < 0 ? 1 : -1;
  case TypedRole:
    return index.row() >= listedCount() || m_meant.contains(std::size_t(index.row()));
  default:
    return {};
  }
}

QVariant ChoiceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::ToolTipRole && section == Measured)
    return tr(
        "The measured time of a candidate with these decisions, on this pipeline and these inputs");
  if (role == Qt::ToolTipRole && section >= Predicted) return predictionFormula();
  if (role != Qt::DisplayRole) return {};
  switch (section) {
  case Decision:
    return tr("Decision");
  case Value:
    return tr("Value");
  case Predicted:
    return tr("Predicted");
  case Change:
    return tr("Change");
  case Measured:
    return tr("Measured");
  default:
    return {};
  }
}

} // namespace tessera::views
