// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/schedule_service.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace tessera::views {

// What came of a search.
struct SearchResult {
  ShownSchedulePtr best;
  QString algorithm;
  bool isAroundDecisions = false; // frozen ones were kept
};

// The scheduling of the pipeline that is open: a search that runs or not, and the schedule that is
// current, which all panels show. While a search runs, that is its best so far, ten times a second
// at most; else what the document says.
//
//   no pipeline ── setPipeline() ──▶ idle ── start() ──▶ running ── end, stop(), refusal ──▶ idle
//                                   show()                                     + found(result)
class ScheduleFlow : public QObject {
  Q_OBJECT
public:
  static constexpr int kSpacingMilliseconds = 100;

  ScheduleFlow(ScheduleService service, Bridge &bridge, QObject *parent = nullptr);

  const ScheduleService &service() const { return m_service; }
  bool hasPipeline() const { return m_pipeline != nullptr; }
  bool isRunning() const { return m_isRunning; }
  const ShownSchedulePtr &shown() const { return m_shown; }     // null: there is none yet
  const std::optional<Error> &error() const { return m_error; } // of the last search

  void setPipeline(pipeline::PipelinePtr pipeline); // ends the search and forgets what it brought

  // Wishes. A start while one runs is another search; what is shown stays until it brings its
  // first.
  void start(const QString &algorithm, const QString &machine,
             std::optional<schedule::Schedule> around = {});
  void stop(); // keeps the best so far

  // Another schedule is current, predicted on a thread; what is shown stays until that is done.
  // None: nothing is. Not while a search runs.
  void show(const std::optional<schedule::Schedule> &schedule, const QString &machine);
  void forgetMachine(const QString &machine); // its numbers are others now
  bool isPredicting() const { return m_isPredicting; }

signals:
  void stateChanged(); // a pipeline, none, running, idle
  void shownChanged(); // another schedule, or none
  // A search has ended, or was stopped after it had found something. Its best is shown().
  void found(const tessera::views::SearchResult &result);
  void refused();  // error() says why
  void notShown(); // error() says why what was to be shown cannot be

private:
  void take(ShownSchedulePtr better);
  void showHeld();
  void finish(const Result<ShownSchedulePtr> &best, SearchResult result);
  void set(ShownSchedulePtr shown);
  ShownSchedulePtr known(const schedule::Schedule &schedule, const QString &machine) const;

  ScheduleService m_service;
  Bridge &m_bridge;
  pipeline::PipelinePtr m_pipeline;
  bool m_isRunning = false, m_isPredicting = false;
  ShownSchedulePtr m_best;          // of the search that runs, so far
  ShownSchedulePtr m_shown, m_held; // held: waits for the next turn
  QTimer m_spacing;
  std::vector<ShownSchedulePtr> m_known; // shown before, the latest last
  std::optional<Error> m_error;
};

} // namespace tessera::views
