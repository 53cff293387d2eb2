// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/models/bridge.h"
#include "views/models/schedule_service.h"

#include <QObject>
#include <QTimer>

#include <optional>

namespace tessera::views {

// The scheduling of the pipeline that is open: a search that runs or not, and the best schedule so
// far, which all panels show. Better ones arrive while it runs, ten times a second at most.
//
//   no pipeline ── setPipeline() ──▶ idle ── start() ──▶ running ── end, stop(), refusal ──▶ idle
class ScheduleFlow : public QObject {
  Q_OBJECT
public:
  static constexpr int kSpacingMilliseconds = 100;

  ScheduleFlow(ScheduleService service, Bridge &bridge, QObject *parent = nullptr);

  const ScheduleService &service() const { return m_service; }
  bool hasPipeline() const { return m_pipeline != nullptr; }
  bool isRunning() const { return m_isRunning; }
  const ShownSchedulePtr &shown() const { return m_shown; }     // null: none was searched yet
  const std::optional<Error> &error() const { return m_error; } // of the last search

  void setPipeline(pipeline::PipelinePtr pipeline); // ends the search and forgets what it brought

  // Wishes. A start while one runs is another search; what is shown stays until it brings its
  // first.
  void start(const QString &algorithm, const QString &machine);
  void stop(); // keeps the best so far

signals:
  void stateChanged(); // a pipeline, none, running, idle
  void shownChanged(); // another schedule, or none
  void refused();      // error() says why

private:
  void take(ShownSchedulePtr better);
  void showHeld();
  void finish(const Result<ShownSchedulePtr> &best);

  ScheduleService m_service;
  Bridge &m_bridge;
  pipeline::PipelinePtr m_pipeline;
  bool m_isRunning = false;
  ShownSchedulePtr m_shown, m_held; // held: waits for the next turn
  QTimer m_spacing;
  std::optional<Error> m_error;
};

} // namespace tessera::views
