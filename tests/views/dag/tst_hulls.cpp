// SPDX-License-Identifier: GPL-3.0-or-later
#include "../test_pipelines.h"
#include "views/dag/dag_scene.h"
#include "views/dag/dag_style.h"
#include "views/dag/hull.h"
#include "views/dag/kernel_hull.h"
#include "views/dag/layered_layout.h"
#include "views/theme/theme.h"

#include <QTest>

#include <algorithm>

using namespace tessera;
using namespace tessera::views;

namespace {

double widthOf(const QString &text, TextRole) { return 7.0 * double(text.size()); }

struct Laid {
  std::shared_ptr<const DagGraph> graph;
  std::shared_ptr<const DagGeometry> geometry;
};

Laid laidOut(const pipeline::PipelinePtr &pipeline) {
  auto graph = std::make_shared<const DagGraph>(makeDagGraph(*pipeline, widthOf));
  auto geometry =
      std::make_shared<const DagGeometry>(makeGeometry(*graph, layeredLayout(shapeOf(*graph))));
  return {graph, geometry};
}

bool holds(const std::vector<QPolygonF> &rings, QPointF point) {
  QPainterPath path;
  for (const QPolygonF &ring : rings) {
    path.addPolygon(ring);
    path.closeSubpath();
  }
  return path.contains(point);
}

} // namespace

class TestHulls : public QObject {
  Q_OBJECT
private slots:
  void contourOfAPeak();
  void hullHoldsItsMembers();
  void hullKeepsOthersOut();
  void onlyOthersMakeHoles();
  void whatIsFarApartHasTwoOutlines();
  void groupsFollowTheKernels();
  void everyNodeIsInItsHull();
  void hullsOfTheSameNodesStay();
  void derivedStagesAreNodes();
  void heatIsOrdered();
};

void TestHulls::contourOfAPeak() {
  // A single high value gives a diamond around it.
  std::vector<float> values(25, 0);
  values[12] = 1;
  const std::vector<QPolygonF> rings = contours(values, 5, 0.5F);
  QCOMPARE(rings.size(), std::size_t(1));
  QCOMPARE(rings[0].size(), 4);
  for (const QPointF point : rings[0])
    QCOMPARE(QLineF(point, {2, 2}).length(), 0.5);
  QVERIFY(contours(std::vector<float>(25, 0), 5, 0.5F).empty());
  QVERIFY(contours({}, 0, 0.5F).empty());
}

void TestHulls::hullHoldsItsMembers() {
  const HullParts parts{
      {{0, 0, 100, 44}, {10, 88, 100, 44}}, {QPolygonF{QPointF(50, 44), QPointF(60, 88)}}, {}};
  const std::vector<QPolygonF> rings = hullAround(parts);
  QCOMPARE(rings.size(), std::size_t(1));
  for (const QRectF &member : parts.members)
    for (const QPointF corner :
         {member.topLeft(), member.topRight(), member.bottomLeft(), member.bottomRight()})
      QVERIFY(holds(rings, corner));
  const QRectF around = rings[0].boundingRect();
  QVERIFY(around.left() < -kHullMargin / 2 && around.left() > -2 * kHullMargin);
  QVERIFY(holds(rings, {55, 66}));  // the bridge
  QVERIFY(!holds(rings, {-5, 66})); // beside the bridge
}

void TestHulls::hullKeepsOthersOut() {
  const QRectF other(106, 0, 100, 44);
  const HullParts parts{
      {{0, 0, 100, 44}, {0, 70, 100, 44}}, {QPolygonF{QPointF(50, 44), QPointF(50, 70)}}, {other}};
  const std::vector<QPolygonF> rings = hullAround(parts);
  for (double y = other.top(); y <= other.bottom(); y += 4)
    QVERIFY(!holds(rings, {other.left() + 0.5, y}));
  QVERIFY(holds(rings, {99, 100}));
}

void TestHulls::onlyOthersMakeHoles() {
  // Four nodes in a ring, far enough apart to leave room in the middle.
  const QRectF box(0, 0, 200, 40), middle(85, 90, 30, 20);
  const std::vector<QRectF> ring{box, box.translated(0, 160), {0, 60, 40, 80}, {160, 60, 40, 80}};
  const std::vector<QPolygonF> bridges{QPolygonF{QPointF(20, 40), QPointF(20, 160)},
                                       QPolygonF{QPointF(180, 40), QPointF(180, 160)}};
  QVERIFY(holds(hullAround({ring, bridges, {}}), middle.center()));
  const std::vector<QPolygonF> around = hullAround({ring, bridges, {middle}});
  QCOMPARE(around.size(), std::size_t(2));
  QVERIFY(!holds(around, middle.center()));
}

void TestHulls::whatIsFarApartHasTwoOutlines() {
  QCOMPARE(hullAround({{{0, 0, 50, 40}, {500, 0, 50, 40}}, {}, {}}).size(), std::size_t(2));
}

