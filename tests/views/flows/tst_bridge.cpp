// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/bridge.h"
#include "tests/views/benchmark/frame_times.h"

#include <QEventLoop>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <memory>
#include <semaphore>
#include <thread>

using namespace tessera;
using views::Bridge;

namespace {

Result<int> untilStopped(const job::JobContext &context) {
  while (!context.stop.stop_requested())
    std::this_thread::yield();
  return Error{ErrorCode::Cancelled, "stopped", {}};
}

void computeFor(double milliseconds) {
  const double began = views::benchmark::cpuMilliseconds();
  while (views::benchmark::cpuMilliseconds() - began < milliseconds) {
  }
}

} // namespace

class TestBridge : public QObject {
  Q_OBJECT
private slots:
  void deliversOnTheGuiThread();
  void latestWins();
  void cancelDeliversAtOnce();
  void deadReceiverGetsNothing();
  void progressArrives();
  void interimsArriveUntilTheResult();
  void inputComesBetweenResultsThatTakeLong();
  void inputComesBeforeAResultAfterALongTurn();
  void aTurnKnowsTheOneBeforeWhereTheLoopWaits();
  void exceptionsBecomeErrors();
  void destructionWithJobsRunning();
  void manyJobsFromManyTags();
  void jobsAreWrittenByTheirTags();
};

void TestBridge::deliversOnTheGuiThread() {
  Bridge bridge;
  int got = 0;
  QThread *where = nullptr;
  std::atomic<bool> otherThread = false;
  bridge.run<int>(
      "a", "A",
      [&otherThread, gui = QThread::currentThread()](const job::JobContext &) -> Result<int> {
        otherThread = QThread::currentThread() != gui;
        return 7;
      },
      this,
      [&](Result<int> result) {
        got = *result;
        where = QThread::currentThread();
      });
  QCOMPARE(got, 0); // run() itself never delivers a result
  QCOMPARE(bridge.running().size(), std::size_t(1));
  QTRY_COMPARE(got, 7);
  QCOMPARE(where, QThread::currentThread());
  QVERIFY(otherThread);
  QVERIFY(bridge.running().empty());
}

void TestBridge::latestWins() {
  Bridge bridge;
  std::vector<int> delivered;
  const auto deliver = [&](Result<int> result) { delivered.push_back(result ? *result : -1); };
  bridge.run<int>("a", {}, untilStopped, this, deliver);
  for (int i = 0; i < 20; ++i)
    bridge.run<int>(
        "a", {}, [i](const job::JobContext &) { return Result<int>(i); }, this, deliver);
  QTRY_VERIFY(bridge.running().empty());
  QCOMPARE(delivered, std::vector{19});
}

void TestBridge::cancelDeliversAtOnce() {
  Bridge bridge;
  std::optional<ErrorCode> code;
  int deliveries = 0;
  bridge.run<int>("a", {}, untilStopped, this, [&](Result<int> result) {
    code = result.error().code;
    ++deliveries;
  });
  bridge.cancelTag("a");
  QCOMPARE(code, std::optional(ErrorCode::Cancelled));
  QVERIFY(bridge.running().empty());
  // The cancelled job no longer occupies the thread, and its late result is dropped.
  int got = 0;
  bridge.run<int>(
      "a", {}, [](const job::JobContext &) { return Result<int>(1); }, this,
      [&](Result<int> result) { got = *result; });
  QTRY_COMPARE(got, 1);
  QCOMPARE(deliveries, 1);
}

void TestBridge::deadReceiverGetsNothing() {
  Bridge bridge;
  auto receiver = std::make_unique<QObject>();
  auto gate = std::make_shared<std::binary_semaphore>(0);
  bool called = false;
  bridge.run<int>(
      "a", {}, [gate](const job::JobContext &) -> Result<int> { return gate->acquire(), 1; },
      receiver.get(), [&](Result<int>) { called = true; });
  receiver.reset();
  gate->release();
  QTRY_VERIFY(bridge.running().empty());
  QVERIFY(!called);
}

