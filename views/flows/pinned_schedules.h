// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/flows/schedule_flow.h"
#include "views/flows/shown_kernels.h"

#include <QObject>

#include <tuple>
#include <vector>

namespace tessera::views {

// The candidates that are pinned as A and B, as they would be on the machine that is chosen: what
// the panels about kernels compare with. They are predicted on a thread whenever others are pinned
// or the machine is another.
class PinnedSchedules : public QObject {
  Q_OBJECT
public:
  PinnedSchedules(ScheduleFlow &schedule, DocumentFlow &documents, Bridge &bridge,
                  QObject *parent = nullptr);

  void forgetMachine(const QString &machine); // its numbers are others now

signals:
  void changed(const std::vector<tessera::views::ComparedSchedule> &pinned); // A first

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
  std::vector<Key> m_known; // what is pinned: pin, candidate, schedule, name
};

} // namespace tessera::views
