// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/candidate_model.h"

#include "views/text/column_head.h"
#include "views/text/from_std.h"
#include "views/text/measurement_text.h"
#include "views/text/prediction_formula.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::views {

using document::CandidateOrigin;
using document::CandidatePtr;
using document::KeptCandidate;

namespace {

constexpr double kMilli = 1e3;
constexpr double kLeast = 0.0005; // smaller changes are shown as "±0 %"

bool isCandidateNumber(int column) {
  return column == CandidateModel::Predicted || column == CandidateModel::Relative ||
         column == CandidateModel::Measured;
}

// The measured time, even if the outputs were not found equal: the callers check that.
std::optional<double> measured(const KeptCandidate &candidate) {
  if (!candidate.measurement || !candidate.measurement->times.backToBack.measured())
    return std::nullopt;
  return candidate.measurement->times.backToBack.median;
}

// A measurement on a GPU compares the outputs first, so it can serve as a verification.
bool isCheckedOnGpu(const KeptCandidate &candidate) {
  return candidate.measurement && candidate.measurement->times.verified();
}

} // namespace

QString originText(CandidateOrigin origin) {
  switch (origin) {
  case CandidateOrigin::Search:
    return QCoreApplication::translate("Candidates", "search");
  case CandidateOrigin::User:
    return QCoreApplication::translate("Candidates", "you");
  case CandidateOrigin::Imported:
    return QCoreApplication::translate("Candidates", "imported");
  case CandidateOrigin::Manual:
    return QCoreApplication::translate("Candidates", "by hand");
  case CandidateOrigin::Default:
    return QCoreApplication::translate("Candidates", "default");
  case CandidateOrigin::Peer:
    return QCoreApplication::translate("Candidates", "another's");
  }
  return {};
}

CandidateModel::CandidateModel(QObject *parent) : QAbstractTableModel(parent) {}

// Usually candidates were only added at the end or changed in place. The model is then not reset,
// so that a view keeps its selection.
void CandidateModel::setCandidates(std::vector<CandidatePtr> candidates,
                                   const measure::Basis &now) {
  if (std::exchange(m_now, now) != now && !m_candidates.empty())
    emit dataChanged(index(0, Measured), index(int(m_candidates.size()) - 1, Checked));
  std::erase_if(candidates, [](const CandidatePtr &one) { return one->label.isRemoved; });
  const auto id = [](const CandidatePtr &one) { return one->id; };
  const bool isLonger = candidates.size() >= m_candidates.size() &&
                        std::equal(m_candidates.begin(), m_candidates.end(), candidates.begin(),
                                   [&](const auto &a, const auto &b) { return id(a) == id(b); });
  if (!isLonger) {
    beginResetModel();
    m_candidates = std::move(candidates);
    return endResetModel();
  }
  for (std::size_t i = 0; i < m_candidates.size(); ++i)
    if (std::exchange(m_candidates[i], candidates[i]) != candidates[i])
      emit dataChanged(index(int(i), 0), index(int(i), ColumnCount - 1));
  if (candidates.size() == m_candidates.size()) return;
  beginInsertRows({}, int(m_candidates.size()), int(candidates.size()) - 1);
  m_candidates = std::move(candidates);
  endInsertRows();
}

void CandidateModel::setCurrent(ShownSchedulePtr shown) {
  if (shown == m_current) return;
  m_current = std::move(shown);
  if (!m_candidates.empty())
    emit dataChanged(index(0, 0), index(int(m_candidates.size()) - 1, ColumnCount - 1));
}

std::optional<int> CandidateModel::rowOf(std::uint64_t id) const {
  const auto at = std::ranges::find(m_candidates, id, &KeptCandidate::id);
  if (at == m_candidates.end()) return std::nullopt;
  return int(at - m_candidates.begin());
}

bool CandidateModel::isCurrent(const KeptCandidate &candidate) const {
  return m_current && candidate.schedule == m_current->found.schedule;
}

bool CandidateModel::isFresh(const KeptCandidate &candidate, const measure::Basis &found) const {
  measure::Basis now = m_now;
  now.scheduleHash = candidate.schedule.hash();
  return measure::freshnessOf(found, now) == measure::Freshness::Fresh;
}

bool CandidateModel::isStale(const KeptCandidate &candidate) const {
  return candidate.measurement && !isFresh(candidate, candidate.measurement->of);
}

// Chooses between the results of a measurement and of a verification. A fresh result takes
// precedence over a stale one. If both are fresh, wrong outputs take precedence over right ones.
// Otherwise the measurement's result is shown.
CandidateModel::Check CandidateModel::checkOf(const KeptCandidate &candidate) const {
  const auto &verification = candidate.verification;
  const bool isOnGpu = isCheckedOnGpu(candidate);
  const bool isVerifiedNow = verification && isFresh(candidate, verification->of);
  if (isOnGpu && (!isVerifiedNow || (!verification->report.different() && !isStale(candidate))))
    return {tr("equal, on the GPU"), isStale(candidate), false};
  if (!verification) return {};
  return {checkedText(*verification), !isVerifiedNow, verification->report.different()};
}

