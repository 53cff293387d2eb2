// SPDX-License-Identifier: GPL-3.0-or-later
// Pans and zooms through the DAG of a thousand stages: at rest, scheduled, and while a search finds
// one schedule after the other. Prints what a frame costs. A frame is what the user waits for:
// handling of the events and painting, until the window's image is whole. Frames are measured in
// CPU time. The time by the clock is printed too, but it only means something on an idle machine.
#include "../test_pipelines.h"
#include "frame_times.h"
#include "views/dag/dag_panel.h"
#include "views/flows/bridge.h"
#include "views/flows/schedule_flow.h"
#include "views/theme/theme.h"
#include "tests/support/build_paths.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <QScrollBar>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

using namespace tessera;
using namespace tessera::views;
using benchmark::cpuMilliseconds;
using benchmark::quantile;

namespace {

struct Frames {
  std::vector<double> milliseconds, byClock;
};

// A banded repaint has one frame per band. The next step waits until the image is whole.
Frames measureFrames(
    int frames, const std::function<void(int)> &step,
    const std::function<bool()> &isWhole = [] { return true; }) {
  Frames all;
  for (int i = 0; i < frames || !isWhole(); ++i) {
    QElapsedTimer clock;
    clock.start();
    const double before = cpuMilliseconds();
    if (isWhole()) step(i);
    QCoreApplication::sendPostedEvents(); // delivers the update requests
    QCoreApplication::processEvents();
    all.milliseconds.push_back(cpuMilliseconds() - before);
    all.byClock.push_back(double(clock.nsecsElapsed()) * 1e-6);
  }
  return all;
}

double printReport(const char *what, Frames frames) {
  const double worst = quantile(frames.milliseconds, 1);
  std::printf("%-44s %4zu frames  median %6.2f ms  99 %% %6.2f ms  worst %6.2f ms  (%.2f, %.2f)\n",
              what, frames.milliseconds.size(), quantile(frames.milliseconds, 0.5),
              quantile(frames.milliseconds, 0.99), worst, quantile(frames.byClock, 0.5),
              quantile(frames.byClock, 1));
  std::fflush(stdout);
  return worst;
}

// Measures changes that repaint the whole view. A change lasts until nothing is repainted any more.
// Its time is that of its longest frame, including drafts and bands.
Frames measureChanges(int times, const std::function<void(int)> &step) {
  constexpr int kRestMilliseconds = 220; // longer than the delay of a draft
  Frames all;
  for (int i = 0; i < times; ++i) {
    double longest = 0, longestByClock = 0;
    QElapsedTimer rest;
    rest.start();
    for (bool isFirst = true; rest.elapsed() < kRestMilliseconds; isFirst = false) {
      const Frames frame = measureFrames(1, [&](int) {
        if (isFirst) step(i);
      });
      longest = std::max(longest, frame.milliseconds.front());
      longestByClock = std::max(longestByClock, frame.byClock.front());
    }
    all.milliseconds.push_back(longest);
    all.byClock.push_back(longestByClock);
  }
  return all;
}

} // namespace

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  applyAppearance(Appearance::Light, false);
  const bool brief = QApplication::arguments().contains("--brief");
  const int frames = brief ? 30 : 200;
  const int changes = brief ? 4 : 30;

  Bridge bridge;
  Selection selection;
  DagPanel panel(selection, bridge, {});
  panel.resize(1600, 1000);
  const pipeline::PipelinePtr pipeline = views::test::layeredPipeline(1000, 1);
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
  // A jump repaints everything and is measured by itself, so it is not part of the pan that
  // follows.
  const auto jumpTo = [&](double scale) {
    view.fit();
    if (scale > 0) view.zoomTo(scale);
    view.viewport()->repaint();
    QCoreApplication::processEvents();
  };
  for (const double scale : {0.0, 0.25, 0.4, 0.62, 1.0}) {
    jumpTo(scale);
    char what[64];
    std::snprintf(what, sizeof what, "pan at %.0f %%", view.scale() * 100);
    worst = std::max(worst, printReport(what, measureFrames(frames, pan)));
    std::snprintf(what, sizeof what, "pan at %.0f %%, everything repainted", view.scale() * 100);
    worst = std::max(worst, printReport(what, measureFrames(frames, [&](int i) {
                                          pan(i);
                                          view.viewport()->update();
                                        })));
  }
  view.fit();
  worst = std::max(worst,
                   printReport("zoom in and out at the cursor", measureFrames(frames, [&](int i) {
                                 view.zoomBy((i / 20) % 2 ? 1 / 1.15 : 1.15, QPointF(500, 400));
                               })));
  view.fit();
  const auto nodes = std::uint32_t(panel.scene().graph()->nodes.size());
  worst = std::max(worst, printReport("hover from node to node", measureFrames(frames, [&](int i) {
                                        const auto node = std::uint32_t(i) * 37 % nodes;
                                        selection.hover(
                                            panel.scene().graph()->nodes[node].subjects.front());
                                      })));
  // Every node is a kernel. The other schedule shifts the kernels by one, so that each node gets
  // another colour and another badge.
  const ShownSchedulePtr schedule = showSchedule(views::test::defaultFound(pipeline), "h200");
  ShownSchedule other = *schedule;
  std::ranges::rotate(other.places, other.places.begin() + 1);
  const auto otherSchedule = std::make_shared<const ShownSchedule>(other);
  worst = std::max(
      worst,
      printReport("another schedule on every node",
                  measureFrames(
                      frames, [&](int i) { panel.showSchedule(i % 2 ? schedule : otherSchedule); },
                      [&] { return !view.isRepainting(); })));
  while (!panel.isDrawn())
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  const auto panAndZoom = [&](const char *state) {
    for (const double scale : {0.0, 0.4, 0.62, 1.0, 1.3}) {
      jumpTo(scale);
      char what[64];
      std::snprintf(what, sizeof what, "%s, pan at %.0f %%", state, view.scale() * 100);
      worst = std::max(worst, printReport(what, measureFrames(frames, pan)));
      std::snprintf(what, sizeof what, "%s, pan at %.0f %%, all repainted", state,
                    view.scale() * 100);
      worst = std::max(worst, printReport(what, measureFrames(frames, [&](int i) {
                                            pan(i);
                                            view.viewport()->update();
                                          })));
    }
    view.fit();
    char what[64];
    std::snprintf(what, sizeof what, "%s, zoom in and out", state);
    worst = std::max(worst, printReport(what, measureFrames(frames, [&](int i) {
                                          view.zoomBy((i / 20) % 2 ? 1 / 1.15 : 1.15,
                                                      QPointF(500, 400));
                                        })));
  };
  const auto changeEverything = [&](const char *state) {
    const auto told = [&](const char *what, const std::function<void(int)> &step) {
      char title[64];
      std::snprintf(title, sizeof title, "%s, %s", state, what);
      worst = std::max(worst, printReport(title, measureChanges(changes, step)));
    };
    told("from all to 100 % and back", [&](int i) { i % 2 ? view.fit() : view.zoomTo(1); });
    for (const double scale : {0.0, 0.62, 1.0}) {
      jumpTo(scale);
      char title[48];
      std::snprintf(title, sizeof title, "a few quick steps at %.0f %%", view.scale() * 100);
      told(title, [&](int i) {
        for (const double factor : {1.1, 1.1, 1 / 1.1})
          view.zoomBy(i % 2 ? 1 / factor : factor);
      });
    }
    for (const double scale : {0.0, 0.62, 1.0}) {
      jumpTo(scale);
      char title[48];
      std::snprintf(title, sizeof title, "light and dark at %.0f %%", view.scale() * 100);
      told(title,
           [](int i) { applyAppearance(i % 2 ? Appearance::Light : Appearance::Dark, false); });
    }
    applyAppearance(Appearance::Light, false);
  };
  panAndZoom("scheduled");
  changeEverything("scheduled");

  host::ToolPaths tools;
  tools.machines = tessera::test::sourcePath("resources/machines");
  ScheduleFlow flow(scheduleService(tools), bridge);
  int shown = 0;
  QObject::connect(&flow, &ScheduleFlow::shownChanged, &panel, [&] {
    shown += flow.shown() != nullptr;
    panel.showSchedule(flow.shown(), DagPanel::Stage::Provisional);
  });
  flow.setPipeline(pipeline);
  flow.start({QStringLiteral("auto"), QStringLiteral("h200")});
  while (flow.isRunning() && shown == 0)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  panAndZoom("searching");
  changeEverything("searching");
  std::printf("the search %s; %d schedules were shown\n", flow.isRunning() ? "still runs" : "ended",
              shown);
  flow.stop();
  std::printf("worst of all %.2f ms\n", worst);
  return 0;
}
