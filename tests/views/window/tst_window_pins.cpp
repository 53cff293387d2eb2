// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline and the code compare with the candidates that are pinned as A and B.
#include "test_window.h"
#include "views/roofline/roofline_panel.h"

#include <QAction>
#include <QTest>

using namespace tessera;
using namespace tessera::views;

class TestWindowPins : public QObject {
  Q_OBJECT
private slots:
  void init();
  void theRooflineHasWhatIsPinned();
  void theCodeSaysWhatItDiffersFrom();
  void anotherMachineIsPredictedAnew();

private:
  DocumentFlow &documents() { return m_test->window().documents(); }
  std::uint64_t keep(int registerCap); // keeps and shows a candidate with this cap
  // The names of the schedules that the shown one is compared with.
  QString words();

  std::unique_ptr<test::TestWindow> m_test;
};

void TestWindowPins::init() {
  m_test = std::make_unique<test::TestWindow>();
  m_test->makeWindow();
  QVERIFY(m_test->open("blur.hlpipe"));
  QVERIFY(m_test->search());
  m_test->child<QAction>("goTo.roofline")->trigger();
  QTRY_VERIFY(m_test->window().roofline().isVisible());
}

std::uint64_t TestWindowPins::keep(int registerCap) {
  schedule::Schedule schedule = *documents().document().current();
  schedule::Settings settings = schedule.settings();
  settings.registerCap = registerCap;
  schedule.set(settings);
  documents().edit("cap", schedule);
  const auto isShown = [&] {
    const ShownSchedulePtr &shown = m_test->window().schedule().shown();
    return shown && shown->found.schedule == schedule;
  };
  return QTest::qWaitFor(isShown) ? documents().keepShown() : 0;
}

QString TestWindowPins::words() {
  QStringList all;
  for (const chart::MarkRow &row : m_test->window().roofline().view().chart().rows)
    if (row.series > 0) all << QString::fromStdString(row.tag);
  return all.join(' ');
}

void TestWindowPins::theRooflineHasWhatIsPinned() {
  const std::uint64_t a = keep(32), b = keep(128);
  QVERIFY(a && b && keep(255));
  QTRY_COMPARE(words(), "before");
  documents().pin(b, document::Pin::B);
  QTRY_COMPARE(words(), "B");
  documents().pin(a, document::Pin::A);
  QTRY_COMPARE(words(), "A B");
  documents().load(a); // the shown schedule is now A, so it is not compared with A
  QTRY_COMPARE(words(), "B");
  m_test->key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(words(), "A B");
  m_test->key(Qt::Key_Z, Qt::ControlModifier); // undoes the pin, which is a step of the history
  QTRY_COMPARE(words(), "B");
  documents().remove(b);
  QTRY_COMPARE(words(), "before");
}

void TestWindowPins::theCodeSaysWhatItDiffersFrom() {
  const std::uint64_t a = keep(32);
  QVERIFY(a && keep(128));
  documents().pin(a, document::Pin::A);
  documents().rename(a, "little");
  m_test->child<QAction>("goTo.code")->trigger();
  QTRY_COMPARE(m_test->child<QAction>("code-difference")->toolTip(), "Difference from A, little");
}

// Times of two machines are never in one drawing.
void TestWindowPins::anotherMachineIsPredictedAnew() {
  const std::uint64_t a = keep(32);
  QVERIFY(a && keep(128));
  documents().pin(a, document::Pin::A);
  QTRY_COMPARE(words(), "A");
  documents().retarget("other");
  const auto machine = [&] {
    const ShownSchedulePtr &shown = m_test->window().schedule().shown();
    return shown ? shown->machine : QString();
  };
  QTRY_COMPARE(machine(), "other");
  QTRY_COMPARE(words(), "A");
}

QTEST_MAIN(TestWindowPins)
#include "tst_window_pins.moc"
