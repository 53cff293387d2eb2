// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/dock_painting.h"
#include "tests/views/benchmark/frame_times.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QStringList>
#include <QTest>
#include <QTimer>

#include <functional>
#include <memory>
#include <utility>

using namespace tessera::views;

namespace {

void computeForATurn() {
  const double began = benchmark::cpuMilliseconds();
  while (benchmark::cpuMilliseconds() - began < double(TurnClock::kTurn.count())) {
  }
}

// Writes its name into a list when it is painted, which may take the whole of a turn.
class Painted : public QWidget {
public:
  Painted(QString name, QStringList &list) : m_name(std::move(name)), m_list(list) {}
  bool isSlow = false;

private:
  void paintEvent(QPaintEvent *) override {
    if (isSlow) computeForATurn();
    m_list << m_name;
  }

  const QString m_name;
  QStringList &m_list;
};

} // namespace

class TestDockPainting : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();
  void nothingIsPaintedBeforeItsTurn();
  void quickDocksShareATurn();
  void inputComesBetweenSlowDocks();
  void inputComesAfterWhatTookLong();
  void nobodyIsPaintedTwiceOrForgotten();
  void hiddenDocksWaitForNothing();

private:
  // Does this behind the turn that waits, as what the user does is handled.
  void inputAfterATurn(const std::function<void()> &what) {
    m_input.disconnect();
    m_input.callOnTimeout(this, what);
    m_input.start(0);
  }

  QTimer m_input;
  std::unique_ptr<QMainWindow> m_window;
  QList<QDockWidget *> m_docks;
  QList<Painted *> m_painted;
  QStringList m_list; // what happened
};

void TestDockPainting::init() {
  m_input.setSingleShot(true);
  m_window = std::make_unique<QMainWindow>();
  m_window->resize(600, 400);
  for (const char *name : {"a", "b", "c"}) {
    m_painted << new Painted(QLatin1String(name), m_list);
    m_docks << new QDockWidget(m_window.get());
    m_docks.back()->setWidget(m_painted.back());
    m_window->addDockWidget(Qt::LeftDockWidgetArea, m_docks.back());
  }
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  QTRY_COMPARE(m_list.size(), 3);
  QCoreApplication::processEvents();
  m_list.clear();
}

void TestDockPainting::cleanup() {
  m_window.reset();
  m_docks.clear();
  m_painted.clear();
  m_list.clear();
}

void TestDockPainting::nothingIsPaintedBeforeItsTurn() {
  DockPainting painting(nullptr);
  painting.hold(m_docks);
  m_painted[0]->update();
  QCoreApplication::sendPostedEvents();
  QVERIFY(m_list.isEmpty());
  QVERIFY(painting.isHolding());
  QTRY_VERIFY(!painting.isHolding());
  QCOMPARE(m_list, (QStringList{"a", "b", "c"}));
}

void TestDockPainting::quickDocksShareATurn() {
  DockPainting painting(nullptr);
  painting.hold(m_docks);
  inputAfterATurn([this] { m_list << "input"; });
  QTRY_COMPARE(m_list.size(), 4);
  QCOMPARE(m_list.back(), "input");
}

void TestDockPainting::inputComesBetweenSlowDocks() {
  m_painted[0]->isSlow = true;
  DockPainting painting(nullptr);
  painting.hold(m_docks);
  inputAfterATurn([this] { m_list << "input"; });
  QTRY_COMPARE(m_list.size(), 4);
  QCOMPARE(m_list, (QStringList{"a", "input", "b", "c"}));
}

// The posted event and the first input are in one turn, and the second input is in the next one.
void TestDockPainting::inputComesAfterWhatTookLong() {
  DockPainting painting(nullptr);
  inputAfterATurn([this] {
    m_list << "input";
    inputAfterATurn([this] { m_list << "more input"; });
  });
  QMetaObject::invokeMethod(
      this,
      [&] {
        painting.hold(m_docks);
        computeForATurn();
      },
      Qt::QueuedConnection);
  QTRY_COMPARE(m_list.size(), 5);
  QCOMPARE(m_list, (QStringList{"input", "more input", "a", "b", "c"}));
}

void TestDockPainting::nobodyIsPaintedTwiceOrForgotten() {
  m_painted[0]->isSlow = true;
  DockPainting painting(nullptr);
  painting.hold(m_docks);
  painting.hold(m_docks);                           // they wait already
  inputAfterATurn([&] { painting.hold(m_docks); }); // "a" was painted, and waits again
  QTRY_VERIFY(!painting.isHolding() && m_list.size() >= 4);
  QCOMPARE(m_list, (QStringList{"a", "b", "c", "a"}));
  m_painted[1]->update(); // as usual
  QTRY_COMPARE(m_list.size(), 5);
}

void TestDockPainting::hiddenDocksWaitForNothing() {
  for (QDockWidget *dock : m_docks)
    dock->hide();
  DockPainting painting(nullptr);
  painting.hold(m_docks);
  QVERIFY(!painting.isHolding());
  QVERIFY(m_docks[0]->updatesEnabled());
}

QTEST_MAIN(TestDockPainting)
#include "tst_dock_painting.moc"
