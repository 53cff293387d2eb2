// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/pinned_schedules.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {
const QString kPinnedTag = QStringLiteral("pinnedSchedules");
} // namespace

PinnedSchedules::PinnedSchedules(ScheduleFlow &schedule, DocumentFlow &documents, Bridge &bridge,
                                 QObject *parent)
    : QObject(parent), m_schedule(schedule), m_documents(documents), m_bridge(bridge) {
  connect(&m_documents, &DocumentFlow::changed, this, &PinnedSchedules::refresh);
}

std::vector<PinnedSchedules::Wish> PinnedSchedules::wishes() const {
  std::vector<Wish> wishes;
  if (!m_documents.hasDocument() || !m_schedule.service().predict) return wishes;
  for (const document::CandidatePtr &candidate : m_documents.document().candidates())
    if (candidate->label.pin != document::Pin::None && !candidate->label.isRemoved)
      wishes.push_back({candidate->label.pin, candidate});
  std::ranges::sort(wishes, {}, &Wish::pin);
  return wishes;
}

void PinnedSchedules::forgetMachine(const QString &machine) {
  if (machine.toStdString() != m_machine) return;
  m_known.clear();
  refresh();
}

void PinnedSchedules::refresh() {
  const std::vector<Wish> pinned = wishes();
  std::vector<Key> known;
  for (const Wish &wish : pinned)
    known.emplace_back(wish.pin, wish.candidate->id, wish.candidate->schedule.hash(),
                       wish.candidate->label.name);
  const std::string machine = m_documents.machine().toStdString();
  const auto pipeline = m_documents.hasDocument() ? m_documents.document().pipeline() : nullptr;
  if (known == m_known && machine == m_machine && pipeline == m_pipeline) return;
  m_known = std::move(known);
  m_machine = machine;
  m_pipeline = pipeline;
  if (pinned.empty()) {
    m_bridge.cancelTag(kPinnedTag);
    emit changed({});
    return;
  }
  using Compared = std::vector<ComparedSchedule>;
  m_bridge.run<Compared>(
      kPinnedTag, {},
      [predict = m_schedule.service().predict, pinned,
       machine](const job::JobContext &job) -> Result<Compared> {
        Compared compared;
        for (const Wish &wish : pinned) {
          if (job.stop.stop_requested()) return Error{ErrorCode::Cancelled, "cancelled", {}};
          auto found = predict(wish.candidate->schedule, machine);
          if (found) // otherwise it cannot run on the machine, as the list of candidates says
            compared.push_back(
                {wish.pin == document::Pin::A ? QStringLiteral("A") : QStringLiteral("B"),
                 QString::fromStdString(wish.candidate->label.name),
                 showSchedule(std::move(*found), QString::fromStdString(machine)), nullptr});
        }
        return compared;
      },
      this,
      [this](const Result<Compared> &compared) {
        if (compared) emit changed(*compared);
      });
}

} // namespace tessera::views
