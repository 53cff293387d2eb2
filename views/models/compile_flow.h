// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/models/crash_ladder.h"
#include "views/models/shown_kernels.h"

#include <QObject>

#include <memory>
#include <optional>

namespace tessera::views {

// The compiling of the schedule that is shown, when somebody asks for it. What was compiled is
// forgotten with the schedule.
//
//   idle ── start() ──▶ running ──▶ done, failed ── another schedule ──▶ idle
class CompileFlow : public QObject {
  Q_OBJECT
public:
  enum class State { Idle, Running, Done, Failed };

  CompileFlow(KernelService service, Bridge &bridge, ShownKernels &kernels, CrashLadder &ladder,
              QObject *parent = nullptr);

  void setFile(std::optional<session::OpenedFile> file); // of the pipeline that is open

  State state() const { return m_state; }
  bool canStart() const;
  const std::shared_ptr<const CompiledTexts> &texts() const { return m_texts; } // Done
  const std::optional<Error> &error() const { return m_error; }                 // Failed

  void start();
  void cancel();

signals:
  void changed();

private:
  void scheduleChanged();
  void finish(Result<CompiledTexts> texts);

  KernelService m_service;
  Bridge &m_bridge;
  ShownKernels &m_kernels;
  CrashLadder &m_ladder;
  std::optional<session::OpenedFile> m_file;
  ShownSchedulePtr m_of; // what is, or was, compiled
  State m_state = State::Idle;
  std::shared_ptr<const CompiledTexts> m_texts;
  std::optional<Error> m_error;
};

} // namespace tessera::views
