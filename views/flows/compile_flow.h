// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/compiled_schedules.h"
#include "views/flows/crash_ladder.h"
#include "views/flows/shown_kernels.h"

#include <QObject>

#include <memory>
#include <optional>

namespace tessera::views {

// Compiles the shown schedule, or the one that it is compared with, when the user asks for it.
// Another schedule needs another compilation; texts that were compiled before are available at
// once.
//
//   idle ── start() ──▶ running ──▶ done, failed ── another schedule ──▶ idle, done
class CompileFlow : public QObject {
  Q_OBJECT
public:
  enum class State { Idle, Running, Done, Failed };
  enum class Of { Shown, Compared };

  CompileFlow(Of of, KernelService service, Bridge &bridge, ShownKernels &kernels,
              CrashLadder &ladder, CompiledSchedules &compiled, QObject *parent = nullptr);

  void setFile(std::optional<open::PipelineFiles> file); // files of the open pipeline

  Of of() const { return m_which; }
  State state() const { return m_state; }
  bool canStart() const;
  const CompiledSchedules::Texts &texts() const { return m_texts; } // if Done
  const std::optional<Error> &error() const { return m_error; }     // if Failed

  void start();
  void cancel();

signals:
  void changed();

private:
  QString tag() const;
  std::optional<CompileWish> wanted() const; // none: there is nothing to compile
  void scheduleChanged();
  void finish(Result<CompiledTexts> texts);
  void publish(); // passes the report of ptxas to all panels that show kernels

  const Of m_which;
  KernelService m_service;
  Bridge &m_bridge;
  ShownKernels &m_kernels;
  CrashLadder &m_ladder;
  CompiledSchedules &m_compiled;
  std::optional<open::PipelineFiles> m_file;
  std::optional<CompileWish> m_of; // the schedule that m_state and m_texts are about
  State m_state = State::Idle;
  CompiledSchedules::Texts m_texts;
  std::optional<Error> m_error;
};

} // namespace tessera::views
