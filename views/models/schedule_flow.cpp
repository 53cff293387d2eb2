// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/schedule_flow.h"

#include <utility>

namespace tessera::views {

namespace {
const QString kTag = QStringLiteral("schedule");
} // namespace

ScheduleFlow::ScheduleFlow(ScheduleService service, Bridge &bridge, QObject *parent)
    : QObject(parent), m_service(std::move(service)), m_bridge(bridge) {
  m_spacing.setSingleShot(true);
  m_spacing.setInterval(kSpacingMilliseconds);
  connect(&m_spacing, &QTimer::timeout, this, &ScheduleFlow::showHeld);
}

void ScheduleFlow::setPipeline(pipeline::PipelinePtr pipeline) {
  stop();
  m_pipeline = std::move(pipeline);
  m_error.reset();
  m_spacing.stop();
  if (std::exchange(m_shown, nullptr)) emit shownChanged();
  emit stateChanged();
}

void ScheduleFlow::start(const QString &algorithm, const QString &machine) {
  if (!m_pipeline || !m_service.run) return;
  showHeld();
  m_error.reset();
  m_isRunning = true;
  using Tell = std::function<void(ShownSchedulePtr)>;
  m_bridge.runStaged<ShownSchedulePtr, ShownSchedulePtr>(
      kTag, tr("Scheduling %1").arg(QString::fromStdString(m_pipeline->name())),
      [run = m_service.run, machine,
       request = ScheduleRequest{m_pipeline, algorithm.toStdString(), machine.toStdString()}](
          const job::JobContext &job, const Tell &tell) -> Result<ShownSchedulePtr> {
        auto best = run(request, job.stop, job.progress, [&](FoundSchedule found) {
          tell(showSchedule(std::move(found), machine));
        });
        if (!best) return best.error();
        return showSchedule(std::move(*best), machine);
      },
      this, [this](ShownSchedulePtr better) { take(std::move(better)); },
      [this](Result<ShownSchedulePtr> best) { finish(best); });
  emit stateChanged();
}

void ScheduleFlow::stop() {
  if (m_isRunning) m_bridge.cancelTag(kTag); // which comes back to finish() at once
}

void ScheduleFlow::take(ShownSchedulePtr better) {
  m_held = std::move(better);
  if (!m_spacing.isActive()) showHeld();
}

void ScheduleFlow::showHeld() {
  if (!m_held) return;
  m_shown = std::exchange(m_held, nullptr);
  m_spacing.start();
  emit shownChanged();
}

void ScheduleFlow::finish(const Result<ShownSchedulePtr> &best) {
  m_isRunning = false;
  if (best) m_held = *best;
  showHeld();
  emit stateChanged();
  if (best || best.error().code == ErrorCode::Cancelled) return;
  m_error = best.error();
  emit refused();
}

} // namespace tessera::views
