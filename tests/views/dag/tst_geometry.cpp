// SPDX-License-Identifier: GPL-3.0-or-later
#include "../test_pipelines.h"
#include "views/dag/dag_geometry.h"
#include "views/dag/dag_walk.h"
#include "views/dag/edge_index.h"
#include "views/dag/kernel_groups.h"
#include "views/dag/layered_layout.h"
#include "views/dag/name_lines.h"
#include "views/dag/node_facts.h"
#include "views/dag/node_place.h"
#include "views/theme/node_shape.h"
#include "views/theme/theme.h"

#include <QLineF>
#include <QTest>

#include <algorithm>
#include <cstdlib>

using namespace tessera;
using namespace tessera::views;
using host::GraphLayout;
using host::GraphShape;

namespace {

double widthOf(const QString &text, TextRole) { return 7.0 * double(text.size()); }

GraphShape diamond() { // 0 → 1, 2 → 3 and 0 → 3
  return {{{80, 40}, {80, 40}, {120, 40}, {80, 60}}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}}};
}

} // namespace

class TestGeometry : public QObject {
  Q_OBJECT
private slots:
  void layersFollowTheEdges();
  void nothingOverlaps();
  void layoutIsDeterministicAndFast();
  void cyclesAndLoopsAreSurvived();
  void graphOfAPipeline();
  void externStagesLookOtherwise();
  void whatTheSearchFrozeIsMarked();
  void detailFallsWithScale();
  void hitTesting();
  void chipsFitTheirNode();
  void flatteningStaysClose();
  void indexFindsWhatBruteForceFinds();
  void openingShowsReadableNames();
  void aDagRunsToTheRight();
  void longNamesHaveTwoLines_data();
  void longNamesHaveTwoLines();
  void keyboardWalks();
  void namesAreFound();
  void shapesStayInTheirBox();
  void nodesShowTheirKernels();
  void kernelsCanBeToldApart();
};

void TestGeometry::layersFollowTheEdges() {
  const GraphLayout layout = layeredLayout(diamond());
  QCOMPARE(layout.centres.size(), std::size_t(4));
  QVERIFY(layout.centres[0].y < layout.centres[1].y);
  QCOMPARE(layout.centres[1].y, layout.centres[2].y);
  QVERIFY(layout.centres[2].y < layout.centres[3].y);
  for (const auto &curve : layout.curves)
    QCOMPARE(curve.size() % 3, std::size_t(1));
  // Edges leave the bottom of the producer and end at the top of the consumer.
  QCOMPARE(layout.curves[0].front().y, layout.centres[0].y + 20);
  QCOMPARE(layout.curves[0].back().y, layout.centres[1].y - 20);
}

void TestGeometry::nothingOverlaps() {
  const DagGraph graph = makeDagGraph(*test::layeredPipeline(300, 5), widthOf);
  const DagGeometry geometry = makeGeometry(graph, layeredLayout(shapeOf(graph)));
  for (std::size_t i = 0; i < geometry.nodes.size(); ++i)
    for (std::size_t j = i + 1; j < geometry.nodes.size(); ++j)
      QVERIFY(!geometry.nodes[i].intersects(geometry.nodes[j]));
  for (const QRectF &node : geometry.nodes)
    QVERIFY(geometry.bounds.contains(node));
}

void TestGeometry::layoutIsDeterministicAndFast() {
  const DagGraph graph = makeDagGraph(*test::layeredPipeline(1000, 1), widthOf);
  const GraphShape shape = shapeOf(graph);
  QElapsedTimer clock;
  clock.start();
  const GraphLayout layout = layeredLayout(shape);
  const qint64 milliseconds = clock.elapsed();
  QVERIFY(layout == layeredLayout(shape));
  qInfo("plain layout of 1,000 nodes: %lld ms", milliseconds);
#ifdef NDEBUG
  QVERIFY2(milliseconds < 300, "the plain layout must be there when patience ends");
#endif
}

