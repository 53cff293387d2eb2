// SPDX-License-Identifier: GPL-3.0-or-later
// Sends random clicks, keys, wheels and sizes to the window of a real sample, mixed with what a
// user does: decisions changed and frozen, nodes dragged, menus, candidates, numbers, undo, and now
// and then a search. In a file dialog it chooses a file of its own folder, or cancels: Qt's own
// dialog can delete and make files anywhere. Nothing may crash or hang. Undoing and redoing
// everything must give the same document, byte for byte. TESSERA_EVENTS sets the number of events,
// or TESSERA_MINUTES for how long they are sent; TESSERA_SEED sets the seed, which is printed; so
// are the longest times in which the window answered nothing: by the clock, the CPU time of its
// thread, and how long the thread was ready to run but other programs had the processors. The
// longest of what the program is to blame for are printed, then those with the most CPU time,
// because beside other programs the two differ. Each is printed with the moment it began by
// CLOCK_MONOTONIC, as `perf record -k CLOCK_MONOTONIC` counts, and with the widget that got the
// event.
#include "../real_services.h"
#include "engine/document/document_file.h"
#include "views/dag/dag_editor.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/choice_popup.h"
#include "views/decisions/decision_panel.h"
#include "views/pipeline/pipeline_panel.h"
#include "tests/views/benchmark/frame_times.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace tessera;
using namespace tessera::views;

namespace {

int number(const char *variable, int otherwise) {
  bool isNumber = false;
  const int value = qEnvironmentVariableIntValue(variable, &isNumber);
  return isNumber ? value : otherwise;
}

constexpr double kShortestStall = 5; // milliseconds

// A time in which the window's thread was busy and took no event, and the act that came before it.
struct Stall {
  double byClock = 0, ofThread = 0, ofOthers = 0; // milliseconds: all, CPU time, waiting for a CPU
  double since = 0;                               // seconds of CLOCK_MONOTONIC
  const char *act = "";
  QByteArray widget;
  // What this program is to blame for: computing, or waiting for the disk or another thread.
  double own() const { return byClock - ofOthers; }
  // Qt's own file dialog was open or being closed. It reads folders and writes its settings in this
  // thread. Where a desktop has a file dialog, that is shown instead.
  bool isOfFileDialog = false;
};

// "QTableView decisionTable": the class of a widget, and the name of the widget or of the nearest
// one around it.
QByteArray nameOf(const QWidget &widget) {
  QByteArray name = widget.metaObject()->className();
  for (const QWidget *at = &widget; at; at = at->parentWidget())
    if (!at->objectName().isEmpty() && !at->objectName().startsWith(QLatin1String("qt_")))
      return name + ' ' + at->objectName().toUtf8();
  return name;
}

// How many events a storm sends, unless it has a number of minutes.
struct Length {
  int events = 0, minutes = 0;
  int milliseconds() const { return minutes * 60'000; }
};

// Sends one event after the other. If too few of them became steps of the document's history, for
// example because a dialog stayed open for long, it sends up to four times as many. Each event
// starts the timer of the next one before it acts, so that events also arrive in the event loops of
// menus and dialogs.
class Storm : public QObject {
public:
  Storm(MainWindow &window, QString sample, Length length, unsigned seed)
      : m_window(window), m_sample(std::move(sample)), m_length(length), m_random(seed) {
    m_began.start();
    startClock();
    askForNext();
    connect(&m_window.documents(), &DocumentFlow::changed, this, &Storm::count);
  }
  // Returns whether the storm ends within this time. Waits in an event loop, as the program does:
  // QTest's waiting deletes objects before it delivers what is queued for them.
  bool isOverWithin(int milliseconds) {
    QTimer::singleShot(milliseconds, &m_loop, &QEventLoop::quit);
    m_loop.exec();
    return m_isOver;
  }
  int deeds() const { return m_deeds; }
  int steps() const { return m_steps; } // steps that were added to the history or redone
  int events() const { return m_sent; }
  double seconds() const { return m_seconds; }
  // Some edits are refused or come too late, so a step is required for every hundred events only.
  bool isEnough() const { return m_steps >= (m_length.minutes ? m_sent : m_length.events) / 100; }
  // By own() or by the CPU time. Those of Qt's file dialog are asked for apart.
  using Measure = std::function<double(const Stall &)>;
  std::vector<Stall> longestStalls(std::size_t count, const Measure &by, bool ofFileDialog) const;

private:
  bool answer();
  bool answerFileDialog();
  bool isLooking();
  void count();
  void doSomething();
  QTableView *table(const char *name, const char *dock);
  QModelIndex click(QTableView &table, Qt::KeyboardModifiers modifiers = {});
  void changeDecision();
  void freeze();
  std::optional<QPoint> nodeInView();
  void dragNode();
  void openMenu();
  void loadCandidate();
  void changeNumber();
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&m_window, key, modifiers);
  }