void CandidateModel::setPredictions(const CandidatePredictions *predictions) {
  m_predictions = predictions;
  predictionsChanged();
}

void CandidateModel::predictionsChanged() {
  if (!m_candidates.empty())
    emit dataChanged(index(0, Predicted), index(int(m_candidates.size()) - 1, Relative));
}

std::optional<CandidatePredictions::Prediction>
CandidateModel::predicted(const KeptCandidate &candidate) const {
  if (!m_predictions) return CandidatePredictions::Prediction{candidate.predictedSeconds, {}};
  return m_predictions->of(candidate);
}

// Predictions are compared only on the same machine; times on different machines are not
// comparable.
std::optional<double> CandidateModel::relative(const KeptCandidate &candidate) const {
  const auto prediction = predicted(candidate);
  const QString machine = from(m_predictions ? m_predictions->machine() : candidate.machine);
  if (!m_current || !prediction || !prediction->seconds || m_current->machine != machine ||
      m_current->found.prediction.seconds <= 0)
    return std::nullopt;
  return *prediction->seconds / m_current->found.prediction.seconds - 1;
}

int CandidateModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_candidates.size());
}

int CandidateModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant CandidateModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const KeptCandidate &candidate = *candidateAt(index.row());
  switch (role) {
  case Qt::DisplayRole:
  case Qt::EditRole:
    return display(candidate, index.column());
  case Qt::ToolTipRole:
    return toolTip(candidate, index.column());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue((isCandidateNumber(index.column()) ? Qt::AlignRight
                                : index.column() == Pin           ? Qt::AlignHCenter
                                                                  : Qt::AlignLeft) |
                               Qt::AlignVCenter);
  case SortRole:
    return sortKey(candidate, index.column());
  case IdRole:
    return qulonglong(candidate.id);
  case PinRole:
    return int(candidate.label.pin);
  case CurrentRole:
    return isCurrent(candidate);
  case QuarantinedRole:
    return candidate.label.isQuarantined;
  case StaleRole:
    return isStale(candidate);
  case CheckStaleRole:
    return checkOf(candidate).isStale;
  case WrongRole:
    return checkOf(candidate).isWrong;
  case ElsewhereRole:
    return !predicted(candidate);
  default:
    return {};
  }
}

QString CandidateModel::display(const KeptCandidate &candidate, int column) const {
  switch (column) {
  case Pin:
    return candidate.label.pin == document::Pin::A   ? QStringLiteral("A")
           : candidate.label.pin == document::Pin::B ? QStringLiteral("B")
                                                     : QString();
  case Name:
    return from(candidate.label.name);
  case Origin:
    return candidate.label.isQuarantined ? tr("%1, quarantined").arg(originText(candidate.origin))
                                         : originText(candidate.origin);
  case Predicted: {
    const auto prediction = predicted(candidate);
    if (prediction && !prediction->whyNot.empty()) return tr("cannot run");
    const auto seconds = prediction ? prediction->seconds : candidate.predictedSeconds;
    if (!seconds) return {};
    const QString time = tr("%1 ms").arg(threeDigits(*seconds * kMilli));
    return prediction ? time : tr("%1 on %2").arg(time, from(candidate.machine));
  }
  case Relative: {
    if (isCurrent(candidate)) return tr("current");
    const auto change = relative(candidate);
    if (!change) return {};
    if (std::abs(*change) < kLeast) return QStringLiteral("±0 %");
    return (*change > 0 ? QStringLiteral("+") : QStringLiteral("−")) +
           QLocale().toString(std::abs(*change) * 100, 'f', std::abs(*change) < 0.1 ? 1 : 0) +
           QStringLiteral(" %");
  }
  case Measured: {
    const auto seconds = measured(candidate);
    if (!seconds) return {};
    if (!candidate.measurement->times.verified()) return tr("unverified");
    return (isStale(candidate) ? tr("%1 ms, stale") : tr("%1 ms"))
        .arg(threeDigits(*seconds * kMilli));
  }
  case Checked: {
    const Check check = checkOf(candidate);
    return check.isStale ? tr("%1, stale").arg(check.text) : check.text;
  }
  case Note:
    return from(candidate.label.note);
  default:
    return {};
  }
}