void TestGeometry::cyclesAndLoopsAreSurvived() {
  const GraphShape shape{{{10, 10}, {10, 10}, {10, 10}}, {{0, 1}, {1, 2}, {2, 0}, {1, 1}}};
  const GraphLayout layout = layeredLayout(shape);
  QCOMPARE(layout.centres.size(), std::size_t(3));
  QCOMPARE(layout.curves.size(), std::size_t(4));
  QCOMPARE(layeredLayout({}).centres.size(), std::size_t(0));
}

void TestGeometry::graphOfAPipeline() {
  const DagGraph graph = makeDagGraph(*test::smallPipeline(), widthOf);
  QCOMPARE(graph.nodes.size(), std::size_t(3));
  // The update's load of its own func is no edge. Each edge carries all elements of its producer:
  // those of the first edge have two bytes each, those of the second four.
  QCOMPARE(graph.edges, (std::vector<DagEdge>{{0, 1, 66 * 48 * 2}, {1, 2, 64 * 48 * 4}}));
  QCOMPARE(graph.nodes[0].kind, StageKind::Input);
  QCOMPARE(graph.nodes[1].kind, StageKind::Pure);
  QCOMPARE(graph.nodes[2].kind, StageKind::Reduction);
  QVERIFY(graph.nodes[2].isOutput);
  QCOMPARE(graph.nodes[2].subjects.size(), std::size_t(2));
  QCOMPARE(graph.nodeOf(Subject::stage(pipeline::StageId{2})), std::optional(2u));
  QVERIFY(graph.nodes[2].height > graph.nodes[1].height); // room for the chips
  QVERIFY(!graph.hasExtern());
}

void TestGeometry::whatTheSearchFrozeIsMarked() {
  const auto pipeline = test::smallPipeline();
  const DagGraph graph = makeDagGraph(*pipeline, widthOf);
  FoundSchedule found = test::defaultFound(pipeline);
  search::Trace trace{"s", {}, 0};
  trace.rows.push_back({"pre-pass", "inline", {"blur_x"}, {}, {}, search::TraceOutcome::Frozen});
  trace.rows.push_back({"grouping", "inline", {"blur_y"}, {}, {}, search::TraceOutcome::Taken});
  found.trace = std::make_shared<const search::Trace>(trace);
  const auto shown = showSchedule(found, "h200");
  QCOMPARE(shown->frozenBySearch, std::vector<std::string>{"blur_x"});
  const std::vector<NodePlace> places = nodePlaces(graph, *shown);
  QVERIFY(!places[0].isFrozenBySearch && places[1].isFrozenBySearch && !places[2].isFrozenBySearch);
  QVERIFY(frozenText(places[1]).startsWith("decided by the search's pre-pass"));
  QVERIFY(frozenText(places[2]).isEmpty());
}

void TestGeometry::externStagesLookOtherwise() {
  const auto pipeline = test::externPipeline();
  const DagGraph graph = makeDagGraph(*pipeline, widthOf);
  QVERIFY(graph.hasExtern());
  QCOMPARE(graph.nodes[1].kind, StageKind::Extern);
  QVERIFY2(graph.nodes[1].detail.endsWith("· extern stage"), qPrintable(graph.nodes[1].detail));
  const auto shown = showSchedule(test::defaultFound(pipeline), "h200");
  QCOMPARE(nodePlaces(graph, *shown)[1].label, QString()); // it is in no kernel
  QCOMPARE(factsOf(graph.nodes[1], *shown, 0), QString("calls blur_call"));
  QVERIFY2(shown->summary().endsWith("without extern stages"), qPrintable(shown->summary()));
}

void TestGeometry::detailFallsWithScale() {
  QCOMPARE(detailAt(1), Detail::Full);
  QCOMPARE(detailAt(0.5), Detail::Name);
  QCOMPARE(detailAt(0.1), Detail::Block);
}

