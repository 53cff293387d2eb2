// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/flows/schedule_flow.h"
#include "views/flows/shown_kernels.h"

#include <QObject>

#include <tuple>
#include <vector>

namespace tessera::views {

// The candidates pinned as A and B, predicted for the chosen machine; the kernel panels compare
// with them. They are predicted again on a thread when the pins or the machine change.
class PinnedSchedules : public QObject {
  Q_OBJECT
public:
  PinnedSchedules(ScheduleFlow &schedule, DocumentFlow &documents, Bridge &bridge,
                  QObject *parent = nullptr);

  void forgetMachine(const QString &machine); // the parameters of this machine have changed

signals:
  void changed(const std::vector<tessera::views::ComparedSchedule> &pinned); // A before B

private:
  struct Wish {
    document::Pin pin{};
    document::CandidatePtr candidate;
  };
  using Key = std::tuple<document::Pin, std::uint64_t, std::uint64_t, std::string>;

  void refresh();
  std::vector<Wish> wishes() const;

  ScheduleFlow &m_schedule;
  DocumentFlow &m_documents;
  Bridge &m_bridge;
  std::string m_machine;
  pipeline::PipelinePtr m_pipeline;
  std::vector<Key> m_known; // the pinned candidates: pin, candidate, schedule and name
};

} // namespace tessera::views
