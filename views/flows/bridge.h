// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/turn_clock.h"
#include "engine/base/result.h"
#include "engine/job/job_queue.h"
#include "engine/record/record.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::views {

// The only class that knows both the engine's jobs and the GUI thread.
//
//   GUI thread                     job thread
//   run() ─── work, a value ─────▶ runs, tells progress, makes a Result
//   interim() ◀── queued event ─── the result so far, in a mailbox: the latest only
//   deliver() ◀── queued event ─── result, a value, in a mailbox
//
// A job has a tag: a newer job with the same tag replaces it, and the results of the older one are
// dropped. The work must not capture a widget or anything else of the GUI thread; `deliver` may,
// because it runs only there and only while its receiver lives.
class Bridge : public QObject {
  Q_OBJECT
public:
  struct Running {
    job::JobId id{};
    QString tag;
    QString title; // "Opening blur.hlpipe", for the status bar; empty: not shown
    job::Progress progress;
    qint64 startedMilliseconds = 0; // since the bridge was created
  };

  explicit Bridge(int threads = 2, QObject *parent = nullptr);
  ~Bridge() override; // cancels everything and waits for the threads

  // `deliver` is called exactly once, on the GUI thread, unless a newer job took the tag or the
  // receiver is gone. cancel() calls it at once with ErrorCode::Cancelled.
  template <typename T>
  job::JobId run(const QString &tag, const QString &title,
                 std::function<Result<T>(const job::JobContext &)> work, QObject *receiver,
                 std::function<void(Result<T>)> deliver) {
    auto erasedWork = [work = std::move(work)](const job::JobContext &context) {
      return endOf(guarded<T>(work, context));
    };
    auto erasedDeliver = [deliver = std::move(deliver)](void *result) {
      deliver(result ? std::move(*static_cast<Result<T> *>(result)) : Result<T>(cancelledError()));
    };
    return submit(tag, title, std::move(erasedWork), receiver, {}, std::move(erasedDeliver));
  }

  // As run(), for work that reports intermediate results. `interim` is called on the GUI thread,
  // before `deliver` and never after it. If the work reports faster than the GUI thread takes
  // results, only the latest arrives.
  template <typename T, typename Interim>
  job::JobId runStaged(
      const QString &tag, const QString &title,
      std::function<Result<T>(const job::JobContext &, const std::function<void(Interim)> &)> work,
      QObject *receiver, std::function<void(Interim)> interim,
      std::function<void(Result<T>)> deliver) {
    auto erasedWork = [work = std::move(work), tell = teller()](const job::JobContext &context) {
      const std::function<void(Interim)> told = [&](Interim value) {
        tell(context.id, std::make_shared<Interim>(std::move(value)));
      };
      const auto whole = [&](const job::JobContext &inner) { return work(inner, told); };
      return endOf(guarded<T>(whole, context));
    };
    auto erasedInterim = [interim = std::move(interim)](void *value) {
      interim(std::move(*static_cast<Interim *>(value)));
    };
    auto erasedDeliver = [deliver = std::move(deliver)](void *result) {
      deliver(result ? std::move(*static_cast<Result<T> *>(result)) : Result<T>(cancelledError()));
    };
    return submit(tag, title, std::move(erasedWork), receiver, std::move(erasedInterim),
                  std::move(erasedDeliver));
  }

  void cancel(job::JobId id);
  void cancelTag(const QString &tag);
  void cancelAll();

  // Jobs that have not delivered yet, the oldest first.
  const std::vector<Running> &running() const { return m_running; }
  qint64 elapsedMilliseconds() const { return m_clock.elapsed(); }

  // The record that all later jobs are written to (job_lines.h).
  void setRecord(const record::Record &record) { m_record = record; }

signals:
  void runningChanged(); // a job started or ended, or progress reports have arrived

private:
  struct End {
    std::shared_ptr<void> result;
    std::optional<ErrorCode> failed;
  };
  using Work = std::function<End(const job::JobContext &)>;
  using Deliver = std::function<void(void *)>;
  struct Mailbox;
  struct Pending {
    QPointer<QObject> receiver;
    Deliver interim; // empty: the work reports no intermediate results
    Deliver deliver;
  };

  template <typename T, typename Function>
  static Result<T> guarded(const Function &work, const job::JobContext &context) {
    try {
      return work(context);
      // The exception is mostly std::bad_alloc: the engine's own code returns errors.
    } catch (const std::exception &failure) {
      return Error{ErrorCode::System, failure.what(), {}};
    }
  }
  template <typename T>
  static End endOf(Result<T> result) {
    const auto failed = result ? std::nullopt : std::optional(result.error().code);
    return {std::make_shared<Result<T>>(std::move(result)), failed};
  }
  static Error cancelledError();

  // The returned function may be called on any thread.
  std::function<void(job::JobId, std::shared_ptr<void>)> teller() const;
  job::JobId submit(const QString &tag, const QString &title, Work work, QObject *receiver,
                    Deliver interim, Deliver deliver);
  void collect(); // empties the mailbox; on the GUI thread
  void deliverArrived();
  void hand(job::JobId id, void *interim);
  void finish(job::JobId id, void *result);
  void forget(job::JobId id);

  QElapsedTimer m_clock;
  std::shared_ptr<Mailbox> m_mailbox;
  std::deque<std::pair<job::JobId, std::shared_ptr<void>>> m_arrived; // results, not delivered yet
  TurnClock m_turn;
  bool m_hasWaited = false; // for the turn after a long one
  std::map<job::JobId, Pending> m_pending;
  QHash<QString, job::JobId> m_latest;
  std::vector<Running> m_running;
  record::Record m_record;
  std::unique_ptr<job::JobQueue> m_queue;
};

} // namespace tessera::views