void TestGeometry::hitTesting() {
  DagGeometry geometry;
  geometry.nodes = {QRectF(0, 0, 10, 10), QRectF(20, 0, 10, 10)};
  QCOMPARE(nodeAt(geometry, {25, 5}), std::optional(1u));
  QCOMPARE(nodeAt(geometry, {15, 5}), std::nullopt);
}

void TestGeometry::chipsFitTheirNode() {
  const QRectF node(0, 0, 120, 64);
  for (const std::size_t chips : {2, 3, 40}) {
    const auto rects = chipRects(node, chips);
    QVERIFY(rects.size() <= chips && !rects.empty());
    for (std::size_t i = 0; i < rects.size(); ++i) {
      QVERIFY(node.contains(rects[i]));
      QCOMPARE(chipAt(node, chips, rects[i].center()), std::optional(i));
    }
  }
  QVERIFY(chipRects(node, 1).empty()); // one stage needs no chip
  QVERIFY(!chipAt(node, 3, {60, 5}));
}

void TestGeometry::flatteningStaysClose() {
  const std::vector<QPointF> straight{{0, 0}, {10, 0}, {20, 0}, {30, 0}};
  QCOMPARE(flatten(straight, 0.4).size(), 2);
  const std::vector<QPointF> curve{{0, 0}, {0, 100}, {100, 0}, {100, 100}};
  const QPolygonF line = flatten(curve, 0.4);
  QVERIFY(line.size() > 4);
  QCOMPARE(line.last(), QPointF(100, 100));
  const QPolygonF head = arrowHead(line, 8);
  QCOMPARE(head.size(), 3);
  QCOMPARE(head.first(), QPointF(100, 100));
  QVERIFY(arrowHead(QPolygonF{QPointF(1, 1), QPointF(1, 1)}, 8).isEmpty());
}

void TestGeometry::indexFindsWhatBruteForceFinds() {
  const DagGraph graph = makeDagGraph(*test::layeredPipeline(200, 3), widthOf);
  const DagGeometry geometry = makeGeometry(graph, layeredLayout(shapeOf(graph)));
  const EdgeIndex index(geometry.polylines, geometry.bounds);
  for (int step = 0; step < 40; ++step) {
    const QRectF rect(geometry.bounds.left() + geometry.bounds.width() * step / 40,
                      geometry.bounds.top() + geometry.bounds.height() * ((step * 7) % 40) / 40, 90,
                      60);
    const auto found = index.crossing(rect);
    for (std::uint32_t edge = 0; edge < geometry.polylines.size(); ++edge) {
      const QPolygonF &line = geometry.polylines[edge];
      bool crosses = false;
      for (qsizetype i = 0; i < line.size(); ++i)
        crosses |= rect.contains(line[i]);
      if (crosses) QVERIFY(std::ranges::binary_search(found, edge));
    }
  }
  QVERIFY(index.crossing(geometry.bounds.translated(1e6, 1e6)).empty());
  QCOMPARE(index.crossing(geometry.bounds).size(), geometry.polylines.size());
}

void TestGeometry::openingShowsReadableNames() {
  const QSizeF viewport(1000, 700);
  QVERIFY(openingView(QRectF(0, 0, 500, 400), viewport, 20, 1.25).isWhole);
  const OpeningView tall = openingView(QRectF(0, 0, 900, 9000), viewport, 20, 1.25);
  QVERIFY(!tall.isWhole);
  QCOMPARE(detailAt(tall.placement.scale), Detail::Full);
  // In a small window, such as a laptop's, the scale may be so small that only names are readable.
  const OpeningView narrow = openingView(QRectF(0, 0, 1700, 9000), viewport, 20, 1.25);
  QVERIFY(!narrow.isWhole);
  QCOMPARE(detailAt(narrow.placement.scale), Detail::Name);
  QVERIFY(openingView(QRectF(0, 0, 9000, 9000), viewport, 20, 1.25).isWhole);
  // A wide DAG that runs to the right opens at its left end.
  const OpeningView wide =
      openingView(QRectF(0, 0, 9000, 600), viewport, 20, 1.25, DagDirection::Right);
  QVERIFY(!wide.isWhole);
  QVERIFY(detailAt(wide.placement.scale) >= Detail::Name);
  QCOMPARE(wide.placement.centre.y(), 300.0);
  QVERIFY(wide.placement.centre.x() < 1000);
}

