// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/schedule_service.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace tessera::views {

// What a search has to do.
struct SearchWish {
  QString algorithm, machine;
  // The schedule that the user has. Its frozen decisions are kept, and only a faster schedule
  // replaces it.
  std::optional<schedule::Schedule> current = {};
  ScheduleRequest::From from = ScheduleRequest::From::Default;
};

// The result of a search.
struct SearchResult {
  ShownSchedulePtr best;
  ShownSchedulePtr before; // the schedule that the user had, on the same machine; null: none
  SearchWish wish;
  bool isStopped = false;

  // Whether `best` is faster than `before`, so that it may replace it.
  bool isFaster() const;
};

// The scheduling of the open pipeline: a running search, if there is one, and the schedule that all
// panels show. During a search this is its best so far, updated at most ten times a second;
// otherwise it is the document's current schedule.
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
  const std::optional<Error> &error() const { return m_error; } // the error of the last search

  void setPipeline(pipeline::PipelinePtr pipeline); // also ends the search and forgets its results

  // Replaces a running search, whose result is then lost. At first the user's schedule is predicted
  // for the machine of the wish. It is shown until the search has found a faster one.
  void start(SearchWish wish);
  void stop();                                      // keeps the best schedule so far
  const SearchWish &wish() const { return m_wish; } // wish of the last search

  // Predicts another schedule on a thread and shows it when that is done; until then the old one
  // stays. If it is not legal on `machine`, notShown() is emitted, and a schedule that was shown
  // for another machine is removed. Without `schedule`, none is shown. Do not call it during a
  // search.
  void show(const std::optional<schedule::Schedule> &schedule, const QString &machine);
  // Shows a schedule that the user is trying out, for example while dragging an edge. It is shown
  // at once and is no step of the document's history; kernels keep their colours. endDraft() goes
  // back; show(), a search and another pipeline also end the draft.
  void showDraft(ShownSchedulePtr draft);
  void endDraft();
  bool isDraft() const { return m_beforeDraft != nullptr; }
  void forgetMachine(const QString &machine); // the parameters of this machine have changed
  bool isPredicting() const { return m_isPredicting; }

signals:
  void stateChanged(); // pipeline set or removed, search started or ended
  void shownChanged(); // another schedule is shown, or none
  // A search has ended, or was stopped after it had found a schedule. shown() is the best that it
  // found, or the user's schedule if that is not slower.
  void found(const tessera::views::SearchResult &result);
  void refused();  // the search failed; error() says why
  void notShown(); // the schedule cannot be shown; error() says why

private:
  // What a search has reported so far.
  struct Report {
    ShownSchedulePtr before, best;
  };
  void take(Report report);
  void showHeld();
  void finish(const Result<Report> &end);
  void set(ShownSchedulePtr shown);
  void remember(ShownSchedulePtr shown);
  void forgetOtherMachine(const QString &machine);
  ShownSchedulePtr known(const schedule::Schedule &schedule, const QString &machine) const;

  ScheduleService m_service;
  Bridge &m_bridge;
  pipeline::PipelinePtr m_pipeline;
  bool m_isRunning = false, m_isPredicting = false;
  SearchWish m_wish;
  Report m_report;                  // the latest of the running search
  ShownSchedulePtr m_shown, m_held; // m_held is shown when m_spacing ends
  ShownSchedulePtr m_beforeDraft;   // shown before the draft; null: no draft is shown
  ShownSchedulePtr m_draft;         // as passed to showDraft(), with other colours
  QTimer m_spacing;
  // The kernels of the schedule that was shown last. The next schedule takes its colours from them,
  // even if no schedule was shown in between.
  std::vector<chart::ColouredKernel> m_kernels;
  std::vector<ShownSchedulePtr> m_known; // schedules shown before, the latest last
  std::optional<Error> m_error;
};

} // namespace tessera::views
