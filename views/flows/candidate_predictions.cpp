// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/candidate_predictions.h"

#include <utility>
#include <vector>

namespace tessera::views {

namespace {
const QString kPredictionsTag = QStringLiteral("candidatePredictions");
} // namespace

CandidatePredictions::CandidatePredictions(ScheduleFlow &schedule, DocumentFlow &documents,
                                           Bridge &bridge, QObject *parent)
    : QObject(parent), m_schedule(schedule), m_documents(documents), m_bridge(bridge) {
  connect(&m_documents, &DocumentFlow::changed, this, &CandidatePredictions::refresh);
  refresh();
}

// The prediction kept in the document is used if it was made for this machine and the machine's
// parameters have not been changed while this program ran.
bool CandidatePredictions::isAsKept(const document::KeptCandidate &candidate) const {
  return candidate.machine == m_machine && !m_changed.contains(m_machine);
}

std::optional<CandidatePredictions::Prediction>
CandidatePredictions::of(const document::KeptCandidate &candidate) const {
  if (isAsKept(candidate)) return Prediction{candidate.predictedSeconds, {}};
  const auto known = m_known.find(candidate.id);
  if (known == m_known.end() || known->second.scheduleHash != candidate.schedule.hash())
    return std::nullopt;
  return known->second.prediction;
}

void CandidatePredictions::forgetMachine(const QString &machine) {
  m_changed.insert(machine.toStdString());
  if (machine.toStdString() != m_machine) return;
  m_known.clear();
  m_bridge.cancelTag(kPredictionsTag);
  refresh();
  emit changed();
}

void CandidatePredictions::refresh() {
  const std::string machine = m_documents.machine().toStdString();
  const auto pipeline = m_documents.hasDocument() ? m_documents.document().pipeline() : nullptr;
  if (machine != m_machine || pipeline != m_pipeline) {
    m_machine = machine;
    m_pipeline = pipeline;
    m_known.clear();
    m_bridge.cancelTag(kPredictionsTag);
    emit changed();
  }
  const auto &predict = m_schedule.service().predict;
  if (!pipeline || !predict || m_isRunning) return;
  std::vector<document::CandidatePtr> wanted;
  for (const document::CandidatePtr &candidate : m_documents.document().candidates())
    if (!candidate->label.isRemoved && !of(*candidate)) wanted.push_back(candidate);
  if (wanted.empty()) return;
  m_isRunning = true;
  m_bridge.run<Batch>(
      kPredictionsTag, {},
      [predict, wanted = std::move(wanted), machine](const job::JobContext &job) -> Result<Batch> {
        Batch batch;
        for (const document::CandidatePtr &candidate : wanted) {
          if (job.stop.stop_requested()) return Error{ErrorCode::Cancelled, "cancelled", {}};
          const auto found = predict(candidate->schedule, machine);
          batch[candidate->id] = {candidate->schedule.hash(),
                                  found ? Prediction{found->prediction.seconds, {}}
                                        : Prediction{std::nullopt, found.error().message}};
        }
        return batch;
      },
      this,
      [this](Result<Batch> batch) {
        m_isRunning = false;
        if (!batch) return; // cancelled by a newer request
        for (auto &[id, known] : *batch)
          m_known.insert_or_assign(id, std::move(known));
        emit changed();
        refresh(); // candidates may have been added meanwhile
      });
}

} // namespace tessera::views
