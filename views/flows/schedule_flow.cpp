// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/schedule_flow.h"

#include "engine/tune/search_run.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {
const QString kScheduleTag = QStringLiteral("schedule");
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
  m_beforeDraft.reset();
  m_draft.reset();
  if (std::exchange(m_shown, nullptr)) emit shownChanged();
  emit stateChanged();
}

bool SearchResult::isFaster() const {
  return !before || tune::verdictOn(best->found.prediction.seconds,
                                    before->found.prediction.seconds) == tune::Verdict::Faster;
}

void ScheduleFlow::start(SearchWish wish) {
  if (!m_pipeline || !m_service.run) return;
  m_bridge.cancelTag(kPredictTag);
  endDraft();
  m_isPredicting = false;
  showHeld();
  m_error.reset();
  m_isRunning = true;
  m_report = {};
  m_wish = std::move(wish);
  // If the user has no schedule, the shown one, if any, is an interim result of the replaced
  // search. It is removed if that search was for another machine.
  if (!m_wish.current) forgetOtherMachine(m_wish.machine);
  using Tell = std::function<void(Report)>;
  m_bridge.runStaged<Report, Report>(
      kScheduleTag, tr("Scheduling %1").arg(QString::fromStdString(m_pipeline->name())),
      [service = m_service, wish = m_wish,
       pipeline = m_pipeline](const job::JobContext &job, const Tell &tell) -> Result<Report> {
        const std::string machine = wish.machine.toStdString();
        Report report;
        if (wish.current && service.predict) {
          if (auto now = service.predict(*wish.current, machine))
            report.before = showSchedule(std::move(*now), wish.machine);
          tell(report);
        }
        auto best =
            service.run({pipeline, wish.algorithm.toStdString(), machine, wish.current, wish.from},
                        job.stop, job.progress, [&](FoundSchedule found) {
                          report.best = showSchedule(std::move(found), wish.machine);
                          tell(report);
                        });
        if (!best) return best.error();
        report.best = showSchedule(std::move(*best), wish.machine);
        return report;
      },
      this, [this](Report report) { take(std::move(report)); },
      [this](const Result<Report> &end) { finish(end); });
  emit stateChanged();
}

void ScheduleFlow::stop() {
  if (m_isRunning) m_bridge.cancelTag(kScheduleTag); // this calls finish() at once
}

void ScheduleFlow::show(const std::optional<schedule::Schedule> &schedule, const QString &machine) {
  m_bridge.cancelTag(kPredictTag);
  m_held.reset();
  auto next = schedule ? known(*schedule, machine) : nullptr;
  if (const ShownSchedulePtr before = std::exchange(m_beforeDraft, nullptr)) {
    m_draft.reset();
    // If the draft becomes the current schedule, m_shown first goes back to the one before it,
    // because set() emits shownChanged() only for a schedule that differs from m_shown.
    if (next == m_shown) m_shown = before;
    if (schedule && !next) set(before); // until `schedule` is predicted
  }
  if (!schedule || next) return set(std::move(next));
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
      [this, machine](Result<ShownSchedulePtr> shown) {
        m_isPredicting = false;
        if (shown) return set(std::move(*shown));
        if (shown.error().code == ErrorCode::Cancelled) return;
        m_error = shown.error();
        forgetOtherMachine(machine);
        emit notShown();
      });
}

void ScheduleFlow::showDraft(ShownSchedulePtr draft) {
  if (!draft || m_isRunning || draft == m_shown || draft == m_draft) return;
  if (!m_beforeDraft) m_beforeDraft = m_shown;
  m_draft = draft;
  // The draft gets its colours now, so that they do not change if it becomes the current schedule.
  m_shown = shownAfter(std::move(draft), m_kernels);
  emit shownChanged();
}

void ScheduleFlow::endDraft() {
  if (!m_beforeDraft) return;
  m_shown = std::exchange(m_beforeDraft, nullptr);
  m_draft = nullptr;
  emit shownChanged();
}

void ScheduleFlow::forgetMachine(const QString &machine) {
  std::erase_if(m_known, [&](const ShownSchedulePtr &shown) { return shown->machine == machine; });
}

// Also finds a schedule with other marks, because a prediction does not depend on marks.
ShownSchedulePtr ScheduleFlow::known(const schedule::Schedule &schedule,
                                     const QString &machine) const {
  const auto isSame = [&](const ShownSchedulePtr &shown) {
    return shown->machine == machine && shown->found.schedule == schedule;
  };
  // The latest, since a search tells the costs of its kernels and its trace when it ends.
  const auto known = std::find_if(m_known.rbegin(), m_known.rend(), isSame);
  ShownSchedulePtr same = known == m_known.rend() ? nullptr : *known;
  if (!same && isDraft() && isSame(m_shown)) same = m_shown;
  if (!same || same->found.schedule.marks() == schedule.marks()) return same;
  const FoundSchedule &found = same->found;
  return showSchedule({schedule, found.prediction, {}, found.algorithm, found.costs, found.trace},
                      machine);
}

void ScheduleFlow::set(ShownSchedulePtr shown) {
  if (shown == m_shown) return;
  const bool isSame = shown && m_shown && shown->machine == m_shown->machine &&
                      shown->found.schedule == m_shown->found.schedule &&
                      shown->found.schedule.marks() == m_shown->found.schedule.marks() &&
                      shown->found.prediction.seconds == m_shown->found.prediction.seconds &&
                      shown->found.costs.size() == m_shown->found.costs.size() &&
                      shown->found.trace == m_shown->found.trace;
  if (isSame) return; // a search may report the shown schedule again
  if (shown) {
    shown = shownAfter(std::move(shown), m_kernels);
    m_kernels = shown->kernels;
  }
  m_shown = std::move(shown);
  if (m_shown) remember(m_shown);
  emit shownChanged();
}

void ScheduleFlow::remember(ShownSchedulePtr shown) {
  if (m_known.size() == kMostKnown) m_known.erase(m_known.begin());
  m_known.push_back(std::move(shown));
}

// Shows nothing if the shown schedule was predicted for another machine: its numbers could be
// mistaken for those of `machine`.
void ScheduleFlow::forgetOtherMachine(const QString &machine) {
  if (m_shown && m_shown->machine != machine) set(nullptr);
}

// Shows the best schedule of the search if it is faster than the user's, else the user's.
void ScheduleFlow::take(Report report) {
  m_report = std::move(report);
  const ShownSchedulePtr &best = m_report.best;
  m_held = best && SearchResult{best, m_report.before, {}}.isFaster() ? best : m_report.before;
  if (!m_held) forgetOtherMachine(m_wish.machine); // the user's schedule is not legal there
  if (!m_spacing.isActive()) showHeld();
}

void ScheduleFlow::showHeld() {
  if (!m_held) return;
  m_spacing.start();
  set(std::exchange(m_held, nullptr));
}

void ScheduleFlow::finish(const Result<Report> &end) {
  m_isRunning = false;
  const bool isStopped = !end && end.error().code == ErrorCode::Cancelled;
  if (end) take(*end);
  const Report report = std::exchange(m_report, {});
  showHeld();
  emit stateChanged();
  // A search that was stopped before it found anything leaves the current schedule as it is.
  if (report.best && (end || isStopped)) {
    // It may become a candidate without being shown, and is shown if the user chooses it.
    if (report.best != m_shown) remember(report.best);
    return emit found({report.best, report.before, m_wish, isStopped});
  }
  if (isStopped) return;
  m_error = end.error();
  forgetOtherMachine(m_wish.machine);
  emit refused();
}

} // namespace tessera::views