  int below(int bound) { return int(m_random() % unsigned(std::max(1, bound))); }

  QWidget *target() {
    QList<QWidget *> shown;
    QWidget *const modal = QApplication::activeModalWidget(); // blocks events for other windows
    for (QWidget *top : QApplication::topLevelWidgets())
      if (top->isVisible() && (!modal || top == modal)) {
        shown << top;
        for (QWidget *child : top->findChildren<QWidget *>())
          if (child->isVisible()) shown << child;
      }
    if (QWidget *popup = QApplication::activePopupWidget(); popup && below(2)) return popup;
    return shown.isEmpty() ? nullptr : shown[below(int(shown.size()))];
  }

  // Returns no widget of a window that a modal dialog blocks, because a window system sends no keys
  // to such a window.
  static QWidget *focus() {
    QWidget *const focus = QApplication::focusWidget();
    const QWidget *const modal = QApplication::activeModalWidget();
    return !modal || (focus && focus->window() == modal) ? focus : nullptr;
  }

  bool isLongEnough() const {
    return m_length.minutes ? m_began.hasExpired(m_length.milliseconds())
                            : m_sent >= (isEnough() ? 1 : 4) * m_length.events;
  }

  void askForNext() { QTimer::singleShot(0, this, &Storm::next); }

  // Records the time since the last event. The thread spent it on that event and on the painting
  // after it.
  void noteStall() {
    const double byClock = double(m_clock.nsecsElapsed()) * 1e-6;
    const bool hasFileDialog = m_window.findChild<QFileDialog *>(); // also one of a panel
    if (byClock >= kShortestStall)
      m_stalls.push_back({byClock, views::benchmark::cpuMilliseconds() - m_cpu,
                          views::benchmark::queuedMilliseconds() - m_queued,
                          double(m_clock.msecsSinceReference()) * 1e-3, m_act, m_target,
                          m_hadFileDialog || hasFileDialog});
    m_hadFileDialog = hasFileDialog;
    m_target.clear();
    startClock();
  }

  void startClock() {
    m_cpu = views::benchmark::cpuMilliseconds();
    m_queued = views::benchmark::queuedMilliseconds();
    m_clock.start();
  }

  void next() {
    noteStall();
    if (m_patience > 0 && isLooking()) { // waits until the choices are offered, as a user would
      --m_patience;
      return QTimer::singleShot(1, this, &Storm::next);
    }
    if (isLongEnough()) return end();
    ++m_sent;
    askForNext();
    if (!m_window.isVisible()) m_window.show(); // the window was closed
    m_act = "answer";
    if (answerFileDialog() || (below(2) && answer())) return;
    if (below(3) == 0 && !QApplication::activeModalWidget() && !QApplication::activePopupWidget())
      return doSomething();
    QWidget *widget = target();
    if (!widget) return;
    const QPoint at(below(widget->width()), below(widget->height()));
    m_target = nameOf(*widget);
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
      m_act = "click";
      return QTest::mouseClick(widget, Qt::LeftButton, modifiers, at);
    case 3:
      m_act = "right click";
      return QTest::mouseClick(widget, Qt::RightButton, {}, at);
    case 4:
      m_act = "double click";
      return QTest::mouseDClick(widget, Qt::LeftButton, {}, at);
    case 5:
      m_act = "drag";
      QTest::mousePress(widget, Qt::LeftButton, {}, at);
      QTest::mouseMove(widget, {below(widget->width()), below(widget->height())});
      return QTest::mouseRelease(widget, Qt::LeftButton, {}, at);
    case 6: {
      m_act = "wheel";
      QWheelEvent wheel(at, widget->mapToGlobal(QPointF(at)), {}, {0, below(2) ? 120 : -120},
                        Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
      QApplication::sendEvent(widget, &wheel);
      return;
    }
    case 7:
      m_act = "size";
      return m_window.resize(500 + below(1100), 350 + below(650));
    case 8:
      m_act = "search";
      // Decisions are locked while a search runs, so a search runs only about a fifth of the time.
      if (m_window.schedule().isRunning() ? below(4) == 0 : below(16) == 0)
        m_window
            .findChild<QAction *>(m_window.schedule().isRunning() ? QStringLiteral("stop")
                                                                  : QStringLiteral("schedule"))
            ->trigger();
      return;
    case 9:
      if (QWidget *dialog = QApplication::activeModalWidget())
        return QTest::keyClick(dialog, Qt::Key_Escape);
      [[fallthrough]];
    default: {
      m_act = "key";
      QTest::keyClick(focus() ? focus() : widget, kKeys[std::size_t(below(int(kKeys.size())))],
                      modifiers);
    }
    }
  }