QVariant CandidateModel::sortKey(const KeptCandidate &candidate, int column) const {
  constexpr double kLast = std::numeric_limits<double>::max();
  switch (column) {
  case Pin: // pinned candidates first, by their letter
    return candidate.label.pin == document::Pin::None ? 3 : int(candidate.label.pin);
  case Predicted:
  case Relative: {
    const auto prediction = predicted(candidate);
    return (prediction ? prediction->seconds : candidate.predictedSeconds).value_or(kLast);
  }
  case Measured:
    return candidate.measurement && candidate.measurement->times.verified() && !isStale(candidate)
               ? measured(candidate).value_or(kLast)
               : kLast;
  default:
    return display(candidate, column);
  }
}

QString CandidateModel::toolTip(const KeptCandidate &candidate, int column) const {
  switch (column) {
  case Name:
  case Origin: {
    QString text = tr("%1 (%2)").arg(from(candidate.label.name), originText(candidate.origin));
    if (!candidate.from.empty()) text += '\n' + from(candidate.from);
    return text + '\n' + tr("Double-click or press Return to make this the current schedule");
  }
  case Predicted: {
    const auto prediction = predicted(candidate);
    if (prediction && !prediction->whyNot.empty())
      return tr("This schedule cannot run on %1: %2")
          .arg(from(m_predictions->machine()), from(prediction->whyNot));
    const bool isAnew =
        prediction && m_predictions && m_predictions->machine() != candidate.machine;
    const QString text =
        tr("Time that the cost model predicts on %1")
            .arg(from(prediction && m_predictions ? m_predictions->machine() : candidate.machine));
    return isAnew ? text + '\n' + tr("The schedule was made for %1").arg(from(candidate.machine))
                  : text;
  }
  case Relative:
    return tr("Predicted time relative to the current schedule");
  case Measured:
    if (!candidate.measurement) return tr("Not measured yet");
    if (isStale(candidate))
      return tr(
          "Stale: the pipeline, its size or the decisions have changed since the measurement");
    return candidate.measurement->times.verified()
               ? tr("Median time of consecutive runs, without pauses, on %1")
                         .arg(from(candidate.measurement->times.machine)) +
                     givenText(candidate.measurement->times.comparison->given)
               : unverifiedText(candidate.measurement->times);
  case Checked:
    return checkToolTip(candidate);
  default:
    return display(candidate, column);
  }
}

QString CandidateModel::checkToolTip(const KeptCandidate &candidate) const {
  QStringList lines;
  if (isCheckedOnGpu(candidate))
    lines << tr("Outputs compared on %1 before the measurement (%2)")
                 .arg(from(candidate.measurement->times.machine),
                      from(candidate.measurement->times.date));
  if (candidate.verification)
    lines << verifiedText(*candidate.verification) << from(candidate.verification->date);
  for (const std::string &remark :
       candidate.verification ? candidate.verification->report.remarks : std::vector<std::string>())
    lines << from(remark);
  if (checkOf(candidate).isStale)
    lines << tr("Stale: the pipeline, its size or the decisions have changed since the comparison");
  return lines.isEmpty() ? tr("The outputs have not yet been compared with those of the "
                              "unscheduled pipeline. Use Verify to do so; no GPU is needed.")
                         : lines.join('\n');
}

bool CandidateModel::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::EditRole || !index.isValid()) return false;
  const KeptCandidate &candidate = *candidateAt(index.row());
  const QString text = value.toString().trimmed();
  if (text == display(candidate, index.column())) return false;
  if (index.column() == Name && !text.isEmpty()) return emit renameWanted(candidate.id, text), true;
  if (index.column() == Note) return emit noteWanted(candidate.id, text), true;
  return false;
}

Qt::ItemFlags CandidateModel::flags(const QModelIndex &index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.column() == Name || index.column() == Note) flags |= Qt::ItemIsEditable;
  return flags;
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const auto head = [&]() -> ColumnHead {
    switch (section) {
    case Pin:
      return {
          tr("Pin"),
          tr("Pinned candidates: the roofline shows A and B beside the current schedule; the code "
             "panel compares the current schedule with A or, if A is the current one, with B")};
    case Name:
      return {tr("Candidate"), tr("Press F2 to rename the selected candidate")};
    case Origin:
      return {tr("From"), tr("Where the schedule comes from: a search, you, a file, the "
                             "hand-written schedule or the default")};
    case Predicted:
      return {tr("Predicted"), tr("Time predicted by the cost model for the chosen GPU") + '\n' +
                                   predictionFormula()};
    case Relative:
      return {tr("To current"), tr("Predicted time relative to that of the current schedule")};
    case Measured:
      return {tr("Measured"), tr("Time measured on a GPU, after the outputs were compared")};
    case Checked:
      return {tr("Outputs"), tr("Whether the outputs equal those of the unscheduled pipeline")};
    case Note:
      return {tr("Note"), tr("Your note: click or press F2 to edit it")};
    default:
      return {};
    }
  }();
  return head.data(role, isCandidateNumber(section) ? Qt::AlignRight : Qt::AlignLeft);
}

} // namespace tessera::views
