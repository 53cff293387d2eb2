// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/compile_flow.h"

#include <utility>

namespace tessera::views {

namespace {
const QString kTag = QStringLiteral("compile");
} // namespace

CompileFlow::CompileFlow(KernelService service, Bridge &bridge, ShownKernels &kernels,
                         CrashLadder &ladder, QObject *parent)
    : QObject(parent), m_service(std::move(service)), m_bridge(bridge), m_kernels(kernels),
      m_ladder(ladder) {
  connect(&m_kernels, &ShownKernels::changed, this, &CompileFlow::scheduleChanged);
}

void CompileFlow::setFile(std::optional<session::OpenedFile> file) { m_file = std::move(file); }

bool CompileFlow::canStart() const {
  return m_state != State::Running && m_file && m_kernels.schedule() && m_service.compile;
}

void CompileFlow::scheduleChanged() {
  if (m_kernels.schedule() == m_of) return;
  cancel();
  m_of = nullptr;
  m_texts = nullptr;
  m_error.reset();
  m_state = State::Idle;
  emit changed();
}

void CompileFlow::start() {
  if (!canStart()) return;
  m_of = m_kernels.schedule();
  m_state = State::Running;
  if (!m_ladder.mayCompile())
    return finish(Error{ErrorCode::WorkerFailed,
                        tr("Compiling is off after three crashes in ten minutes.").toStdString(),
                        tr("The status bar has the way back.").toStdString()});
  m_bridge.run<CompiledTexts>(
      kTag, tr("Compiling %1").arg(QString::fromStdString(m_of->found.schedule.base()->name())),
      [compile = m_service.compile,
       wish = CompileWish{*m_file, m_of->found.schedule, m_kernels.facts().machine}](
          const job::JobContext &job) { return compile(wish, job.stop, job.progress); },
      this, [this](Result<CompiledTexts> texts) { finish(std::move(texts)); });
  emit changed();
}

void CompileFlow::cancel() {
  if (m_state == State::Running) m_bridge.cancelTag(kTag); // which comes back to finish() at once
}

void CompileFlow::finish(Result<CompiledTexts> texts) {
  if (m_state != State::Running) return;
  const bool isCancelled = !texts && texts.error().code == ErrorCode::Cancelled;
  m_state = texts ? State::Done : isCancelled ? State::Idle : State::Failed;
  if (m_state == State::Failed && texts.error().code == ErrorCode::WorkerFailed &&
      m_ladder.mayCompile())
    m_ladder.crashed(CrashLadder::Worker::Compiler);
  m_error = texts || isCancelled ? std::nullopt : std::optional(texts.error());
  m_texts = texts ? std::make_shared<const CompiledTexts>(std::move(*texts)) : nullptr;
  if (m_texts) m_kernels.setCompiled({m_texts, &m_texts->report.kernels});
  emit changed();
}

} // namespace tessera::views