  // Closes popups and dialogs first, because their own event loops would keep the test running.
  void end() {
    QWidget *const inner = QApplication::activePopupWidget() ? QApplication::activePopupWidget()
                                                             : QApplication::activeModalWidget();
    m_isOver = !inner;
    m_seconds = double(m_began.elapsed()) * 1e-3;
    if (!inner) return m_loop.quit();
    askForNext();
    inner->close();
  }

  MainWindow &m_window;
  const QString m_sample;
  const Length m_length;
  int m_sent = 0, m_deeds = 0, m_steps = 0, m_patience = 0;
  std::size_t m_position = 0;
  bool m_isOver = false;
  QEventLoop m_loop;
  std::mt19937 m_random;
  QElapsedTimer m_clock, m_began;
  double m_seconds = 0;           // from the first event to the last one
  double m_cpu = 0, m_queued = 0; // of this thread, when the clock was started
  const char *m_act = "start";
  QByteArray m_target; // the widget that the event is for, if one was chosen
  bool m_hadFileDialog = false;
  std::vector<Stall> m_stalls;
};

std::vector<Stall> Storm::longestStalls(std::size_t count, const Measure &by,
                                        bool ofFileDialog) const {
  std::vector<Stall> longest;
  std::ranges::copy_if(m_stalls, std::back_inserter(longest),
                       [&](const Stall &stall) { return stall.isOfFileDialog == ofFileDialog; });
  std::ranges::sort(longest, std::greater<>{}, by);
  longest.resize(std::min(count, longest.size()));
  return longest;
}

// Chooses an entry of the open popup. Returns false if no popup is open.
bool Storm::answer() {
  QWidget *const popup = QApplication::activePopupWidget();
  if (!popup) return false;
  QWidget *const focus = popup->focusWidget() ? popup->focusWidget() : popup;
  for (int i = below(5); i > 0; --i)
    QTest::keyClick(focus, Qt::Key_Down);
  QTest::keyClick(focus, Qt::Key_Return);
  return true;
}

// Chooses the storm's own file in an open file dialog, or a new file beside it, or cancels. Returns
// false if no file dialog is in front.
bool Storm::answerFileDialog() {
  auto *const dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
  if (!dialog) return false;
  const bool saves = dialog->acceptMode() == QFileDialog::AcceptSave;
  dialog->selectFile(saves ? QFileInfo(m_sample).path() + QStringLiteral("/saved") : m_sample);
  QMetaObject::invokeMethod(dialog, below(2) ? "accept" : "reject");
  return true;
}

bool Storm::isLooking() {
  return m_window.dagEditor().finder().isLooking() || m_window.decisions().popup().isLooking();
}

void Storm::count() {
  const DocumentFlow &documents = m_window.documents();
  const std::size_t now = documents.hasDocument() ? documents.document().parts().position : 0;
  m_steps += now > std::exchange(m_position, now);
}

void Storm::doSomething() {
  ++m_deeds;
  m_patience = below(3) ? 200 : 0;
  switch (below(11)) {
  case 0:
  case 1:
  case 2:
    m_act = "decision";
    return changeDecision();
  case 3:
    m_act = "freeze";
    return freeze();
  case 4:
  case 5:
    m_act = "drag a node";
    return dragNode();
  case 6:
  case 7:
    m_act = "menu";
    return openMenu();
  case 8:
    m_act = "candidate";
    return loadCandidate();
  case 9:
    m_act = "another size or undo";
    return below(8) == 0 ? changeNumber() : press(Qt::Key_Z, Qt::ControlModifier);
  default:
    m_act = "redo";
    return press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  }
}

