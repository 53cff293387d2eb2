// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/bridge.h"

#include "views/flows/job_lines.h"

#include <QMetaObject>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

namespace tessera::views {

// The data that crosses threads. Every job shares it, so it may outlive the bridge; then `bridge`
// is null.
struct Bridge::Mailbox {
  std::mutex mutex;
  Bridge *bridge = nullptr;
  bool noticed = false;                         // an event that empties the mailbox is queued
  std::map<job::JobId, job::Progress> progress; // only the latest of each job
  std::map<job::JobId, std::shared_ptr<void>> interims; // only the latest of each job
  std::vector<std::pair<job::JobId, std::shared_ptr<void>>> results;

  void post(const std::function<void()> &put) {
    const std::scoped_lock lock(mutex);
    if (!bridge) return;
    put();
    if (std::exchange(noticed, true)) return;
    QMetaObject::invokeMethod(bridge, &Bridge::collect, Qt::QueuedConnection);
  }
};

Bridge::Bridge(int threads, QObject *parent)
    : QObject(parent), m_mailbox(std::make_shared<Mailbox>()), m_turn(this),
      m_queue(std::make_unique<job::JobQueue>(threads)) {
  m_clock.start();
  m_mailbox->bridge = this;
}

Bridge::~Bridge() {
  {
    const std::scoped_lock lock(m_mailbox->mutex);
    m_mailbox->bridge = nullptr;
  }
  m_queue.reset();
}

Error Bridge::cancelledError() { return {ErrorCode::Cancelled, "cancelled", {}}; }

std::function<void(job::JobId, std::shared_ptr<void>)> Bridge::teller() const {
  return [mailbox = m_mailbox](job::JobId id, std::shared_ptr<void> interim) {
    mailbox->post([&] { mailbox->interims[id] = std::move(interim); });
  };
}

job::JobId Bridge::submit(const QString &tag, const QString &title, Work work, QObject *receiver,
                          Deliver interim, Deliver deliver) {
  if (const auto older = m_latest.constFind(tag); older != m_latest.constEnd())
    forget(older.value());

  job::JobQueue::Job job;
  job.tag = tag.toStdString();
  // The id for progress reports, which carry none. The job itself stores it, because the job may
  // run before submit() has returned its id.
  auto id = std::make_shared<std::atomic<std::uint64_t>>(0);
  job.run = [id, tag, isShown = !title.isEmpty(), work = std::move(work), mailbox = m_mailbox,
             lines = JobLines(m_record)](const job::JobContext &context) {
    id->store(static_cast<std::uint64_t>(context.id));
    QElapsedTimer clock;
    clock.start();
    lines.began(tag, isShown);
    End end = work(context);
    lines.ended(tag, isShown, std::chrono::milliseconds(clock.elapsed()), end.failed);
    mailbox->post([&] { mailbox->results.emplace_back(context.id, std::move(end.result)); });
  };
  job.progress = [id, mailbox = m_mailbox](const job::Progress &progress) {
    mailbox->post([&] { mailbox->progress[job::JobId{id->load()}] = progress; });
  };
  const job::JobId submitted = m_queue->submit(std::move(job));

  m_latest.insert(tag, submitted);
  m_pending.emplace(submitted, Pending{receiver, std::move(interim), std::move(deliver)});
  m_running.push_back({submitted, tag, title, {}, m_clock.elapsed()});
  emit runningChanged();
  return submitted;
}

void Bridge::cancel(job::JobId id) {
  m_queue->cancel(id);
  finish(id, nullptr);
}

void Bridge::cancelTag(const QString &tag) {
  if (const auto found = m_latest.constFind(tag); found != m_latest.constEnd())
    cancel(job::JobId(found.value()));
}

void Bridge::cancelAll() {
  std::vector<job::JobId> ids;
  for (const Running &running : m_running)
    ids.push_back(running.id);
  for (const job::JobId id : ids)
    cancel(id);
}

void Bridge::collect() {
  if (m_turn.isOverWithTheLast() && !std::exchange(m_hasWaited, true)) {
    QMetaObject::invokeMethod(this, &Bridge::collect, Qt::QueuedConnection);
    return;
  }
  m_hasWaited = false;
  std::map<job::JobId, job::Progress> progress;
  std::map<job::JobId, std::shared_ptr<void>> interims;
  {
    const std::scoped_lock lock(m_mailbox->mutex);
    m_mailbox->noticed = false;
    progress.swap(m_mailbox->progress);
    interims.swap(m_mailbox->interims);
    std::ranges::move(m_mailbox->results, std::back_inserter(m_arrived));
    m_mailbox->results.clear();
  }
  bool progressed = false;
  for (Running &running : m_running) {
    const auto found = progress.find(running.id);
    if (found == progress.end()) continue;
    running.progress = std::move(found->second);
    progressed = true;
  }
  if (progressed) emit runningChanged();
  for (const auto &[id, interim] : interims)
    hand(id, interim.get());
  deliverArrived();
}

// Delivers what fits into this turn, and at least one result.
void Bridge::deliverArrived() {
  while (!m_arrived.empty()) {
    const auto [id, result] = std::move(m_arrived.front());
    m_arrived.pop_front();
    finish(id, result.get());
    if (!m_arrived.empty() && m_turn.isOver()) {
      QMetaObject::invokeMethod(this, &Bridge::deliverArrived, Qt::QueuedConnection);
      return;
    }
  }
}

void Bridge::hand(job::JobId id, void *interim) {
  const auto found = m_pending.find(id);
  if (found == m_pending.end() || !found->second.receiver) return;
  const Deliver take = found->second.interim; // a copy, because the receiver may cancel the job
  take(interim);
}

void Bridge::finish(job::JobId id, void *result) {
  const auto found = m_pending.find(id);
  if (found == m_pending.end()) return; // another job replaced it, or it was cancelled
  const Pending pending = std::move(found->second);
  forget(id);
  emit runningChanged();
  if (pending.receiver) pending.deliver(result);
}

void Bridge::forget(job::JobId id) {
  m_pending.erase(id);
  std::erase_if(m_running, [&](const Running &running) { return running.id == id; });
  m_latest.removeIf([&](const auto &entry) { return entry.value() == id; });
}

} // namespace tessera::views
