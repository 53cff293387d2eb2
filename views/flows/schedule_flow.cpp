// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/schedule_flow.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {
const QString kTag = QStringLiteral("schedule");
const QString kPredictTag = QStringLiteral("predict");
constexpr std::size_t kMostKnown = 32; // keeps predictions, so that undo and redo need no thread
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
  m_bridge.cancelTag(kPredictTag);
  m_error.reset();
  m_known.clear();
  m_kernels.clear();
  m_spacing.stop();
  if (std::exchange(m_shown, nullptr)) emit shownChanged();
  emit stateChanged();
}

void ScheduleFlow::start(const QString &algorithm, const QString &machine,
                         std::optional<schedule::Schedule> around) {
  if (!m_pipeline || !m_service.run) return;
  m_bridge.cancelTag(kPredictTag);
  showHeld();
  m_error.reset();
  m_isRunning = true;
  m_best.reset();
  const SearchResult result{nullptr, algorithm, around.has_value()};
  using Tell = std::function<void(ShownSchedulePtr)>;
  m_bridge.runStaged<ShownSchedulePtr, ShownSchedulePtr>(
      kTag, tr("Scheduling %1").arg(QString::fromStdString(m_pipeline->name())),
      [run = m_service.run, machine,
       request = ScheduleRequest{m_pipeline, algorithm.toStdString(), machine.toStdString(),
                                 std::move(around)}](const job::JobContext &job,
                                                     const Tell &tell) -> Result<ShownSchedulePtr> {
        auto best = run(request, job.stop, job.progress, [&](FoundSchedule found) {
          tell(showSchedule(std::move(found), machine));
        });
        if (!best) return best.error();
        return showSchedule(std::move(*best), machine);
      },
      this, [this](ShownSchedulePtr better) { take(std::move(better)); },
      [this, result](const Result<ShownSchedulePtr> &best) { finish(best, result); });
  emit stateChanged();
}

void ScheduleFlow::stop() {
  if (m_isRunning) m_bridge.cancelTag(kTag); // this calls finish() at once
}

void ScheduleFlow::show(const std::optional<schedule::Schedule> &schedule, const QString &machine) {
  m_bridge.cancelTag(kPredictTag);
  m_held.reset();
  if (!schedule) return set(nullptr);
  if (auto shown = known(*schedule, machine)) return set(std::move(shown));
  if (!m_service.predict) return;
  m_isPredicting = true;
  m_bridge.run<ShownSchedulePtr>(
      kPredictTag, {},
      [predict = m_service.predict, schedule = *schedule,
       machine](const job::JobContext &) -> Result<ShownSchedulePtr> {
        auto found = predict(schedule, machine.toStdString());
        if (!found) return found.error();
        return showSchedule(std::move(*found), machine);
      },
      this,
      [this](Result<ShownSchedulePtr> shown) {
        m_isPredicting = false;
        if (shown) return set(std::move(*shown));
        if (shown.error().code == ErrorCode::Cancelled) return;
        m_error = shown.error();
        emit notShown();
      });
}

void ScheduleFlow::forgetMachine(const QString &machine) {
  std::erase_if(m_known, [&](const ShownSchedulePtr &shown) { return shown->machine == machine; });
}

// Also finds a schedule with other marks, because a prediction does not depend on marks.
ShownSchedulePtr ScheduleFlow::known(const schedule::Schedule &schedule,
                                     const QString &machine) const {
  const auto same = std::ranges::find_if(m_known, [&](const ShownSchedulePtr &shown) {
    return shown->machine == machine && shown->found.schedule == schedule;
  });
  if (same == m_known.end()) return nullptr;
  if ((*same)->found.schedule.marks() == schedule.marks()) return *same;
  return showSchedule({schedule, (*same)->found.prediction}, machine);
}

void ScheduleFlow::set(ShownSchedulePtr shown) {
  if (shown == m_shown) return;
  if (shown) {
    shown = shownAfter(std::move(shown), m_kernels);
    m_kernels = shown->kernels;
  }
  m_shown = std::move(shown);
  if (m_shown) {
    if (m_known.size() == kMostKnown) m_known.erase(m_known.begin());
    m_known.push_back(m_shown);
  }
  emit shownChanged();
}

void ScheduleFlow::take(ShownSchedulePtr better) {
  m_best = better;
  m_held = std::move(better);
  if (!m_spacing.isActive()) showHeld();
}

void ScheduleFlow::showHeld() {
  if (!m_held) return;
  m_spacing.start();
  set(std::exchange(m_held, nullptr));
}

void ScheduleFlow::finish(const Result<ShownSchedulePtr> &best, SearchResult result) {
  m_isRunning = false;
  const bool isStopped = !best && best.error().code == ErrorCode::Cancelled;
  if (best) m_held = *best;
  const ShownSchedulePtr soFar = std::exchange(m_best, nullptr);
  result.best = best ? *best : isStopped ? soFar : nullptr;
  showHeld();
  emit stateChanged();
  // A search that was stopped before it found anything leaves the current schedule as it is.
  if (result.best) return emit found(result);
  if (isStopped) return;
  m_error = best.error();
  emit refused();
}

} // namespace tessera::views