// Shows the table, also if its dock was closed. Returns null if the table has no rows.
QTableView *Storm::table(const char *name, const char *dock) {
  auto *found = m_window.findChild<QTableView *>(QString::fromLatin1(name));
  if (!found->isVisible())
    m_window.findChild<QAction *>(QStringLiteral("goTo.") + QLatin1String(dock))->trigger();
  return found->isVisible() && found->model()->rowCount() > 0 ? found : nullptr;
}

QModelIndex Storm::click(QTableView &table, Qt::KeyboardModifiers modifiers) {
  const QAbstractItemModel &model = *table.model();
  const QModelIndex index = model.index(below(model.rowCount()), below(model.columnCount()));
  table.scrollTo(index);
  QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers, table.visualRect(index).center());
  return index;
}

// May select several cells. answer() then chooses one of the offered values.
void Storm::changeDecision() {
  QTableView *const decisions = table("decisionTable", "decisions");
  if (!decisions) return;
  click(*decisions);
  if (below(6) == 0) click(*decisions, Qt::ControlModifier);
  QTest::keyClick(decisions, Qt::Key_Return);
}

void Storm::freeze() {
  if (below(3) == 0) return press(Qt::Key_L, Qt::ControlModifier);
  QTableView *const decisions = table("decisionTable", "decisions");
  if (!decisions) return;
  click(*decisions);
  QTest::keyClick(decisions, Qt::Key_Space);
}

std::optional<QPoint> Storm::nodeInView() {
  const auto &nodes = m_window.dag().scene().geometry().nodes;
  const DagView &view = m_window.dag().view();
  if (nodes.empty() || !view.isVisible()) return std::nullopt;
  const QPoint at = view.mapFromScene(nodes[std::size_t(below(int(nodes.size())))].center());
  return view.viewport()->rect().contains(at) ? std::optional(at) : std::nullopt;
}

// Drags a node onto another one, or beside all nodes.
void Storm::dragNode() {
  if (below(4) == 0) m_window.dag().view().fit();
  const auto from = nodeInView();
  const auto to = below(3) ? nodeInView() : std::optional(QPoint(4, 4));
  if (!from || !to) return;
  QWidget *const viewport = m_window.dag().view().viewport();
  QTest::mousePress(viewport, Qt::LeftButton, {}, *from);
  for (const QPoint &at : {*from + QPoint(0, QApplication::startDragDistance() + 2), *to}) {
    QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(QPointF(at)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(viewport, &move);
  }
  QTest::mouseRelease(viewport, Qt::LeftButton, {}, *to);
}

void Storm::openMenu() {
  const auto at = nodeInView();
  if (!at) return;
  QWidget *const viewport = m_window.dag().view().viewport();
  QTest::mouseClick(viewport, Qt::LeftButton, {}, *at);
  QContextMenuEvent menu(QContextMenuEvent::Mouse, *at, viewport->mapToGlobal(*at));
  QCoreApplication::sendEvent(viewport, &menu);
}

void Storm::loadCandidate() {
  QTableView *const candidates = table("candidateTable", "candidates");
  if (!candidates) return;
  const QModelIndex index = click(*candidates);
  QTest::mouseDClick(candidates->viewport(), Qt::LeftButton, {},
                     candidates->visualRect(index).center());
}

// Changes the value of a scalar parameter, which opens the pipeline at another size.
void Storm::changeNumber() {
  m_window.findChild<QAction *>(QStringLiteral("goTo.pipeline"))->trigger();
  m_window.pipeline().tabs().setCurrentIndex(1);
  QTableView *const inputs = table("inputTable", "pipeline");
  if (!inputs) return;
  const QModelIndex last = inputs->model()->index(inputs->model()->rowCount() - 1, 3);
  inputs->setCurrentIndex(last);
  QTest::keyClick(inputs, Qt::Key_F2);
  auto *line = inputs->viewport()->findChild<QLineEdit *>();
  if (!line || !line->isVisible()) return; // an editor that was left is deleted a little later
  line->setText(QString::number(1 + below(3)));
  QTest::keyClick(line, Qt::Key_Return);
}

void closeEverythingElse(const MainWindow &window) {
  for (int i = 0; i < 50; ++i)
    for (QWidget *top : QApplication::topLevelWidgets())
      if (top != &window && top->isVisible() && top->isWindow()) top->close();
}

void print(const char *title, const std::vector<Stall> &stalls) {
  std::printf("%s:\n", title);
  for (const Stall &stall : stalls)
    std::printf("  %.0f ms (by the clock %.0f, CPU %.0f) at %.3f s after: %s %s\n", stall.own(),
                stall.byClock, stall.ofThread, stall.since, stall.act, stall.widget.constData());
}

// Copies a sample to a folder of its own, and marks the copy as trusted, as the samples are. File
// dialogs suggest the folder of the open file, and the storm may save there.
QString ownSample(const QString &folder) {
  const QString name = QStringLiteral("/local_laplacian");
  for (const char *end : {".hlpipe", ".estimates.json"})
    if (!QFile::copy(views::test::kSamples + name + end, folder + name + end)) return {};
  const std::string pipeline = (folder + name + ".hlpipe").toStdString();
  const auto hash = host::fileHash(pipeline);
  host::TrustStore trust((folder + "/t.json").toStdString());
  return hash && trust.trust(*hash, pipeline) ? QString::fromStdString(pipeline) : QString();
}

} // namespace