void TestHulls::groupsFollowTheKernels() {
  cost::Prediction prediction;
  prediction.kernels.resize(4);
  for (std::size_t k = 0; k < 4; ++k)
    prediction.kernels[k].time.seconds = double(k + 1);
  NodePlace split{{3, 4}, {3, 4}, "3–4"};
  NodePlace inlinedInTwo{{1, 2}, {0}, {}, true}, inlinedInOne{{2}, {0}, {}, true};
  const std::vector<KernelGroup> groups = kernelGroups(
      {{}, {{1}, {1}, "1"}, inlinedInTwo, inlinedInOne, {{2}, {2}, "2"}, split}, prediction);
  QCOMPARE(groups.size(), std::size_t(3));
  QCOMPARE(groups[0].nodes, std::vector<std::uint32_t>{1});
  QCOMPARE(groups[1].nodes, (std::vector<std::uint32_t>{3, 4}));
  // Two kernels with the same nodes are one group.
  QCOMPARE(groups[2].kernels, (std::vector{3, 4}));
  QCOMPARE(groups[2].part, 0.7);
  QVERIFY(groups[2].label.startsWith("3, 4 · 70"));
}

void TestHulls::everyNodeIsInItsHull() {
  const pipeline::PipelinePtr pipeline = test::layeredPipeline(300, 3);
  const Laid laid = laidOut(pipeline);
  ShownSchedule schedule = *showSchedule(test::defaultFound(pipeline), "h200");
  // Every kernel has several nodes, and some nodes are inlined.
  for (std::size_t i = 0; i < schedule.places.size(); ++i)
    schedule.places[i] =
        i % 5 == 4 ? StagePlace{.isInlined = true} : StagePlace{.kernel = int(i / 7) + 1};
  const std::vector<NodePlace> places = nodePlaces(*laid.graph, schedule);
  const auto hulls = makeHulls(kernelGroups(places, schedule.found.prediction), *laid.graph,
                               *laid.geometry, nullptr, {});
  QVERIFY(hulls && hulls->size() > 40);
  for (const KernelHull &hull : *hulls)
    for (const std::uint32_t node : hull.group.nodes)
      QVERIFY(hull.path.contains(laid.geometry->nodes[node].center()));
  const KernelHull *found = hullAt(*hulls, laid.geometry->nodes[1].center());
  QVERIFY(found);
  QVERIFY(!hullAt(*hulls, laid.geometry->bounds.topLeft() - QPointF(500, 500)));
  std::stop_source stop;
  stop.request_stop();
  QVERIFY(!makeHulls(kernelGroups(places, schedule.found.prediction), *laid.graph, *laid.geometry,
                     nullptr, stop.get_token()));
}

void TestHulls::hullsOfTheSameNodesStay() {
  const pipeline::PipelinePtr pipeline = test::layeredPipeline(30, 3);
  const Laid laid = laidOut(pipeline);
  const ShownSchedulePtr schedule = showSchedule(test::defaultFound(pipeline), "h200");
  auto groups = kernelGroups(nodePlaces(*laid.graph, *schedule), schedule->found.prediction);
  const auto before = makeHulls(groups, *laid.graph, *laid.geometry, nullptr, {});
  groups.front().label = "other";
  const auto after = makeHulls(groups, *laid.graph, *laid.geometry, before, {});
  QCOMPARE(after->front().path, before->front().path);
  QCOMPARE(after->front().group.label, QString("other"));
}

void TestHulls::derivedStagesAreNodes() {
  const FoundSchedule plain = test::defaultFound(test::smallPipeline());
  schedule::Schedule schedule = plain.schedule;
  QVERIFY(schedule.add(schedule::Wrapper{"input_copy", "input", {}}));
  const DagGraph graph = makeDagGraph(schedule, widthOf);
  const auto added = std::ranges::find(graph.nodes, QString("input_copy"), &DagNode::title);
  QVERIFY(added != graph.nodes.end());
  QCOMPARE(added->addedAs, QString("copy of input"));
  // The added copy refers to its input, but a search for the input never finds the copy.
  QCOMPARE(added->subjects, std::vector{Subject::input(pipeline::InputId{0})});
  QCOMPARE(graph.nodeOf(Subject::input(pipeline::InputId{0})), std::optional(0U));
  // The other nodes keep the indices that they have in the open pipeline.
  const auto blur = graph.nodeOf(Subject::stage(pipeline::StageId{1}));
  QVERIFY(blur && graph.nodes[*blur].title == "blur_y");
  QVERIFY(graph.hasAdded());
  QVERIFY(!makeDagGraph(plain.schedule, widthOf).hasAdded());
}

void TestHulls::heatIsOrdered() {
  for (const QPalette &palette : {lightPalette(), darkPalette()}) {
    const Colors colors(palette);
    const auto distance = [&](const QColor &a) {
      return std::abs(a.redF() - colors.canvas.redF()) +
             std::abs(a.greenF() - colors.canvas.greenF()) +
             std::abs(a.blueF() - colors.canvas.blueF());
    };
    for (double part = 0.1; part <= 1; part += 0.1)
      QVERIFY(distance(colors.heat(part)) > distance(colors.heat(part - 0.1)));
  }
}

QTEST_GUILESS_MAIN(TestHulls)
#include "tst_hulls.moc"
