// SPDX-License-Identifier: GPL-3.0-or-later
// chart_pictures FOLDER: draws every chart of the explorer, in light and in dark, to be looked at.
// QT_SCALE_FACTOR=2 draws them as on a display of twice the resolution.
#include "../test_pipelines.h"
#include "engine/cost/roofline/roofline_work.h"
#include "views/candidates/search_curve.h"
#include "views/candidates/time_scatter.h"
#include "views/measurements/timeline_view.h"
#include "views/occupancy/curve_chart.h"
#include "views/roofline/roofline_view.h"

#include <QApplication>
#include <QDir>
#include <QKeyEvent>

#include <cstdio>

using namespace tessera;
using namespace tessera::views;

namespace {

class Pictures {
public:
  explicit Pictures(QDir folder) : m_folder(std::move(folder)) {}

  void takeAll() {
    takeScatter();
    takeCurve();
    takeOccupancy();
    takeTimeline();
    takeRoofline();
  }

private:
  void save(QWidget &chart, const QString &name, QSize size) {
    for (const auto appearance : {Appearance::Light, Appearance::Dark}) {
      applyAppearance(appearance, false);
      chart.resize(size);
      chart.show();
      QApplication::processEvents();
      const bool isDark = appearance == Appearance::Dark;
      const QString file = m_folder.filePath(name + (isDark ? "-dark.png" : "-light.png"));
      if (!chart.grab().save(file)) std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
    }
    chart.hide();
  }

  void takeScatter() {
    TimeScatter scatter;
    scatter.setPoints({{1, "auto 1", 31e-6, 42e-6, true},
                       {2, "manual", 58e-6, 61e-6},
                       {3, "Mullapudi2016", 410e-6, 780e-6, false, true},
                       {4, "Anderson2021", 96e-6, 71e-6, false, false, true},
                       {5, "default", 2.6e-3, 3.9e-3},
                       {6, "auto 2, with a rather long name", 3.1e-3, 2.2e-3}});
    save(scatter, "scatter", {340, 260});
    save(scatter, "scatter_small", {180, 120});
    QKeyEvent right(QEvent::KeyPress, Qt::Key_Right, Qt::NoModifier);
    for (int i = 0; i < 6; ++i)
      QApplication::sendEvent(&scatter, &right);
    save(scatter, "scatter_marked", {620, 380});
  }

  void takeCurve() {
    SearchCurve curve;
    double milliseconds = 8;
    for (int i = 0; i < 24; ++i, milliseconds *= 0.86)
      curve.add({i * i * 0.004, milliseconds});
    save(curve, "curve", {640, 84});
  }

  void takeOccupancy() {
    const machine::Machine machine;
    const machine::BlockUse actual{256, 40, 8192};
    for (int number = 0; number < kBlockNumbers; ++number) {
      CurveChart chart{BlockNumber(number)};
      const QString name = QString("occupancy%1").arg(number);
      chart.show(machine, actual, actual);
      save(chart, name, {320, 240});
      chart.show(machine, actual, with(actual, BlockNumber(number), number == 1 ? 96 : 768));
      save(chart, name + "_asked", {200, 170});
    }
  }

  void takeTimeline() {
    auto profile = std::make_shared<measure::RunProfile>();
    profile->isTimed = true;
    for (int i = 0; i < 9; ++i)
      profile->kernels.push_back(
          {"kernel_" + std::to_string(i), {}, 1, (i % 4 + 0.2) * 7e-6, 0, (i * 37 % 100) << 20});
    profile->gapSeconds = 20e-6;
    profile->allocationSeconds = 14e-6;
    profile->peakBytes = 99 << 20;
    Selection selection;
    TimelineView timeline(selection);
    std::vector<std::vector<Subject>> each; // one for each kernel
    for (std::uint32_t i = 0; i < profile->kernels.size(); ++i)
      each.push_back({Subject::stage(pipeline::StageId{i})});
    selection.select(Subject::stage(pipeline::StageId{3}));
    timeline.show(profile, each);
    save(timeline, "timeline", {640, 190});
    save(timeline, "timeline_small", {240, 100});
    profile = std::make_shared<measure::RunProfile>(*profile);
    profile->isTimed = false;
    profile->peakBytes = 0;
    timeline.show(profile, each);
    save(timeline, "timeline_untimed", {640, 170});
  }

  void takeRoofline() {
    Selection selection;
    Bridge bridge(1);
    ShownKernels kernels(test::cannedKernelService(), bridge, selection);
    FoundSchedule found = test::defaultFound(test::layeredPipeline(14, 3));
    const auto rooflineOf = [](const FoundSchedule &of) {
      const machine::Machine machine;
      return std::make_shared<const cost::Roofline>(
          cost::rooflineOf(of.prediction, of.schedule, machine, cost::ceilingsOf(machine)));
    };
    const auto now = rooflineOf(found);
    kernels.setSchedule(showSchedule(found, "h200"), ShownKernels::Stage::Settled);
    while (!kernels.schedule())
      QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    int i = 0;
    for (cost::Prediction::Kernel &kernel : found.prediction.kernels)
      kernel.time.seconds *= 1.3 + (i++ % 5) * 0.4;
    found.prediction.seconds *= 1.9;
    RooflineView roofline(kernels);
    roofline.show({{now, "now"}});
    save(roofline, "roofline", {560, 380});
    roofline.show({{now, "now"}, {rooflineOf(found), "before"}});
    selection.select(kernels.subjects(1).front());
    save(roofline, "roofline_compared", {760, 460});
    save(roofline, "roofline_small", {260, 200});
  }

  QDir m_folder;
};

} // namespace

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  if (argc != 2 || !QDir().mkpath(argv[1])) {
    std::fprintf(stderr, "usage: chart_pictures FOLDER\n");
    return 2;
  }
  Pictures(QDir(argv[1])).takeAll();
  return 0;
}