void TestBridge::progressArrives() {
  Bridge bridge;
  QSignalSpy spy(&bridge, &Bridge::runningChanged);
  double last = -1;
  connect(&bridge, &Bridge::runningChanged, this, [&] {
    for (const Bridge::Running &job : bridge.running())
      last = job.progress.fraction;
  });
  auto gate = std::make_shared<std::binary_semaphore>(0);
  bool done = false;
  bridge.run<int>(
      "a", {},
      [gate](const job::JobContext &context) -> Result<int> {
        gate->acquire();
        for (int i = 0; i <= 100'000; ++i)
          context.progress({"counting", i / 100'000.0});
        gate->acquire();
        return 0;
      },
      this, [&](Result<int>) { done = true; });
  gate->release();
  QTRY_COMPARE(last, 1.0);
  QVERIFY2(spy.size() < 1000, "progress is throttled");
  gate->release();
  QTRY_VERIFY(done);
}

void TestBridge::interimsArriveUntilTheResult() {
  Bridge bridge;
  using Tell = std::function<void(int)>;
  auto gate = std::make_shared<std::binary_semaphore>(0);
  std::vector<int> told;
  int got = 0;
  const auto start = [&] {
    bridge.runStaged<int, int>(
        "a", {},
        [gate](const job::JobContext &, const Tell &tell) -> Result<int> {
          for (int i = 1; i <= 1000; ++i)
            tell(i);
          gate->acquire();
          tell(1001);
          return 7;
        },
        this, [&](int value) { told.push_back(value); },
        [&](Result<int> result) { got = result ? *result : -1; });
  };
  start();
  QTRY_VERIFY(!told.empty() && told.back() == 1000);
  QVERIFY(std::ranges::is_sorted(told));
  QCOMPARE(got, 0);
  gate->release();
  QTRY_COMPARE(got, 7);
  QCOMPARE(told.back(), 1001);
  // No progress is reported after a cancellation.
  start();
  QTRY_COMPARE(told.back(), 1000);
  bridge.cancelTag("a");
  QCOMPARE(got, -1);
  told.clear();
  gate->release();
  bool free = false;
  bridge.run<int>(
      "a", {}, [](const job::JobContext &) { return Result<int>(1); }, this,
      [&](Result<int>) { free = true; });
  QTRY_VERIFY(free);
  QVERIFY(told.empty());
}

void TestBridge::inputComesBetweenResultsThatTakeLong() {
  Bridge bridge(1);
  QStringList happened;
  const auto run = [&](const QString &tag, double milliseconds) {
    bridge.run<int>(
        tag, {}, [](const job::JobContext &) { return Result<int>(1); }, this,
        [&happened, tag, milliseconds](Result<int>) {
          computeFor(milliseconds);
          happened << tag;
          QTimer::singleShot(0, [&happened, tag] { happened << "input after " + tag; });
        });
  };
  run("a", 0);
  run("b", double(views::TurnClock::kTurn.count()));
  run("c", 0);
  // All three have their results before the first of them is delivered.
  auto gate = std::make_shared<std::binary_semaphore>(0);
  bridge.run<int>(
      "last", {}, [gate](const job::JobContext &) -> Result<int> { return gate->release(), 1; },
      this, [](Result<int>) {});
  gate->acquire();
  QTRY_COMPARE(happened.size(), 6);
  QVERIFY(happened.indexOf("b") < happened.indexOf("input after a"));
  QVERIFY(happened.indexOf("input after b") < happened.indexOf("c"));
}

void TestBridge::inputComesBeforeAResultAfterALongTurn() {
  Bridge bridge(1);
  QStringList happened;
  auto gate = std::make_shared<std::binary_semaphore>(0);
  const auto run = [&](std::function<Result<int>(const job::JobContext &)> work) {
    bridge.run<int>(QString::number(bridge.running().size()), {}, std::move(work), this,
                    [&happened](Result<int>) { happened << "result"; });
  };
  run([](const job::JobContext &) { return Result<int>(1); });
  run([gate](const job::JobContext &) -> Result<int> { return gate->release(), 1; });
  gate->acquire();
  computeFor(double(views::TurnClock::kTurn.count()));
  QTimer::singleShot(0, [&happened] { happened << "input"; });
  QTRY_COMPARE(happened.size(), 3);
  QCOMPARE(happened, (QStringList{"input", "result", "result"}));
}

// As in the program, whose event loop waits; that of QTRY_COMPARE does not.
void TestBridge::aTurnKnowsTheOneBeforeWhereTheLoopWaits() {
  const views::TurnClock clock(nullptr);
  QEventLoop loop;
  bool isOver = true, isOverWithTheLast = false;
  const auto look = [&] {
    isOver = clock.isOver();
    isOverWithTheLast = clock.isOverWithTheLast();
    loop.quit();
  };
  QTimer longTurn, nextTurn;
  longTurn.setSingleShot(true);
  nextTurn.setSingleShot(true);
  connect(&nextTurn, &QTimer::timeout, &loop, look);
  connect(&longTurn, &QTimer::timeout, &loop, [&] {
    computeFor(double(views::TurnClock::kTurn.count()));
    nextTurn.start(0);
  });
  longTurn.start(0);
  loop.exec();
  QVERIFY(!isOver);
  QVERIFY(isOverWithTheLast);
}

void TestBridge::exceptionsBecomeErrors() {
  Bridge bridge;
  std::string message;
  bridge.run<int>(
      "a", {},
      [](const job::JobContext &) -> Result<int> { throw std::runtime_error("no memory"); }, this,
      [&](Result<int> result) { message = result.error().message; });
  QTRY_COMPARE(message, std::string("no memory"));
}

void TestBridge::destructionWithJobsRunning() {
  for (int round = 0; round < 30; ++round) {
    Bridge bridge(3);
    for (int i = 0; i < 6; ++i)
      bridge.run<int>(QString::number(i), {}, untilStopped, this,
                      [](Result<int>) { QFAIL("nothing is delivered to the dead"); });
  }
  QCoreApplication::processEvents();
}

void TestBridge::manyJobsFromManyTags() {
  Bridge bridge(4);
  int delivered = 0;
  for (int i = 0; i < 500; ++i)
    bridge.run<int>(
        QString::number(i), {}, [i](const job::JobContext &) { return Result<int>(i); }, this,
        [&](Result<int>) { ++delivered; });
  QTRY_COMPARE(delivered, 500);
}

// The log on disk gets the jobs that the status bar shows and the jobs that fail. It never contains
// a name from the user.
void TestBridge::jobsAreWrittenByTheirTags() {
  const QTemporaryDir folder;
  auto record = record::Record::open({.folder = folder.path().toStdString(), .program = "t"});
  {
    Bridge bridge;
    bridge.setRecord(record);
    int delivered = 0;
    const auto run = [&](const QString &tag, const QString &title,
                         std::function<Result<int>(const job::JobContext &)> work) {
      bridge.run<int>(tag, title, std::move(work), this, [&](const Result<int> &) { ++delivered; });
    };
    const auto done = [](const job::JobContext &) { return Result<int>(1); };
    const auto refused = [](const job::JobContext &) {
      return Result<int>(Error{ErrorCode::InputRefused, "my_secret_func is wrong", {}});
    };
    run("open", "Opening my_secret.hlpipe", done);
    run("predict", {}, done);
    run("moves", {}, refused);
    run("gpu of my_secret_host", "Looking for a GPU on my_secret_host", done);
    run("my_secret_tag", "My secret", refused);
    run("measure", "Measuring", untilStopped);
    QTRY_COMPARE(delivered, 5);
    bridge.cancelTag("measure");
    QCOMPARE(delivered, 6);
  }
  record = {};
  QFile file(folder.filePath("t.log"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
  for (QString &line : lines)
    line = line.section("] ", 1).section(" ms=", 0, 0);
  lines.sort();
  QCOMPARE(lines, (QStringList{"info: job began job=\"gpu of\"", "info: job began job=measure",
                               "info: job began job=open", "info: job began job=other",
                               "info: job ended job=\"gpu of\" outcome=ok",
                               "info: job ended job=measure outcome=cancelled",
                               "info: job ended job=open outcome=ok",
                               "warning: job ended job=moves outcome=\"input refused\"",
                               "warning: job ended job=other outcome=\"input refused\""}));
}

QTEST_GUILESS_MAIN(TestBridge)
#include "tst_bridge.moc"
