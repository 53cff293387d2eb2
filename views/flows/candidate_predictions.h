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

// What our model says of the candidates on the machine that is chosen now. The document keeps what
// each was found with; for another machine, or one whose numbers were changed, they are predicted
// anew on a thread, and until then a list says of which machine its times are.
class CandidatePredictions : public QObject {
  Q_OBJECT
public:
  struct Prediction {
    std::optional<double> seconds;
    std::string whyNot; // it cannot run there
  };

  CandidatePredictions(ScheduleFlow &schedule, DocumentFlow &documents, Bridge &bridge,
                       QObject *parent = nullptr);

  const std::string &machine() const { return m_machine; }
  // None: not known yet.
  std::optional<Prediction> of(const document::KeptCandidate &candidate) const;
  void forgetMachine(const QString &machine); // its numbers are others now

signals:
  void changed();

private:
  struct Known {
    std::uint64_t scheduleHash = 0;
    Prediction prediction;
  };
  using Batch = std::map<std::uint64_t, Known>; // by candidate

  void refresh();
  bool isAsKept(const document::KeptCandidate &candidate) const;

  ScheduleFlow &m_schedule;
  DocumentFlow &m_documents;
  Bridge &m_bridge;
  std::string m_machine;
  pipeline::PipelinePtr m_pipeline; // that is known of
  std::set<std::string> m_changed;  // machines whose numbers were changed since the start
  Batch m_known;                    // on m_machine
  bool m_isRunning = false;
};

} // namespace tessera::views