void TestGeometry::aDagRunsToTheRight() {
  const DagGraph graph = makeDagGraph(*test::layeredPipeline(100, 3), widthOf);
  const GraphLayout layout = mirrored(layeredLayout(mirrored(shapeOf(graph))));
  const DagGeometry geometry = makeGeometry(graph, layout);
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const QRectF from = geometry.nodes[graph.edges[i].from], to = geometry.nodes[graph.edges[i].to];
    QVERIFY(from.right() < to.left());
    // Nodes stand on whole units, but curves need not, hence the margin of 2.
    QVERIFY(from.adjusted(-2, -2, 2, 2).contains(geometry.curves[i].front()));
    QVERIFY(to.adjusted(-2, -2, 2, 2).contains(geometry.curves[i].back()));
  }
  for (std::size_t a = 0; a < geometry.nodes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      QVERIFY(!geometry.nodes[a].intersects(geometry.nodes[b]));
  // The arrow keys follow the direction: Left leads to a producer.
  const std::uint32_t reader = graph.edges.front().to;
  const auto producer = neighbour(graph, geometry, reader, Qt::Key_Left, DagDirection::Right);
  QVERIFY(producer && geometry.nodes[*producer].right() < geometry.nodes[reader].left());
  const auto below = neighbour(graph, geometry, reader, Qt::Key_Down, DagDirection::Right);
  QVERIFY(!below || geometry.nodes[*below].center().y() > geometry.nodes[reader].center().y());
}

void TestGeometry::longNamesHaveTwoLines_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QStringList>("lines"); // of at most ten letters
  QTest::newRow("short") << "blur_x" << QStringList{"blur_x"};
  QTest::newRow("underscore") << "remapped_0_down_x" << QStringList{"remapped_", "0_down_x"};
  QTest::newRow("capital") << "gaussianPyramid" << QStringList{"gaussian", "Pyramid"};
  QTest::newRow("no words") << "convolution2x" << QStringList{"convolutio", "n2x"};
  QTest::newRow("too long") << "a_very_long_name_of_a_stage" << QStringList{};
  QTest::newRow("one letter") << "f" << QStringList{"f"};
  QTest::newRow("empty") << "" << QStringList{""};
}

void TestGeometry::longNamesHaveTwoLines() {
  QFETCH(const QString, name);
  QFETCH(const QStringList, lines);
  const auto width = [](const QString &text) { return double(text.size()); };
  const QStringList made = nameLines(name, 10, width);
  QVERIFY(made.size() <= 2);
  for (const QString &line : made)
    QVERIFY(line.size() <= 10);
  if (!lines.isEmpty()) QCOMPARE(made, lines);
  // The end of a name stays, because names differ there.
  QVERIFY(made.last().isEmpty() || name.endsWith(made.last().right(1)));
}

void TestGeometry::keyboardWalks() {
  const DagGraph graph = makeDagGraph(*test::smallPipeline(), widthOf);
  const DagGeometry geometry = makeGeometry(graph, layeredLayout(shapeOf(graph)));
  QCOMPARE(neighbour(graph, geometry, {}, Qt::Key_Down), std::optional(0u));
  QCOMPARE(neighbour(graph, geometry, 0, Qt::Key_Down), std::optional(1u));
  QCOMPARE(neighbour(graph, geometry, 1, Qt::Key_Up), std::optional(0u));
  QCOMPARE(neighbour(graph, geometry, 0, Qt::Key_Up), std::nullopt);
  QCOMPARE(neighbour(graph, geometry, 0, Qt::Key_Left), std::nullopt);
}