class TestEventStorm : public QObject {
  Q_OBJECT
private slots:
  void leavesAWindowThatUndoesAndRedoes();
};

void TestEventStorm::leavesAWindowThatUndoesAndRedoes() {
  const Length length{number("TESSERA_EVENTS", 1500), number("TESSERA_MINUTES", 0)};
  const auto seed = unsigned(number("TESSERA_SEED", 3));
  QTemporaryDir folder;
  QDir::setCurrent(folder.path());
  const QString sample = ownSample(folder.path());
  QVERIFY(!sample.isEmpty());
  QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  MainWindow window(views::test::realServices(folder.path()), settings);
  window.resize(1400, 900);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  window.openFile(sample);
  QTRY_VERIFY_WITH_TIMEOUT(window.documents().hasDocument() && window.dag().isLaidOut(), 30000);
  window.findChild<QAction *>(QStringLiteral("schedule"))->trigger();
  Storm storm(window, sample, length, seed);
  // 100 ms for each event is plenty: ten events take far less than a second.
  constexpr int kSpare = 30'000;
  QVERIFY(
      storm.isOverWithin(kSpare + (length.minutes ? length.milliseconds() : length.events * 100)));
  const int events = storm.events();
  closeEverythingElse(window);
  window.schedule().stop();
  QTRY_VERIFY_WITH_TIMEOUT(!window.schedule().isRunning(), 5000);
  QVERIFY(window.documents().hasDocument());
  QTRY_VERIFY_WITH_TIMEOUT(window.bridge().running().empty(), 60000);
  DocumentFlow &documents = window.documents();
  for (int i = 0; !documents.redoName().isEmpty() && i < events; ++i)
    documents.redo();
  const auto bytes = [&] { return document::documentText(documents.document(), {}); };
  const std::string before = bytes();
  int undone = 0, redone = 0;
  for (; !documents.undoName().isEmpty() && undone < events; ++undone)
    documents.undo();
  for (; !documents.redoName().isEmpty() && redone < events; ++redone)
    documents.redo();
  std::printf(
      "event_storm: seed %u, %d events in %.0f s, %d deeds, %d steps; %d undone and redone\n", seed,
      events, storm.seconds(), storm.deeds(), storm.steps(), undone);
  print("busy longest", storm.longestStalls(8, &Stall::own, false));
  print("computed longest", storm.longestStalls(8, &Stall::ofThread, false));
  print("busy longest with Qt's file dialog", storm.longestStalls(2, &Stall::own, true));
  QCOMPARE(redone, undone);
  QVERIFY(bytes() == before);
  QVERIFY2(storm.isEnough(), "too few edits to say anything");
}

QTEST_MAIN(TestEventStorm)
#include "tst_event_storm.moc"
