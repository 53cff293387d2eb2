// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/seen_refresh.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QtTest>

#include <memory>

using namespace tessera::views;

// A panel is refreshed while it is seen, and once when it comes to the front.
class TestSeenRefresh : public QObject {
  Q_OBJECT

private slots:
  void init() {
    m_window = std::make_unique<QMainWindow>();
    m_panel = new QWidget;
    m_refresh = std::make_unique<SeenRefresh>(*m_panel, [this] { ++m_count; });
    m_dock = add("Panel", m_panel);
    m_other = add("Other", new QWidget);
    m_window->tabifyDockWidget(m_other, m_dock);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_dock->raise();
    QTRY_VERIFY(!m_refresh->isStale());
    m_count = 0;
  }
  void cleanup() {
    m_refresh.reset();
    m_window.reset();
  }

  void isDoneAtOnceInFront() {
    m_refresh->request();
    QCOMPARE(m_count, 1);
  }

  void waitsBehindAnotherTab() {
    m_other->raise();
    QCoreApplication::processEvents();
    for (int i = 0; i < 3; ++i)
      m_refresh->request();
    QCOMPARE(m_count, 0);
    QVERIFY(m_refresh->isStale());
    m_dock->raise();
    QTRY_COMPARE(m_count, 1);
    m_other->raise();
    m_dock->raise();
    QCoreApplication::processEvents();
    QCOMPARE(m_count, 1); // nothing has changed meanwhile
  }

  void waitsWhileTheDockIsClosed() {
    m_dock->close();
    m_refresh->request();
    QCOMPARE(m_count, 0);
    m_dock->show();
    m_dock->raise();
    QTRY_COMPARE(m_count, 1);
  }

  void isDoneInADockOfItsOwn() {
    m_other->raise();
    m_dock->setFloating(true);
    QTRY_VERIFY(m_panel->isVisible());
    QCoreApplication::processEvents();
    m_refresh->request();
    QCOMPARE(m_count, 1);
  }

  // SeenRefresh looks for the dock at the first request(), when another tab may be in front of it.
  void aPanelInsideOfAnotherWidgetWaitsToo() {
    auto *inner = new QWidget(m_panel);
    inner->setGeometry(m_panel->rect());
    inner->show();
    int count = 0;
    SeenRefresh refresh(*inner, [&count] { ++count; });
    m_other->raise();
    QTRY_VERIFY(inner->visibleRegion().isEmpty());
    refresh.request();
    QCOMPARE(count, 0);
    m_dock->raise();
    QTRY_COMPARE(count, 1);
  }

  // As the outputs of a verification, which are shown and asked for in one go.
  void aPanelThatWasJustShownIsDoneAtOnce() {
    auto *inner = new QWidget(m_panel);
    inner->setGeometry(0, 0, 0, 0); // the layout has not given it room yet
    inner->hide();
    m_dock->raise();
    QTRY_VERIFY(!m_panel->visibleRegion().isEmpty());
    int count = 0;
    SeenRefresh refresh(*inner, [&count] { ++count; });
    inner->show();
    count = 0;
    refresh.request();
    QCOMPARE(count, 1);
  }

  void nowAsksNobody() {
    m_dock->close();
    m_refresh->now();
    QCOMPARE(m_count, 1);
    QVERIFY(!m_refresh->isStale());
  }

private:
  QDockWidget *add(const char *title, QWidget *panel) {
    auto *dock = new QDockWidget(title);
    dock->setWidget(panel);
    m_window->addDockWidget(Qt::RightDockWidgetArea, dock);
    return dock;
  }

  std::unique_ptr<QMainWindow> m_window;
  QWidget *m_panel = nullptr;
  QDockWidget *m_dock = nullptr, *m_other = nullptr;
  std::unique_ptr<SeenRefresh> m_refresh;
  int m_count = 0;
};

QTEST_MAIN(TestSeenRefresh)
#include "tst_seen_refresh.moc"
