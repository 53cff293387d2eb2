// SPDX-License-Identifier: MIT
#include "engine/job/job_queue.h"

#include "engine/job/progress_throttle.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace tessera::job {
namespace {

using Clock = std::chrono::steady_clock;

struct Entry {
  Entry(JobId newId, JobQueue::Job given)
      : id(newId), job(std::move(given)), throttle(std::move(job.progress)) {}

  JobId id;
  JobQueue::Job job;
  std::stop_source stop;
  ProgressThrottle throttle;
  bool superseded = false; // guarded by the queue's mutex
};
using EntryPtr = std::shared_ptr<Entry>;
using Entries = std::vector<EntryPtr>;

void callReplaced(const Entry &entry) {
  if (entry.job.replaced) entry.job.replaced();
}

} // namespace

struct JobQueue::Impl {
  mutable std::mutex mutex; // not held during callbacks and stop requests
  std::condition_variable changed;
  std::deque<EntryPtr> waiting;
  Entries running;
  std::map<std::string, JobId> latest;
  std::uint64_t lastId = 0;
  bool ending = false;

  std::mutex clockMutex;
  std::condition_variable clockChanged;
  bool heldBack = false; // true: some throttle holds back a progress
  bool clockEnding = false;

  std::vector<std::thread> threads;
  std::thread clock;

  void work();
  void runOne(const EntryPtr &entry);
  EntryPtr takeRunnable();
  void deliverHeldBack();
  void wakeClock();
  template <typename Match>
  void cancelIf(const Match &match);
};

// The oldest waiting job whose tag is not running; null if there is none.
EntryPtr JobQueue::Impl::takeRunnable() {
  const auto tagIsFree = [this](const EntryPtr &entry) {
    return std::none_of(running.begin(), running.end(),
                        [&](const EntryPtr &other) { return other->job.tag == entry->job.tag; });
  };
  const auto found = std::find_if(waiting.begin(), waiting.end(), tagIsFree);
  if (found == waiting.end()) return nullptr;
  EntryPtr entry = std::move(*found);
  waiting.erase(found);
  running.push_back(entry);
  return entry;
}

void JobQueue::Impl::work() {
  std::unique_lock lock(mutex);
  while (true) {
    EntryPtr entry;
    changed.wait(lock, [&] { return (entry = takeRunnable()) != nullptr || ending; });
    if (!entry) return;
    lock.unlock();
    runOne(entry);
    lock.lock();
    std::erase(running, entry);
    changed.notify_all();
    lock.unlock();
    entry.reset(); // destroys what the job captured, without holding the lock
    lock.lock();
  }
}

void JobQueue::Impl::runOne(const EntryPtr &entry) {
  JobContext context{entry->id, entry->stop.get_token(), {}};
  context.progress = [this, entry](const Progress &progress) {
    if (entry->throttle.report(progress, Clock::now())) wakeClock();
  };
  entry->job.run(context);
  entry->throttle.finish();
  bool superseded = false;
  {
    const std::lock_guard lock(mutex);
    superseded = entry->superseded;
  }
  if (superseded) callReplaced(*entry);
}

void JobQueue::Impl::wakeClock() {
  const std::lock_guard lock(clockMutex);
  heldBack = true;
  clockChanged.notify_one();
}

void JobQueue::Impl::deliverHeldBack() {
  std::unique_lock lock(clockMutex);
  while (true) {
    clockChanged.wait(lock, [this] { return heldBack || clockEnding; });
    if (clockEnding) return;
    heldBack = false;
    lock.unlock();
    Entries now;
    {
      const std::lock_guard queueLock(mutex);
      now = running;
    }
    std::optional<Clock::time_point> next;
    for (const EntryPtr &entry : now) {
      entry->throttle.deliverDue(Clock::now());
      const auto due = entry->throttle.due();
      if (due && (!next || *due < *next)) next = due;
    }
    now.clear();
    lock.lock();
    if (!next) continue;
    heldBack = true;
    clockChanged.wait_until(lock, *next, [this] { return clockEnding; });
  }
}

template <typename Match>
void JobQueue::Impl::cancelIf(const Match &match) {
  Entries neverRan, stopped;
  {
    const std::lock_guard lock(mutex);
    for (const EntryPtr &entry : waiting)
      if (match(*entry)) neverRan.push_back(entry);
    std::erase_if(waiting, [&](const EntryPtr &entry) { return match(*entry); });
    for (const EntryPtr &entry : running)
      if (match(*entry)) stopped.push_back(entry);
    changed.notify_all();
  }
  for (const EntryPtr &entry : stopped)
    entry->stop.request_stop();
  for (const EntryPtr &entry : neverRan)
    callReplaced(*entry);
}

JobQueue::JobQueue(int threads) : m_impl(std::make_unique<Impl>()) {
  for (int i = 0; i < std::max(threads, 1); ++i)
    m_impl->threads.emplace_back([impl = m_impl.get()] { impl->work(); });
  m_impl->clock = std::thread([impl = m_impl.get()] { impl->deliverHeldBack(); });
}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(m_impl->mutex);
    m_impl->ending = true;
  }
  m_impl->cancelIf([](const Entry &) { return true; });
  m_impl->changed.notify_all();
  for (std::thread &thread : m_impl->threads)
    thread.join();
  {
    const std::lock_guard lock(m_impl->clockMutex);
    m_impl->clockEnding = true;
    m_impl->clockChanged.notify_one();
  }
  m_impl->clock.join();
}

JobId JobQueue::submit(Job job) {
  EntryPtr entry;
  Entries neverRan, stopped;
  {
    const std::lock_guard lock(m_impl->mutex);
    const JobId id{++m_impl->lastId};
    entry = std::make_shared<Entry>(id, std::move(job));
    const std::string &tag = entry->job.tag;
    m_impl->latest[tag] = id;
    for (const EntryPtr &other : m_impl->running)
      if (other->job.tag == tag) other->superseded = true, stopped.push_back(other);
    for (const EntryPtr &other : m_impl->waiting)
      if (other->job.tag == tag) neverRan.push_back(other);
    std::erase_if(m_impl->waiting, [&](const EntryPtr &other) { return other->job.tag == tag; });
    if (m_impl->ending)
      neverRan.push_back(entry); // submitted while the queue is being destroyed
    else
      m_impl->waiting.push_back(entry);
    m_impl->changed.notify_all();
  }
  for (const EntryPtr &other : stopped) {
    other->throttle.silence();
    other->stop.request_stop();
  }
  for (const EntryPtr &other : neverRan)
    callReplaced(*other);
  return entry->id;
}

void JobQueue::cancel(JobId id) {
  m_impl->cancelIf([id](const Entry &entry) { return entry.id == id; });
}

void JobQueue::cancelTag(const std::string &tag) {
  m_impl->cancelIf([&](const Entry &entry) { return entry.job.tag == tag; });
}

bool JobQueue::isCurrent(JobId id) const {
  const std::lock_guard lock(m_impl->mutex);
  return std::any_of(m_impl->latest.begin(), m_impl->latest.end(),
                     [id](const auto &entry) { return entry.second == id; });
}

void JobQueue::waitIdle() {
  std::unique_lock lock(m_impl->mutex);
  m_impl->changed.wait(lock, [this] { return m_impl->waiting.empty() && m_impl->running.empty(); });
}

} // namespace tessera::job
