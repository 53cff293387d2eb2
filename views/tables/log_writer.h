// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/log_model.h"
#include "views/flows/compile_flow.h"
#include "views/flows/crash_ladder.h"
#include "views/flows/host_model.h"
#include "views/flows/measure_flow.h"
#include "views/flows/open_flow.h"
#include "views/flows/other_flow.h"
#include "views/flows/schedule_flow.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>

#include <map>

namespace tessera::views {

// Writes the events of the flows into the log. It uses the same signals as all other receivers; the
// flows do not know about the log.
class LogWriter : public QObject {
  Q_OBJECT
public:
  explicit LogWriter(LogModel &log, QObject *parent = nullptr);

  void follow(OpenFlow &open);
  void follow(DocumentFlow &documents);
  void follow(ScheduleFlow &schedule, DocumentFlow &documents);
  void follow(CompileFlow &compile);
  void follow(MeasureFlow &measure, DocumentFlow &documents);
  void follow(OtherFlow &others);
  void follow(HostModel &hosts);
  void follow(CrashLadder &ladder);

private:
  using Details = std::vector<LogDetail>;
  void opened(const OpenFlow &open);
  void openState(const OpenFlow &open);
  void searchState(const ScheduleFlow &schedule, const DocumentFlow &documents);
  void compileState(const CompileFlow &compile);
  void measureState(const MeasureFlow &measure);
  void measureFailures(const MeasureFlow &measure);
  void hostsChanged(const HostModel &hosts);
  void startsAgain(bool alsoGpu);
  void otherChanged(const OtherFlow &others, int row);

  void write(LogLine::Kind kind, const QString &text, Details details = {}, LogTarget target = {});
  void write(LogLine::Kind kind, Problem::Severity severity, const QString &text,
             Details details = {}, LogTarget target = {});
  LogTarget candidate(std::uint64_t id) const;
  LogTarget stage(const std::string &name) const;
  Details kernelsOf(const ShownSchedule &shown) const;
  Details kernelsOf(const CompiledTexts &texts) const;

  LogModel &m_log;
  std::weak_ptr<const pipeline::Pipeline> m_pipeline; // the open pipeline
  QString m_path;                                     // path of the open file
  QElapsedTimer m_opening, m_searching, m_measuring;
  // m_isEnded: the search has ended, and its result is not logged yet.
  bool m_isSearching = false, m_isEnded = false;
  int m_better = 0; // number of schedules that the running search has shown so far
  struct Compiling {
    bool isRunning = false;
    QElapsedTimer clock;
  };
  std::map<const CompileFlow *, Compiling> m_compiling; // indexed by the flow
  MeasureFlow::State m_measureState = MeasureFlow::State::Idle;
  bool m_isVerifying = false; // the current or last queue of jobs is a verification
  int m_measured = 0;         // number of candidates measured or verified so far in the queue
  QHash<QString, QString> m_hosts;
  bool m_isCompilerDead = false, m_isGpuDead = false;
  std::map<int, OtherFlow::Progress> m_others; // indexed by row
};

} // namespace tessera::views
