// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/other_flow.h"

#include "views/text/column_head.h"
#include "views/text/from_std.h"
#include "views/text/measurement_text.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

using tune::PeerStatus;

namespace {

const QString kOthersTag = QStringLiteral("others");

// Says why another scheduler's schedule did not become a candidate.
QString plainWords(PeerStatus status) {
  switch (status) {
  case PeerStatus::Opaque:
    return OtherFlow::tr("made a schedule that Tessera's decisions cannot express");
  case PeerStatus::Asserted:
    return OtherFlow::tr("gave up");
  case PeerStatus::Crashed:
    return OtherFlow::tr("crashed");
  case PeerStatus::TimedOut:
    return OtherFlow::tr("took too long and was stopped");
  case PeerStatus::OutOfMemory:
    return OtherFlow::tr("ran out of memory");
  case PeerStatus::Missing:
    return OtherFlow::tr("is not installed");
  case PeerStatus::Cancelled:
    return OtherFlow::tr("was stopped");
  case PeerStatus::Scheduled:
  case PeerStatus::Failed:
    break;
  }
  return OtherFlow::tr("is not available");
}

} // namespace

OtherFlow::OtherFlow(OtherService service, Bridge &bridge, DocumentFlow &documents,
                     ScheduleFlow &schedule, QObject *parent)
    : QAbstractTableModel(parent), m_service(std::move(service)), m_bridge(bridge),
      m_documents(documents), m_schedule(schedule) {
  if (m_service.list)
    for (tune::Other &other : m_service.list())
      m_rows.push_back({std::move(other), true, Progress::Idle, {}});
  connect(&m_documents, &DocumentFlow::changed, this, &OtherFlow::reset);
}

// All rows start again, because nothing is known for another pipeline.
void OtherFlow::reset() {
  const auto now = m_documents.hasDocument() ? m_documents.document().pipeline() : nullptr;
  if (now == m_pipeline) return;
  stop();
  m_pipeline = now;
  for (std::size_t i = 0; i < m_rows.size(); ++i)
    say(int(i), Progress::Idle, {});
}

bool OtherFlow::canFind() const {
  return m_documents.hasDocument() && m_documents.opened() && m_service.find && !isRunning() &&
         std::ranges::any_of(m_rows, [](const Row &row) {
           return row.isWanted && row.progress != Progress::Added;
         });
}

void OtherFlow::find() {
  if (!canFind()) return;
  for (std::size_t i = 0; i < m_rows.size(); ++i)
    if (m_rows[i].isWanted && m_rows[i].progress != Progress::Added)
      say(int(i), Progress::Waiting, tr("waiting"));
  next();
}

void OtherFlow::next() {
  const auto waiting = std::ranges::find(m_rows, Progress::Waiting, &Row::progress);
  m_running = waiting == m_rows.end() ? -1 : int(waiting - m_rows.begin());
  if (isRunning()) {
    say(m_running, Progress::Running, tr("running …"));
    const OtherWish wish{waiting->other.word, m_documents.opened()->request,
                         m_documents.opened()->opened, m_documents.machine().toStdString()};
    m_bridge.run<std::shared_ptr<Found>>(
        kOthersTag, tr("Scheduling with %1").arg(from(waiting->other.name)),
        [find = m_service.find, predict = m_schedule.service().predictSourced,
         wish](const job::JobContext &job) -> Result<std::shared_ptr<Found>> {
          Found found{find(wish, job.stop, job.progress), {}};
          if (!found.other.sourced) return std::make_shared<Found>(std::move(found));
          auto predicted = predict(*found.other.sourced, wish.machine);
          if (!predicted) return predicted.error();
          found.predicted = std::move(*predicted);
          return std::make_shared<Found>(std::move(found));
        },
        this,
        [this, row = m_running](Result<std::shared_ptr<Found>> found) {
          take(row, std::move(found));
        });
  }
  emit changed();
}

void OtherFlow::take(int row, Result<std::shared_ptr<Found>> found) {
  if (row != m_running) return; // the row was stopped
  if (!found) {
    const bool isCancelled = found.error().code == ErrorCode::Cancelled;
    say(row, Progress::Refused,
        isCancelled ? plainWords(PeerStatus::Cancelled) : from(found.error().message));
    if (isCancelled) return stop();
    return next();
  }
  const tune::FoundOther &other = (*found)->other;
  if (const auto &predicted = (*found)->predicted) {
    const tune::Other &of = m_rows[static_cast<std::size_t>(row)].other;
    const bool isNew = m_documents.addOther(of, *predicted);
    const QString time = timeText(predicted->prediction.seconds);
    say(row, Progress::Added,
        isNew ? tr("added, predicted %1").arg(time)
              : tr("already a candidate, predicted %1").arg(time));
  } else {
    // A reason can have several lines; the first one is enough.
    say(row, Progress::Refused,
        tr("%1: %2").arg(plainWords(other.status), from(other.why).section('\n', 0, 0)));
  }
  next();
}

void OtherFlow::stop() {
  if (!isRunning()) return;
  const int row = std::exchange(m_running, -1);
  m_bridge.cancelTag(kOthersTag);
  for (std::size_t i = 0; i < m_rows.size(); ++i)
    if (m_rows[i].progress == Progress::Waiting || int(i) == row)
      say(int(i), Progress::Refused, plainWords(PeerStatus::Cancelled));
  emit changed();
}

void OtherFlow::say(int row, Progress progress, const QString &status) {
  Row &of = m_rows[static_cast<std::size_t>(row)];
  of.progress = progress;
  of.status = status;
  emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int OtherFlow::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

int OtherFlow::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant OtherFlow::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Row &row = m_rows[static_cast<std::size_t>(index.row())];
  if (role == ProgressRole) return int(row.progress);
  if (role == Qt::CheckStateRole && index.column() == Name)
    return int(row.isWanted ? Qt::Checked : Qt::Unchecked);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (index.column()) {
  case Name:
    return from(row.other.name);
  case Status:
    return row.status;
  case What:
    return from(row.other.title);
  default:
    return {};
  }
}

bool OtherFlow::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::CheckStateRole || !index.isValid() || index.column() != Name) return false;
  m_rows[static_cast<std::size_t>(index.row())].isWanted = value.toInt() == int(Qt::Checked);
  emit dataChanged(index, index);
  emit changed();
  return true;
}

Qt::ItemFlags OtherFlow::flags(const QModelIndex &index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.column() == Name ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant OtherFlow::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ColumnHead heads[ColumnCount] = {
      {tr("Scheduler"), tr("Tick the schedulers to run")},
      {tr("Result"), tr("The new candidate, or why there is none")},
      {tr("About"), tr("What the scheduler does; each of Halide's own autoschedulers runs in a "
                       "process of its own")}};
  return heads[section].data(role, Qt::AlignLeft);
}

} // namespace tessera::views
