// SPDX-License-Identifier: GPL-3.0-or-later
// A layout of one graph is never delivered for another graph.
#include "views/dag/dag_layouter.h"

#include <QSignalSpy>
#include <QTest>

#include <thread>

using namespace tessera;
using namespace tessera::views;

class TestLayouter : public QObject {
  Q_OBJECT
private slots:
  void anotherGraphForgetsThePlainLayout();
};

// Graphviz never ends here, so the plain layout is shown after kPatienceMilliseconds.
void TestLayouter::anotherGraphForgetsThePlainLayout() {
  Bridge bridge;
  DagLayouter layouter(bridge, [](const host::GraphShape &, const std::stop_token &stop) {
    while (!stop.stop_requested())
      std::this_thread::yield();
    return Result<host::GraphLayout>(Error{ErrorCode::Cancelled, "cancelled", {}});
  });
  std::vector<std::size_t> seen;
  connect(&layouter, &DagLayouter::laidOut, this,
          [&](const host::GraphLayout &layout) { seen.push_back(layout.centres.size()); });
  const host::GraphShape two{{{10, 10}, {10, 10}}, {{0, 1}}};
  const host::GraphShape three{{{10, 10}, {10, 10}, {10, 10}}, {{0, 1}, {1, 2}}};
  layouter.start(two);
  QTRY_COMPARE(bridge.running().size(), std::size_t(1)); // only Graphviz runs
  seen.clear(); // on a slow machine, the layout of `two` may have been shown already
  layouter.start(three);
  QTRY_VERIFY(!seen.empty()); // the plain layout of `three` is shown
  QCOMPARE(seen, std::vector<std::size_t>{3});
  layouter.stop();
}

QTEST_GUILESS_MAIN(TestLayouter)
#include "tst_layouter.moc"
