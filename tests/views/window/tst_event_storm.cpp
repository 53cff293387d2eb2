// SPDX-License-Identifier: GPL-3.0-or-later
// Random clicks, keys, wheels and sizes on the window of a real sample, with searches running:
// nothing crashes or hangs, and what was done can be undone and done again. TESSERA_EVENTS says how
// many, TESSERA_SEED which; the seed is printed.
#include "../real_services.h"
#include "views/dag/dag_panel.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <array>
#include <cstdio>
#include <random>

using namespace tessera;
using namespace tessera::views;

namespace {

int number(const char *variable, int otherwise) {
  bool isNumber = false;
  const int value = qEnvironmentVariableIntValue(variable, &isNumber);
  return isNumber ? value : otherwise;
}

// One event after the other. The next one is asked for before each, so that it comes in the loops
// of menus and dialogs too.
class Storm : public QObject {
public:
  Storm(MainWindow &window, int events, unsigned seed)
      : m_window(window), m_left(events), m_random(seed) {
    askForNext();
  }
  bool isOver() const { return m_isOver; }

private:
  int below(int bound) { return int(m_random() % unsigned(std::max(1, bound))); }

  QWidget *target() {
    QList<QWidget *> shown;
    QWidget *const modal = QApplication::activeModalWidget(); // nobody reaches anything else
    for (QWidget *top : QApplication::topLevelWidgets())
      if (top->isVisible() && (!modal || top == modal)) {
        shown << top;
        for (QWidget *child : top->findChildren<QWidget *>())
          if (child->isVisible()) shown << child;
      }
    if (QWidget *popup = QApplication::activePopupWidget(); popup && below(2)) return popup;
    return shown.isEmpty() ? nullptr : shown[below(int(shown.size()))];
  }

  void askForNext() { QTimer::singleShot(0, this, &Storm::next); }

  void next() {
    if (--m_left < 0) return end();
    askForNext();
    if (!m_window.isVisible()) m_window.show(); // it was closed
    QWidget *widget = target();
    if (!widget) return;
    const QPoint at(below(widget->width()), below(widget->height()));
    static constexpr std::array kKeys{
        Qt::Key_Tab,  Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space,    Qt::Key_Left, Qt::Key_Right,
        Qt::Key_Up,   Qt::Key_Down,   Qt::Key_Plus,   Qt::Key_Minus,    Qt::Key_F,    Qt::Key_H,
        Qt::Key_M,    Qt::Key_Home,   Qt::Key_End,    Qt::Key_PageUp,   Qt::Key_A,    Qt::Key_8,
        Qt::Key_Menu, Qt::Key_F3,     Qt::Key_Delete, Qt::Key_Backspace};
    static constexpr std::array kModifiers{Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                           Qt::AltModifier, Qt::ControlModifier};
    const Qt::KeyboardModifiers modifiers = kModifiers[std::size_t(below(int(kModifiers.size())))];
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
      return QTest::mouseClick(widget, Qt::LeftButton, modifiers, at);
    case 3:
      return QTest::mouseClick(widget, Qt::RightButton, {}, at);
    case 4:
      return QTest::mouseDClick(widget, Qt::LeftButton, {}, at);
    case 5:
      QTest::mousePress(widget, Qt::LeftButton, {}, at);
      QTest::mouseMove(widget, {below(widget->width()), below(widget->height())});
      return QTest::mouseRelease(widget, Qt::LeftButton, {}, at);
    case 6: {
      QWheelEvent wheel(at, widget->mapToGlobal(QPointF(at)), {}, {0, below(2) ? 120 : -120},
                        Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
      QApplication::sendEvent(widget, &wheel);
      return;
    }
    case 7:
      return m_window.resize(500 + below(1100), 350 + below(650));
    case 8:
      if (!m_window.schedule().isRunning() && below(4) == 0)
        m_window.findChild<QAction *>(QStringLiteral("schedule"))->trigger();
      return;
    case 9:
      if (QWidget *dialog = QApplication::activeModalWidget())
        return QTest::keyClick(dialog, Qt::Key_Escape);
      [[fallthrough]];
    default: {
      QWidget *focus = QApplication::focusWidget();
      QTest::keyClick(focus ? focus : widget, kKeys[std::size_t(below(int(kKeys.size())))],
                      modifiers);
    }
    }
  }

  // What has a loop of its own would keep the test in it.
  void end() {
    QWidget *const inner = QApplication::activePopupWidget() ? QApplication::activePopupWidget()
                                                             : QApplication::activeModalWidget();
    m_isOver = !inner;
    if (!inner) return;
    askForNext();
    inner->close();
  }

  MainWindow &m_window;
  int m_left;
  bool m_isOver = false;
  std::mt19937 m_random;
};

void closeEverythingElse(const MainWindow &window) {
  for (int i = 0; i < 50; ++i)
    for (QWidget *top : QApplication::topLevelWidgets())
      if (top != &window && top->isVisible() && top->isWindow()) top->close();
}

// A sample in a folder of its own, as dialogs suggest that of what is open and the storm saves in
// it by chance; trusted as the samples are.
QString ownSample(const QString &folder) {
  const QString name = QStringLiteral("/local_laplacian");
  for (const char *end : {".hlpipe", ".estimates.json"})
    if (!QFile::copy(test::kSamples + name + end, folder + name + end)) return {};
  const std::string pipeline = (folder + name + ".hlpipe").toStdString();
  const auto hash = session::fileHash(pipeline);
  session::TrustStore trust((folder + "/t.json").toStdString());
  return hash && trust.trust(*hash, pipeline) ? QString::fromStdString(pipeline) : QString();
}

} // namespace

class TestEventStorm : public QObject {
  Q_OBJECT
private slots:
  void leavesAWindowThatUndoesAndRedoes();
};

void TestEventStorm::leavesAWindowThatUndoesAndRedoes() {
  const int events = number("TESSERA_EVENTS", 1500);
  const auto seed = unsigned(number("TESSERA_SEED", 3));
  QTemporaryDir folder;
  QDir::setCurrent(folder.path());
  const QString sample = ownSample(folder.path());
  QVERIFY(!sample.isEmpty());
  QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  MainWindow window(test::realServices(folder.path()), settings);
  window.resize(1400, 900);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  window.openFile(sample);
  QTRY_VERIFY_WITH_TIMEOUT(window.documents().hasDocument() && window.dag().isLaidOut(), 30000);
  window.findChild<QAction *>(QStringLiteral("schedule"))->trigger();
  const Storm storm(window, events, seed);
  // A second for ten of them is far from what any takes.
  QTRY_VERIFY_WITH_TIMEOUT(storm.isOver(), 30000 + events * 100);
  closeEverythingElse(window);
  window.schedule().stop();
  QTRY_VERIFY_WITH_TIMEOUT(!window.schedule().isRunning(), 5000);
  QVERIFY(window.documents().hasDocument());
  // Where the pipeline was opened anew, the beginning is that.
  DocumentFlow &documents = window.documents();
  const auto hash = [&] {
    const auto current = documents.document().current();
    return current ? current->hash() : 0;
  };
  const std::uint64_t before = hash();
  int undone = 0, redone = 0;
  for (; !documents.undoName().isEmpty(); ++undone)
    documents.undo();
  for (; !documents.redoName().isEmpty() && redone < undone; ++redone)
    documents.redo();
  QCOMPARE(redone, undone);
  QCOMPARE(hash(), before);
  std::printf("event_storm: seed %u, %d events, %d steps undone and redone\n", seed, events,
              undone);
}

QTEST_MAIN(TestEventStorm)
#include "tst_event_storm.moc"
