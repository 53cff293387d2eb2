// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/record/record.h"
#include "views/flows/abilities.h"
#include "views/flows/candidate_predictions.h"
#include "views/flows/compile_flow.h"
#include "views/flows/document_flow.h"
#include "views/flows/host_model.h"
#include "views/flows/machine_flow.h"
#include "views/flows/measure_flow.h"
#include "views/flows/open_flow.h"
#include "views/flows/other_flow.h"
#include "views/flows/pinned_schedules.h"
#include "views/flows/schedule_flow.h"
#include "views/flows/selection.h"
#include "views/flows/shown_kernels.h"
#include "views/flows/tool_service.h"
#include "views/settings/recent_files.h"
#include "views/settings/settings_saver.h"
#include "views/tables/log_writer.h"
#include "views/tables/problem_model.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

class QSettings;

namespace tessera::views {

// The functions of the engine.
struct WorkspaceServices {
  OpenService open;
  ScheduleService schedule;
  DocumentService document;
  KernelService kernels;
  MeasureService measure;
  OtherService others;
  MachineService machines;
  ToolService tools;
  record::Record record; // the log on disk
  // Starts the workers before the first file is opened; may run on any thread.
  std::function<void()> warmUp;
};

// Everything that the program does, without a window. It owns the flows and connects them with one
// another. MainWindow shows it, and tests drive it without a widget.
//
//   a file ───── OpenFlow::opened() ───┐
//   a document ─ DocumentFlow::loaded() ─┴▶ begin(): work on the previous pipeline ends, and all
//                                         flows get the new one ─▶ OpenFlow::documentChanged()
//   DocumentFlow ─▶ ScheduleFlow::show() ─▶ shownChanged() ─▶ ShownKernels, and all panels
//   ScheduleFlow ─ found(result) ─▶ DocumentFlow: a step of the history and a candidate
//   MeasureFlow ─▶ DocumentFlow: a measurement ─▶ ShownKernels::setMeasured()
//   MachineFlow ─ changed(name) ─▶ whoever remembers predictions for that GPU forgets them
class Workspace : public QObject {
  Q_OBJECT
public:
  Workspace(WorkspaceServices services, QSettings &settings, QObject *parent = nullptr);
  ~Workspace() override;

  // Reads the list of GPUs, starts the workers and looks for documents that can be recovered after
  // a crash. Call it once, after all receivers are connected.
  void start();

  // Opens a pipeline or a document, depending on the path's ending. It does not ask about unsaved
  // work.
  void open(const QString &path);
  bool isOpen(const QString &path) const; // `path` is the open pipeline or document
  // The request to open the same with sizes that fit, if its estimates contradict the pipeline and
  // such sizes are known.
  std::optional<open::OpenRequest> fittingRequest() const;
  // The shown schedule is predicted for this GPU from now on, and the next search uses it.
  void chooseMachine(const QString &name);
  // Later measurements run on this host; empty: on this computer.
  void chooseHost(const QString &host);
  bool reloadsByItself() const; // whether the open file is reloaded when it changes on disk
  void reloadByItself();        // switches automatic reloading on, and reloads now

  const WorkspaceServices &services() const { return m_services; }
  QSettings &settings() { return m_settings; }
  Bridge &bridge() { return m_bridge; }
  Selection &selection() { return m_selection; }
  OpenFlow &opening() { return m_opening; }
  ScheduleFlow &schedule() { return m_schedule; }
  DocumentFlow &documents() { return m_documents; }
  CandidatePredictions &predictions() { return m_predictions; }
  ShownKernels &kernels() { return m_kernels; }
  MachineFlow &machines() { return m_machines; }
  CrashLadder &ladder() { return m_ladder; }
  HostModel &hosts() { return m_hosts; }
  CompileFlow &compiling() { return m_compile; }
  CompileFlow &compilingCompared() { return m_compileCompared; }
  MeasureFlow &measuring() { return m_measure; }
  Abilities &abilities() { return m_abilities; }
  OtherFlow &others() { return m_others; }
  LogModel &log() { return m_log; }
  RecentFiles &recentFiles() { return m_recent; }
  ProblemModel &problems() { return m_problems; }

signals:
  void machineChosen(const QString &name);

private:
  void writeLog();
  void connectOpening();
  void connectSchedule();
  void connectMachines();
  void warmUp();
  void begin(const OpenFlow::DocumentPtr &opened, LoadedDocumentPtr loaded);
  void showOpenError();
  void findMeasured();

  WorkspaceServices m_services;
  QSettings &m_settings;
  SettingsSaver m_saver;
  Bridge m_bridge;
  Selection m_selection;
  OpenFlow m_opening;
  ScheduleFlow m_schedule;
  DocumentFlow m_documents;
  CandidatePredictions m_predictions;
  PinnedSchedules m_pinned;
  ShownKernels m_kernels;
  MachineFlow m_machines;
  CrashLadder m_ladder;
  HostModel m_hosts;
  CompiledSchedules m_compiled;
  CompileFlow m_compile, m_compileCompared;
  MeasureFlow m_measure;
  Abilities m_abilities;
  OtherFlow m_others;
  LogModel m_log;
  LogWriter m_logWriter;
  RecentFiles m_recent;
  ProblemModel m_problems;
};

} // namespace tessera::views
