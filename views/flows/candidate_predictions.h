// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/flows/schedule_flow.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tessera::views {

// Predictions of the candidates for the chosen machine. The document keeps the prediction that each
// candidate was found with. If another machine is chosen or the parameters of the machine have
// changed, the candidates are predicted again on a thread. Until that is done, lists name the
// machine that a time belongs to.
class CandidatePredictions : public QObject {
  Q_OBJECT
public:
  struct Prediction {
    std::optional<double> seconds;
    std::string whyNot; // why the schedule cannot run on the machine
  };

  CandidatePredictions(ScheduleFlow &schedule, DocumentFlow &documents, Bridge &bridge,
                       QObject *parent = nullptr);

  const std::string &machine() const { return m_machine; }
  // None: not predicted yet.
  std::optional<Prediction> of(const document::KeptCandidate &candidate) const;
  void forgetMachine(const QString &machine); // the parameters of this machine have changed

signals:
  void changed();

private:
  struct Known {
    std::uint64_t scheduleHash = 0;
    Prediction prediction;
  };
  using Batch = std::map<std::uint64_t, Known>; // indexed by candidate

  void refresh();
  bool isAsKept(const document::KeptCandidate &candidate) const;

  ScheduleFlow &m_schedule;
  DocumentFlow &m_documents;
  Bridge &m_bridge;
  std::string m_machine;
  pipeline::PipelinePtr m_pipeline; // the pipeline that m_known belongs to
  std::set<std::string> m_changed;  // machines whose parameters were changed during this run
  Batch m_known;                    // predictions for m_machine
  bool m_isRunning = false;
};

} // namespace tessera::views
