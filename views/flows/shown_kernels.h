// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/kernel_service.h"
#include "views/flows/selection.h"
#include "views/flows/shown_schedule.h"
#include "engine/document/document.h"
#include "engine/report/compile_report.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// A schedule that the shown schedule is compared with.
struct ComparedSchedule {
  QString title; // word for its mark: "before", "kept", "A"
  QString name;  // name of its candidate; empty: it is not pinned
  ShownSchedulePtr schedule;
  // A candidate with this schedule and a valid measurement; null: none.
  document::CandidatePtr measured;
};

// The kernels of the shown schedule, with its machine and the schedules that it is compared with.
// All kernel panels share it. Kernels are numbered from 0 here, and from 1 in texts for the user.
//
//   schedule ── setSchedule() ──▶ its machine, read if it is another one ──▶ changed()
class ShownKernels : public QObject {
  Q_OBJECT
public:
  using Compiled = std::shared_ptr<const std::vector<report::KernelReport>>;
  // Provisional: the same search, or the same drag, may bring more schedules.
  enum class Stage { Settled, Provisional };

  ShownKernels(KernelService service, Bridge &bridge, Selection &selection,
               QObject *parent = nullptr);

  void setSchedule(ShownSchedulePtr shown, Stage stage); // null: there is none
  void settle();                                         // the search has ended
  // The compiled kernels of the shown schedule; forgotten when it changes.
  void setCompiled(Compiled kernels);
  // The candidates with valid measurements, for the shown and for the compared schedules.
  void setMeasured(std::vector<document::CandidatePtr> measured);
  void setPinned(std::vector<ComparedSchedule> pinned); // A before B
  void forgetMachine(const QString &machine);           // the next schedule reads the machine again
  // Keeps the shown schedule and compares later ones with it.
  void compareWithShown();
  // Back to the default: compares with the schedule shown before the last search or edit.
  void compareWithBefore();

  // Null until the machine is known. If it cannot be read, it stays null and error() says why.
  const ShownSchedulePtr &schedule() const { return m_ready; }
  const MachineFacts &facts() const { return *m_facts; } // only while schedule() is not null
  const std::optional<Error> &error() const { return m_error; }
  // Only schedules of the machine and the pipeline of schedule(). Arrows and differences start from
  // the first one: the kept one, else the one pinned as A, else B, else the one shown before.
  std::vector<ComparedSchedule> compared() const;
  ShownSchedulePtr before() const; // the first of compared(); null: there is none
  bool comparesWithKept() const { return m_kept != nullptr; }

  int count() const;
  const cost::Prediction::Kernel &kernel(int number) const;
  QString name(int number) const; // name of the stage that owns the blocks
  bool isCompiled() const { return m_compiled != nullptr; }
  // The report of ptxas; none: the schedule is not compiled, or there is no ptxas.
  std::optional<report::AssemblerReport> assembled(int number) const;
  // The measured time of all launches of a kernel in one run; none: not measured.
  std::optional<double> measured(int number) const;
  // The hardware counters of a kernel; null: none were read.
  const bench::KernelCounters *counted(int number) const;
  // The measurement of the shown schedule; null: there is none.
  const measure::KeptMeasurement *measurement() const;
  std::optional<int> kernelOf(Subject subject) const;
  // The stages that the kernel computes; the stage that owns its blocks comes first.
  std::vector<Subject> subjects(int number) const;

  // The kernel of the active stage, else the one that takes longest; -1: there is none.
  int current() const;
  void select(int number);
  void hover(std::optional<int> number);
  bool isChosen() const; // the user chose the kernel; otherwise it is the one that takes longest

signals:
  void changed();        // another schedule, machine or comparison
  void currentChanged(); // the selection has changed current()

private:
  void load();
  void publish();
  void findMeasured();
  document::CandidatePtr measuredOf(const ShownSchedule &shown) const; // null: none

  KernelService m_service;
  Bridge &m_bridge;
  Selection &m_selection;
  ShownSchedulePtr m_shown, m_ready; // m_ready is set when the machine is known
  ShownSchedulePtr m_before, m_kept;
  ShownSchedulePtr m_earlier; // shown before m_before
  std::vector<ComparedSchedule> m_pinned;
  Compiled m_compiled;
  std::vector<document::CandidatePtr> m_allMeasured;
  // A candidate with a valid measurement of the shown schedule.
  document::CandidatePtr m_measurement;
  std::vector<std::optional<double>> m_measured;        // indexed by kernel; empty: no measurement
  std::vector<const bench::KernelCounters *> m_counted; // indexed by kernel; owned by m_measurement
  Stage m_stage = Stage::Settled;
  QString m_machine; // the machine of m_facts; empty: has to be read again
  std::shared_ptr<const MachineFacts> m_facts;
  std::optional<Error> m_error;
};

} // namespace tessera::views