void TestGeometry::namesAreFound() {
  const DagGraph graph = makeDagGraph(*test::smallPipeline(), widthOf);
  QCOMPARE(nodesNamed(graph, "BLUR"), (std::vector<std::uint32_t>{1, 2}));
  QVERIFY(nodesNamed(graph, {}).empty());
}

void TestGeometry::shapesStayInTheirBox() {
  const QRectF box(5, 5, 100, 40);
  for (const StageKind kind :
       {StageKind::Input, StageKind::Pure, StageKind::Reduction, StageKind::Extern})
    for (const bool output : {false, true}) {
      const QPolygonF shape = nodeShape(kind, output, box);
      QVERIFY(box.adjusted(-0.01, -0.01, 0.01, 0.01).contains(shape.boundingRect()));
    }
  QVERIFY(nodeShape(StageKind::Pure, false, box) != nodeShape(StageKind::Reduction, false, box));
  QVERIFY(nodeShape(StageKind::Pure, false, box) != nodeShape(StageKind::Extern, false, box));
  QVERIFY(nodeShape(StageKind::Pure, true, box) != nodeShape(StageKind::Extern, true, box));
}

void TestGeometry::nodesShowTheirKernels() {
  const auto pipeline = test::smallPipeline();
  const DagGraph graph = makeDagGraph(*pipeline, widthOf);
  ShownSchedule schedule = *showSchedule(test::defaultFound(pipeline), "h200");
  schedule.places = {{.isInlined = true}, {.kernel = 1, .part = 0.25}, {.kernel = 3, .part = 0.75}};
  const NodePlace input{{}, {0}, "", false, 0};
  // An inlined func is computed in the kernels that read it.
  QCOMPARE(nodePlaces(graph, schedule),
           (std::vector<NodePlace>{input,
                                   {{1, 3}, {0}, "", true, 0, {1, 3}},
                                   {{1, 3}, {1, 3}, "1, 3", false, 1, {1, 3}}}));
  QVERIFY(nodePlaces(graph, schedule)[2].isSplit());
  schedule.places = {{.kernel = 2}, {.kernel = 2}, {.kernel = 2}};
  QCOMPARE(nodePlaces(graph, schedule),
           (std::vector<NodePlace>{
               input, {{2}, {2}, "2", false, 0, {2}}, {{2}, {2, 2}, "2", false, 0, {2}}}));
  schedule.kernels[1].colour = 9; // a colour that differs from the kernel's number
  QCOMPARE(nodePlaces(graph, schedule)[1].label, "2");
  QCOMPARE(nodePlaces(graph, schedule)[1].colour(), 9);
  QCOMPARE(nodePlaces(graph, schedule)[2].chipColours, std::vector<int>({9, 9}));
}

void TestGeometry::kernelsCanBeToldApart() {
  const auto distance = [](const QColor &a, const QColor &b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
           std::abs(a.blue() - b.blue());
  };
  for (const QPalette &palette : {lightPalette(), darkPalette()}) {
    const Colors colors(palette);
    for (int kernel = 1; kernel <= 40; ++kernel) {
      // A kernel's colour differs from those of the next four kernels, and text is readable on it.
      for (int other = kernel + 1; other <= kernel + 4; ++other)
        QVERIFY2(distance(colors.kernelBlock(kernel), colors.kernelBlock(other)) > 45,
                 qPrintable(QString("%1 and %2").arg(kernel).arg(other)));
      QVERIFY(distance(colors.kernelFill(kernel), colors.text) > 250);
      QVERIFY(distance(colors.kernelFill(kernel), colors.canvas) > 40);
    }
  }
}

QTEST_GUILESS_MAIN(TestGeometry)
#include "tst_geometry.moc"
