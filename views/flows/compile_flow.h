// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/compiled_schedules.h"
#include "views/flows/crash_ladder.h"
#include "views/flows/shown_kernels.h"

#include <QObject>

#include <memory>
#include <optional>

namespace tessera::views {

// The compiling of the schedule that is shown, or of the one that it is compared with, when
// somebody asks for it. Another schedule is another compilation; what was compiled before is there
// at once.
//
//   idle ── start() ──▶ running ──▶ done, failed ── another schedule ──▶ idle, done
class CompileFlow : public QObject {
  Q_OBJECT
public:
  enum class State { Idle, Running, Done, Failed };
  enum class Of { Shown, Compared };

  CompileFlow(Of of, KernelService service, Bridge &bridge, ShownKernels &kernels,
              CrashLadder &ladder, CompiledSchedules &compiled, QObject *parent = nullptr);

  void setFile(std::optional<open::PipelineFiles> file); // of the pipeline that is open

  Of of() const { return m_which; }
  State state() const { return m_state; }
  bool canStart() const;
  const CompiledSchedules::Texts &texts() const { return m_texts; } // Done
  const std::optional<Error> &error() const { return m_error; }     // Failed

  void start();
  void cancel();

signals:
  void changed();

private:
  QString tag() const;
  std::optional<CompileWish> wanted() const; // none: there is nothing to compile
  void scheduleChanged();
  void finish(Result<CompiledTexts> texts);
  void publish(); // what ptxas said, to all who show kernels

  const Of m_which;
  KernelService m_service;
  Bridge &m_bridge;
  ShownKernels &m_kernels;
  CrashLadder &m_ladder;
  CompiledSchedules &m_compiled;
  std::optional<open::PipelineFiles> m_file;
  std::optional<CompileWish> m_of; // what is, was, or could be compiled
  State m_state = State::Idle;
  CompiledSchedules::Texts m_texts;
  std::optional<Error> m_error;
};

} // namespace tessera::views
