// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/compile_flow.h"

#include <utility>

namespace tessera::views {

CompileFlow::CompileFlow(Of of, KernelService service, Bridge &bridge, ShownKernels &kernels,
                         CrashLadder &ladder, CompiledSchedules &compiled, QObject *parent)
    : QObject(parent), m_which(of), m_service(std::move(service)), m_bridge(bridge),
      m_kernels(kernels), m_ladder(ladder), m_compiled(compiled) {
  connect(&m_kernels, &ShownKernels::changed, this, &CompileFlow::scheduleChanged);
}

void CompileFlow::setFile(std::optional<open::PipelineFiles> file) {
  m_file = std::move(file);
  m_compiled.clear();
  scheduleChanged();
}

QString CompileFlow::tag() const {
  return m_which == Of::Shown ? QStringLiteral("compile") : QStringLiteral("compile compared");
}

bool CompileFlow::canStart() const {
  return m_state != State::Running && m_of && m_service.compile;
}

std::optional<CompileWish> CompileFlow::wanted() const {
  const ShownSchedulePtr schedule =
      m_which == Of::Shown ? m_kernels.schedule() : m_kernels.before();
  if (!m_file || !schedule) return std::nullopt;
  return CompileWish{*m_file, schedule->found.schedule, m_kernels.facts().machine};
}

void CompileFlow::scheduleChanged() {
  auto wish = wanted();
  const bool isStill = wish && m_of ? isSame(*wish, *m_of) : !wish && !m_of;
  if (isStill) return publish();
  m_of.reset(); // reset first, so that no receiver of changed() starts the cancelled job again
  cancel();
  m_of = std::move(wish);
  m_texts = m_of ? m_compiled.find(*m_of) : nullptr;
  m_error.reset();
  m_state = m_texts ? State::Done : State::Idle;
  publish();
  emit changed();
}

// ShownKernels forgets the compiled kernels when it gets another ShownSchedule, even one of the
// same schedule. So they are set again.
void CompileFlow::publish() {
  if (m_which == Of::Shown && m_state == State::Done && !m_kernels.isCompiled())
    m_kernels.setCompiled({m_texts, &m_texts->report.kernels});
}

void CompileFlow::start() {
  if (!canStart()) return;
  m_state = State::Running;
  if (!m_ladder.mayCompile())
    return finish(Error{ErrorCode::WorkerFailed,
                        tr("Compiling is off after three crashes in ten minutes.").toStdString(),
                        tr("Turn compiling on again in the status bar.").toStdString()});
  const QString name = QString::fromStdString(m_of->schedule.base()->name());
  m_bridge.run<CompiledTexts>(
      tag(), (m_which == Of::Shown ? tr("Compiling %1") : tr("Compiling %1 to compare")).arg(name),
      [compile = m_service.compile, wish = *m_of](const job::JobContext &job) {
        return compile(wish, job.stop, job.progress);
      },
      this, [this](Result<CompiledTexts> texts) { finish(std::move(texts)); });
  emit changed();
}

void CompileFlow::cancel() {
  if (m_state == State::Running) m_bridge.cancelTag(tag()); // this calls finish() at once
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
  if (m_texts) m_compiled.keep(*m_of, m_texts);
  publish();
  emit changed();
}

} // namespace tessera::views
