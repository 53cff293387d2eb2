// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/compile_report.h"
#include "engine/document/document.h"
#include "views/flows/bridge.h"
#include "views/flows/kernel_service.h"
#include "views/flows/selection.h"
#include "views/flows/shown_schedule.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// A schedule that the shown one is compared with.
struct ComparedSchedule {
  QString title; // a word for a mark: "before", "kept", "A"
  QString name;  // of the candidate that it is; empty: none is pinned for it
  ShownSchedulePtr schedule;
  document::CandidatePtr measured; // one with this schedule that counts; null: there is none
};

// The kernels of the schedule that is shown, with the machine that it is for and the schedule that
// it is compared with; what all panels about kernels share. Kernels count from 0 here, and from 1
// wherever a person reads their number.
//
//   schedule ── setSchedule() ──▶ its machine, read once for each name ──▶ changed()
class ShownKernels : public QObject {
  Q_OBJECT
public:
  using Compiled = std::shared_ptr<const std::vector<report::KernelReport>>;
  // Whether more of the same search may follow.
  enum class Stage { Settled, Provisional };

  ShownKernels(KernelService service, Bridge &bridge, Selection &selection,
               QObject *parent = nullptr);

  void setSchedule(ShownSchedulePtr shown, Stage stage); // null: none
  void settle();                                         // the search has ended
  void setCompiled(Compiled kernels); // of the schedule that is shown; forgotten with it
  // The candidates whose measurements count, of what is shown and of what it is compared with.
  void setMeasured(std::vector<document::CandidatePtr> measured);
  void setPinned(std::vector<ComparedSchedule> pinned); // A first
  void forgetMachine(const QString &machine);           // read anew with the next schedule
  void compareWithShown();  // keeps what is shown as what later ones are compared with
  void compareWithBefore(); // the rule again: with what was shown before a search or an edit

  // Null until the machine is known, or where there is none: error() says why then.
  const ShownSchedulePtr &schedule() const { return m_ready; }
  const MachineFacts &facts() const { return *m_facts; } // while there is a schedule
  const std::optional<Error> &error() const { return m_error; }
  // On the same machine and of the same pipeline. The first is what arrows and differences are
  // from: what is kept, else what is pinned as A or as B, else what was shown before.
  std::vector<ComparedSchedule> compared() const;
  ShownSchedulePtr before() const; // the first of them; null: there is none
  bool comparesWithKept() const { return m_kept != nullptr; }

  int count() const;
  const cost::Prediction::Kernel &kernel(int number) const;
  QString name(int number) const; // of the stage that owns the blocks
  bool isCompiled() const { return m_compiled != nullptr; }
  // What ptxas said of it; none: nobody has compiled the schedule, or there is no ptxas.
  std::optional<report::AssemblerReport> assembled(int number) const;
  // What all launches of a kernel were measured to take in a run; none: nobody measured it.
  std::optional<double> measured(int number) const;
  // What the hardware counted of it; null: nobody counted.
  const bench::KernelCounters *counted(int number) const;
  // Of the schedule that is shown; null: there is none.
  const measure::KeptMeasurement *measurement() const;
  std::optional<int> kernelOf(Subject subject) const;
  std::vector<Subject> subjects(int number) const; // that it computes, its owner first

  // That of the active stage, else the one that takes longest; -1: there is none.
  int current() const;
  void select(int number);
  void hover(std::optional<int> number);
  bool isChosen() const; // by the user, and not only the longest

signals:
  void changed();        // another schedule, machine or comparison
  void currentChanged(); // by the selection

private:
  void load();
  void publish();
  void findMeasured();
  document::CandidatePtr measuredOf(const ShownSchedule &shown) const; // null: none

  KernelService m_service;
  Bridge &m_bridge;
  Selection &m_selection;
  ShownSchedulePtr m_shown, m_ready; // ready: its machine is known
  ShownSchedulePtr m_before, m_kept;
  std::vector<ComparedSchedule> m_pinned;
  Compiled m_compiled;
  std::vector<document::CandidatePtr> m_allMeasured;
  document::CandidatePtr m_measurement;                 // of what is shown
  std::vector<std::optional<double>> m_measured;        // by kernel; empty: none of what is shown
  std::vector<const bench::KernelCounters *> m_counted; // the same, of m_measurement
  Stage m_stage = Stage::Settled;
  QString m_machine; // that m_facts are of; empty: they are to be read anew
  std::shared_ptr<const MachineFacts> m_facts;
  std::optional<Error> m_error;
};

} // namespace tessera::views
