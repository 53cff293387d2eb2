// SPDX-License-Identifier: GPL-3.0-or-later
// Pans and zooms through the DAG of a thousand stages and prints what a frame costs. A frame is
// what the user waits for: handling of the event and painting, until the window's image is whole;
// in processor time.
#include "../test_pipelines.h"
#include "views/dag/dag_panel.h"
#include "views/models/bridge.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QPixmap>
#include <QScrollBar>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

using namespace tessera;
using namespace tessera::views;

namespace {

// Of this thread: painting is software and single-threaded, and other programs on the machine are
// not what is measured.
double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

struct Frames {
  std::vector<double> milliseconds;

  double quantile(double q) {
    std::ranges::sort(milliseconds);
    return milliseconds[std::size_t(q * double(milliseconds.size() - 1))];
  }
};

Frames measure(int frames, const std::function<void(int)> &step) {
  Frames all;
  for (int i = 0; i < frames; ++i) {
    const double before = cpuMilliseconds();
    step(i);
    QCoreApplication::sendPostedEvents(); // the update requests
    QCoreApplication::processEvents();
    all.milliseconds.push_back(cpuMilliseconds() - before);
  }
  return all;
}

double report(const char *what, Frames frames) {
  const double worst = frames.quantile(1);
  std::printf("%-44s %4zu frames  median %6.2f ms  99 %% %6.2f ms  worst %6.2f ms\n", what,
              frames.milliseconds.size(), frames.quantile(0.5), frames.quantile(0.99), worst);
  std::fflush(stdout);
  return worst;
}

} // namespace

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  applyAppearance(Appearance::Light, false);
  const bool brief = QApplication::arguments().contains("--brief");
  const int frames = brief ? 30 : 300;

  Bridge bridge;
  Selection selection;
  DagPanel panel(selection, bridge, {});
  panel.resize(1600, 1000);
  const pipeline::PipelinePtr pipeline = test::layeredPipeline(1000, 1);
  panel.setPipeline(pipeline);
  panel.show();
  while (!panel.isLaidOut())
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  QCoreApplication::processEvents();
  DagView &view = panel.view();
  std::printf("platform %s, %zu nodes, %zu edges, viewport %d×%d\n",
              qPrintable(QApplication::platformName()), panel.scene().graph()->nodes.size(),
              panel.scene().graph()->edges.size(), view.viewport()->width(),
              view.viewport()->height());

  double worst = 0;
  const auto pan = [&](int i) { view.panBy({(i / 50) % 2 ? -17 : 17, (i / 25) % 2 ? -11 : 11}); };
  for (const double scale : {0.0, 0.25, 0.4, 0.62, 1.0}) {
    view.fit();
    if (scale > 0) view.zoomTo(scale);
    QCoreApplication::processEvents();
    char what[64];
    std::snprintf(what, sizeof what, "pan at %.0f %%", view.scale() * 100);
    worst = std::max(worst, report(what, measure(frames, pan)));
    std::snprintf(what, sizeof what, "pan at %.0f %%, everything repainted", view.scale() * 100);
    worst = std::max(worst, report(what, measure(frames, [&](int i) {
                                     pan(i);
                                     view.viewport()->update();
                                   })));
  }
  view.fit();
  worst = std::max(worst, report("zoom in and out at the cursor", measure(frames, [&](int i) {
                                   view.zoomBy((i / 20) % 2 ? 1 / 1.15 : 1.15, QPointF(500, 400));
                                 })));
  view.fit();
  const auto nodes = std::uint32_t(panel.scene().graph()->nodes.size());
  worst =
      std::max(worst, report("hover from node to node", measure(frames, [&](int i) {
                               const auto node = std::uint32_t(i) * 37 % nodes;
                               selection.hover(panel.scene().graph()->nodes[node].subjects.front());
                             })));
  // Every node a kernel, then one kernel on, so that each changes its colour and its badge.
  const ShownSchedulePtr schedule = showSchedule(test::defaultFound(pipeline), "h200");
  ShownSchedule other = *schedule;
  std::ranges::rotate(other.places, other.places.begin() + 1);
  const auto otherSchedule = std::make_shared<const ShownSchedule>(other);
  worst = std::max(worst, report("another schedule on every node", measure(frames, [&](int i) {
                                   panel.showSchedule(i % 2 ? schedule : otherSchedule);
                                 })));
  for (const double scale : {0.0, 0.62, 1.0}) {
    if (scale > 0) view.zoomTo(scale);
    QCoreApplication::processEvents();
    char what[64];
    std::snprintf(what, sizeof what, "scheduled, pan at %.0f %%, all repainted",
                  view.scale() * 100);
    worst = std::max(worst, report(what, measure(frames, [&](int i) {
                                     pan(i);
                                     view.viewport()->update();
                                   })));
  }
  std::printf("worst of all %.2f ms\n", worst);
  return 0;
}
