// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduling without a screen, by a fake search and by the real one.
#include "../test_pipelines.h"
#include "views/flows/schedule_flow.h"
#include "engine/host/machines.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/support/build_paths.h"

#include <QElapsedTimer>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

#include <chrono>
#include <memory>
#include <semaphore>

using namespace tessera;
using namespace tessera::views;

namespace {

using Run = decltype(ScheduleService::run);
const QString kAuto = QStringLiteral("auto"), kMachine = QStringLiteral("h200");

ScheduleService serviceOf(Run run) {
  ScheduleService service = views::test::cannedScheduleService();
  service.run = std::move(run);
  return service;
}

} // namespace

class TestScheduleFlow : public QObject {
  Q_OBJECT
private slots:
  void placesAreThoseOfThePrediction();
  void aKernelKeepsItsColourWhileItLives();
  void numbersHaveThreeDigits();
  void showsTheBestWhileItRuns();
  void tellsTenTimesASecondAtMost();
  void stopKeepsTheBestSoFar();
  void anotherPipelineCancelsAndClears();
  void anotherStartReplacesTheSearch();
  void aSlowerScheduleIsNotShown();
  void numbersOfAnotherMachineGo();
  void saysWhyItWasRefused();
  void nothingStartsWithoutAPipeline();
  void draftsAreShownAtOnceAndTakenBack();
  void aDraftBecomesWhatIsShown();
  void realSearch();
  void costsOfTheAlgorithmComeWithItsEnd();
  void theTraceComesWithTheScheduleEvenIfItIsSlower();
};

void TestScheduleFlow::placesAreThoseOfThePrediction() {
  const ShownSchedulePtr shown =
      showSchedule(views::test::defaultFound(views::test::smallPipeline()), kMachine);
  // blur_x, blur_y and its update each have a kernel.
  const auto &kernels = shown->found.prediction.kernels;
  QCOMPARE(kernels.size(), std::size_t(3));
  for (std::uint32_t i = 0; i < 3; ++i) {
    const StagePlace place = shown->placeOf(Subject::stage(pipeline::StageId{i}));
    QCOMPARE(place.kernel, int(i) + 1);
    QVERIFY(place.ownsBlocks && !place.isInlined);
    QCOMPARE(place.seconds, kernels[i].time.seconds);
  }
  QCOMPARE(shown->placeOf(Subject::input(pipeline::InputId{0})), StagePlace());
  // If blur_x is inlined, it has no kernel of its own:
  FoundSchedule found = views::test::defaultFound(views::test::smallPipeline());
  schedule::FuncPlan plan = found.schedule.plan(pipeline::FuncId{0});
  plan.compute = schedule::Place::inlined();
  found.schedule.set(pipeline::FuncId{0}, std::move(plan));
  found.prediction = cost::predict(found.schedule, machine::Machine{});
  const ShownSchedulePtr inlined = showSchedule(std::move(found), kMachine);
  QVERIFY(inlined->places[0].isInlined);
  QCOMPARE(inlined->places[0].kernel, 0);
  QCOMPARE(inlined->places[1].kernel, 1);
  QVERIFY(inlined->summary().endsWith(" ms predicted on h200, 2 kernels"));
}

// With blur_x inlined, blur_y is the first launch instead of the second.
void TestScheduleFlow::aKernelKeepsItsColourWhileItLives() {
  ScheduleService service = serviceOf({});
  service.predict = [](const schedule::Schedule &schedule, const std::string &) {
    return Result<FoundSchedule>(
        FoundSchedule{schedule, cost::predict(schedule, machine::Machine{})});
  };
  Bridge bridge;
  ScheduleFlow flow(service, bridge);
  const auto pipeline = views::test::smallPipeline();
  flow.setPipeline(pipeline);
  const schedule::Schedule all = views::test::defaultFound(pipeline).schedule;
  schedule::Schedule inlined = all;
  schedule::FuncPlan plan = inlined.plan(pipeline::FuncId{0});
  plan.compute = schedule::Place::inlined();
  inlined.set(pipeline::FuncId{0}, std::move(plan));
  const auto colourOf = [&](std::uint32_t stage) {
    const Subject subject = Subject::stage(pipeline::StageId{stage});
    return flow.shown()->colourOf(flow.shown()->placeOf(subject).kernel);
  };
  const auto shows = [&](const schedule::Schedule &schedule) {
    flow.show(schedule, kMachine);
    return QTest::qWaitFor(
        [&] { return flow.shown() && flow.shown()->found.schedule == schedule; });
  };
  QVERIFY(shows(all));
  QCOMPARE(colourOf(1), 2);
  QCOMPARE(colourOf(2), 3);
  QVERIFY(shows(inlined));
  QCOMPARE(flow.shown()->placeOf(Subject::stage(pipeline::StageId{1})).kernel, 1);
  QCOMPARE(colourOf(1), 2);
  QCOMPARE(colourOf(2), 3);
  flow.show({}, kMachine);
  QVERIFY(!flow.shown());
  QVERIFY(shows(inlined)); // colours are kept although no schedule was shown
  QCOMPARE(colourOf(1), 2);
  QVERIFY(shows(all)); // its prediction is known from before
  QCOMPARE(colourOf(1), 2);
  flow.setPipeline(pipeline);
  QVERIFY(shows(inlined)); // a new pipeline counts colours from 1
  QCOMPARE(colourOf(1), 1);
}

void TestScheduleFlow::numbersHaveThreeDigits() {
  QLocale::setDefault(QLocale::c());
  QCOMPARE(threeDigits(0.04312), "0.0431");
  QCOMPARE(threeDigits(4.312), "4.31");
  QCOMPARE(threeDigits(43.12), "43.1");
  QCOMPARE(threeDigits(431.2), "431");
  QCOMPARE(threeDigits(0), "0.00");
}

void TestScheduleFlow::showsTheBestWhileItRuns() {
  const auto gate = std::make_shared<std::binary_semaphore>(0);
  Bridge bridge;
  ScheduleFlow flow(
      serviceOf([gate](const ScheduleRequest &request, std::stop_token stop,
                       const job::ProgressCallback &progress,
                       const ScheduleService::Found &better) -> Result<FoundSchedule> {
        progress({"grouping", 0.5});
        better(views::test::defaultFound(request.pipeline));
        while (!stop.stop_requested() && !gate->try_acquire_for(std::chrono::milliseconds(1))) {
        }
        FoundSchedule best = views::test::defaultFound(request.pipeline);
        best.prediction.seconds /= 2;
        return best;
      }),
      bridge);
  flow.setPipeline(views::test::smallPipeline());
  QVERIFY(!flow.isRunning());
  flow.start({kAuto, kMachine});
  QVERIFY(flow.isRunning() && !flow.shown());
  QTRY_VERIFY(flow.shown());
  QVERIFY(flow.isRunning());
  QTRY_COMPARE(bridge.running().at(0).progress.fraction, 0.5);
  QVERIFY(bridge.running().at(0).title.contains("small"));
  const ShownSchedulePtr first = flow.shown();
  gate->release();
  QTRY_VERIFY(!flow.isRunning());
  QCOMPARE(flow.shown()->found.prediction.seconds, first->found.prediction.seconds / 2);
}

void TestScheduleFlow::tellsTenTimesASecondAtMost() {
  Bridge bridge;
  ScheduleFlow flow(
      serviceOf([](const ScheduleRequest &request, std::stop_token, const job::ProgressCallback &,
                   const ScheduleService::Found &better) -> Result<FoundSchedule> {
        FoundSchedule found = views::test::defaultFound(request.pipeline);
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(450);
        while (std::chrono::steady_clock::now() < end) {
          found.prediction.seconds *= 0.999;
          better(found);
        }
        found.prediction.seconds = 1e-6;
        return found;
      }),
      bridge);
  flow.setPipeline(views::test::smallPipeline());
  QSignalSpy spy(&flow, &ScheduleFlow::shownChanged);
  QElapsedTimer clock;
  clock.start();
  flow.start({kAuto, kMachine});
  QTRY_VERIFY(!flow.isRunning());
  QVERIFY(spy.size() >= 2);
  QVERIFY2(spy.size() <= 2 + clock.elapsed() / ScheduleFlow::kSpacingMilliseconds,
           qPrintable(QString::number(spy.size())));
  // The last schedule is shown without delay.
  QCOMPARE(flow.shown()->found.prediction.seconds, 1e-6);
}

void TestScheduleFlow::stopKeepsTheBestSoFar() {
  Bridge bridge;
  ScheduleFlow flow(views::test::cannedScheduleService(), bridge);
  flow.setPipeline(views::test::smallPipeline("endless"));
  flow.start({kAuto, kMachine});
  QTRY_VERIFY(flow.shown());
  const ShownSchedulePtr best = flow.shown();
  QVERIFY(flow.isRunning());
  flow.stop();
  QVERIFY(!flow.isRunning()); // stop() takes effect at once
  QVERIFY(bridge.running().empty());
  QCOMPARE(flow.shown(), best);
  QVERIFY(!flow.error());
}

void TestScheduleFlow::anotherPipelineCancelsAndClears() {
  Bridge bridge;
  ScheduleFlow flow(views::test::cannedScheduleService(), bridge);
  flow.setPipeline(views::test::smallPipeline("endless"));
  flow.start({kAuto, kMachine});
  QTRY_VERIFY(flow.shown());
  QSignalSpy spy(&flow, &ScheduleFlow::shownChanged);
  flow.setPipeline(views::test::smallPipeline("other"));
  QVERIFY(!flow.isRunning());
  QVERIFY(!flow.shown());
  QCOMPARE(spy.size(), 1);
  QVERIFY(bridge.running().empty());
  flow.start({kAuto, kMachine}); // the stopped search no longer occupies the thread
  QTRY_VERIFY(!flow.isRunning());
  QCOMPARE(flow.shown()->found.schedule.base()->name(), std::string("other"));
}

void TestScheduleFlow::anotherStartReplacesTheSearch() {
  Bridge bridge;
  ScheduleFlow flow(views::test::cannedScheduleService(), bridge);
  flow.setPipeline(views::test::smallPipeline("endless"));
  flow.start({kAuto, "h200"});
  QTRY_VERIFY(flow.shown());
  flow.start({kAuto, "a100"});
  QVERIFY(flow.isRunning());
  QCOMPARE(bridge.running().size(), std::size_t(1));
  // Nobody sees numbers of the first machine from now on.
  QVERIFY(!flow.shown() || flow.shown()->machine == "a100");
  QTRY_VERIFY(flow.shown());
  QCOMPARE(flow.shown()->machine, "a100");
  flow.stop();
}

// A search that begins with a schedule of the user shows this schedule until it finds a faster one.
void TestScheduleFlow::aSlowerScheduleIsNotShown() {
  Bridge bridge;
  const auto gate = std::make_shared<std::binary_semaphore>(0);
  ScheduleFlow flow(
      serviceOf([gate](const ScheduleRequest &request, std::stop_token,
                       const job::ProgressCallback &,
                       const ScheduleService::Found &better) -> Result<FoundSchedule> {
        FoundSchedule found = views::test::defaultFound(request.pipeline);
        found.prediction.seconds *= 2;
        better(found);
        gate->acquire();
        return found;
      }),
      bridge);
  const pipeline::PipelinePtr pipeline = views::test::smallPipeline();
  flow.setPipeline(pipeline);
  const FoundSchedule mine = views::test::defaultFound(pipeline);
  flow.show(mine.schedule, kMachine);
  QTRY_VERIFY(flow.shown());
  std::vector<double> shown;
  connect(&flow, &ScheduleFlow::shownChanged, this,
          [&] { shown.push_back(flow.shown()->found.prediction.seconds); });
  std::vector<SearchResult> found;
  connect(&flow, &ScheduleFlow::found, this,
          [&](const SearchResult &result) { found.push_back(result); });
  flow.start({kAuto, kMachine, mine.schedule});
  gate->release();
  QTRY_COMPARE(found.size(), std::size_t(1));
  QCOMPARE(shown, std::vector<double>());
  QVERIFY(!found[0].isFaster() && !found[0].isStopped);
  QCOMPARE(found[0].before->found.prediction.seconds, mine.prediction.seconds);
  QCOMPARE(found[0].best->found.prediction.seconds, 2 * mine.prediction.seconds);
  QCOMPARE(flow.shown()->found.prediction.seconds, mine.prediction.seconds);
}

// The schedule is not legal on the other machine.
void TestScheduleFlow::numbersOfAnotherMachineGo() {
  ScheduleService service = views::test::cannedScheduleService();
  service.predict = [](const schedule::Schedule &schedule,
                       const std::string &machine) -> Result<FoundSchedule> {
    if (machine != "h200") return Error{ErrorCode::InputRefused, "too many threads", {}};
    return FoundSchedule{schedule, cost::predict(schedule, machine::Machine{})};
  };
  service.run = [](const ScheduleRequest &, std::stop_token, const job::ProgressCallback &,
                   const ScheduleService::Found &) -> Result<FoundSchedule> {
    return Error{ErrorCode::InputRefused, "blur_x cannot be scheduled", {}};
  };
  Bridge bridge;
  ScheduleFlow flow(service, bridge);
  const pipeline::PipelinePtr pipeline = views::test::smallPipeline();
  flow.setPipeline(pipeline);
  const schedule::Schedule mine = views::test::defaultFound(pipeline).schedule;
  QSignalSpy notShown(&flow, &ScheduleFlow::notShown);
  flow.show(mine, kMachine);
  QTRY_VERIFY(flow.shown());
  flow.show(mine, "a100");
  QTRY_COMPARE(notShown.size(), 1);
  QVERIFY(!flow.shown());
  QCOMPARE(flow.error()->message, std::string("too many threads"));
  flow.show(mine, kMachine); // back to the first machine
  QTRY_VERIFY(flow.shown());
  flow.start({kAuto, "a100", mine});
  QTRY_VERIFY(!flow.isRunning());
  QVERIFY(!flow.shown());
  QCOMPARE(flow.error()->message, std::string("blur_x cannot be scheduled"));
}

void TestScheduleFlow::saysWhyItWasRefused() {
  Bridge bridge;
  ScheduleFlow flow(views::test::cannedScheduleService(), bridge);
  flow.setPipeline(views::test::smallPipeline("refused"));
  QSignalSpy refused(&flow, &ScheduleFlow::refused);
  flow.start({kAuto, kMachine});
  QTRY_COMPARE(refused.size(), 1);
  QVERIFY(!flow.isRunning());
  QVERIFY(!flow.shown());
  QCOMPARE(flow.error()->message, std::string("blur_x cannot be scheduled"));
}

void TestScheduleFlow::draftsAreShownAtOnceAndTakenBack() {
  Bridge bridge;
  ScheduleFlow flow(views::test::cannedScheduleService(), bridge);
  const pipeline::PipelinePtr pipeline = views::test::smallPipeline();
  flow.setPipeline(pipeline);
  const FoundSchedule found = views::test::defaultFound(pipeline);
  flow.show(found.schedule, kMachine);
  QTRY_VERIFY(flow.shown());
  const ShownSchedulePtr before = flow.shown();
  const QSignalSpy changed(&flow, &ScheduleFlow::shownChanged);
  const ShownSchedulePtr draft = showSchedule(found, kMachine),
                         other = showSchedule(found, kMachine);
  flow.showDraft(draft);
  QVERIFY(flow.isDraft());
  QCOMPARE(flow.shown(), draft);
  flow.showDraft(other);
  flow.showDraft(other); // nothing new
  QCOMPARE(changed.count(), 2);
  flow.endDraft();
  QVERIFY(!flow.isDraft());
  QCOMPARE(flow.shown(), before);
  QCOMPARE(changed.count(), 3);
  flow.endDraft();
  QCOMPARE(changed.count(), 3);
  flow.showDraft(draft);
  flow.setPipeline(pipeline);
  QVERIFY(!flow.isDraft() && !flow.shown());
}

void TestScheduleFlow::aDraftBecomesWhatIsShown() {
  Bridge bridge;
  ScheduleFlow flow(views::test::cannedScheduleService(), bridge);
  const pipeline::PipelinePtr pipeline = views::test::smallPipeline();
  flow.setPipeline(pipeline);
  flow.show(views::test::defaultFound(pipeline).schedule, kMachine);
  QTRY_VERIFY(flow.shown());
  const ShownSchedulePtr before = flow.shown();
  FoundSchedule found = views::test::defaultFound(pipeline);
  schedule::FuncPlan plan = found.schedule.plan(pipeline::FuncId{0});
  plan.compute = schedule::Place::inlined();
  found.schedule.set(pipeline::FuncId{0}, std::move(plan));
  found.prediction = cost::predict(found.schedule, machine::Machine{});
  flow.showDraft(showSchedule(found, kMachine));
  const ShownSchedulePtr draft = flow.shown();
  QVERIFY(draft->found.schedule == found.schedule);
  // The kernel of the output keeps its colour, though it is the first one now.
  QCOMPARE(draft->kernels.size(), before->kernels.size() - 1);
  QCOMPARE(draft->kernels.back().owner, before->kernels.back().owner);
  QCOMPARE(draft->kernels.back().colour, before->kernels.back().colour);
  flow.show(found.schedule, kMachine); // the same decisions, so nothing has to be predicted
  QVERIFY(!flow.isDraft() && !flow.isPredicting());
  QCOMPARE(flow.shown(), draft);
  flow.endDraft();
  QCOMPARE(flow.shown(), draft);
}

void TestScheduleFlow::nothingStartsWithoutAPipeline() {
  Bridge bridge;
  ScheduleFlow flow(views::test::cannedScheduleService(), bridge);
  flow.start({kAuto, kMachine});
  QVERIFY(!flow.isRunning());
  QVERIFY(bridge.running().empty());
}

void TestScheduleFlow::realSearch() {
  host::ToolPaths tools;
  tools.machines = tessera::test::sourcePath("resources/machines");
  Bridge bridge;
  ScheduleFlow flow(scheduleService(tools), bridge);
  QCOMPARE(flow.service().machines.size(), std::size_t(16));
  QCOMPARE(flow.service().algorithms.front().name, std::string("auto"));
  flow.setPipeline(views::test::layeredPipeline(20, 3));
  flow.start({kAuto, QString::fromStdString(flow.service().defaultMachine)});
  QTRY_VERIFY_WITH_TIMEOUT(!flow.isRunning(), 60'000);
  QVERIFY2(flow.shown(), flow.error() ? flow.error()->message.c_str() : "");
  const auto machine = host::machineFor("h200", tools);
  QVERIFY(machine);
  const auto start = schedule::defaultSchedule(flow.shown()->found.schedule.base());
  QVERIFY(flow.shown()->found.prediction.seconds < cost::predict(start, *machine).seconds);
  flow.start({kAuto, "none such"});
  QTRY_VERIFY(flow.error());
  QVERIFY(flow.error()->message.find("none such") != std::string::npos);
}

// They stay when a decision is frozen, and go with another schedule.
void TestScheduleFlow::costsOfTheAlgorithmComeWithItsEnd() {
  host::ToolPaths tools;
  tools.machines = tessera::test::sourcePath("resources/machines");
  Bridge bridge;
  ScheduleFlow flow(scheduleService(tools), bridge);
  flow.setPipeline(views::test::layeredPipeline(6, 3));
  flow.start({QStringLiteral("autogpu"), kMachine});
  QTRY_VERIFY_WITH_TIMEOUT(!flow.isRunning(), 60'000);
  QVERIFY(flow.shown());
  const schedule::Schedule best = flow.shown()->found.schedule;
  const auto costs = [&] { return flow.shown() ? flow.shown()->found.costs.size() : 0; };
  QVERIFY(costs() > 0);
  const auto owner = flow.shown()->found.prediction.kernels.back().load.stage;
  const Subject stage = Subject::stage(owner);
  QVERIFY(flow.shown()->costOf(stage));
  QVERIFY(!flow.shown()->costOf(Subject::input(pipeline::InputId{0})));

  flow.show(schedule::defaultSchedule(best.base()), kMachine);
  QTRY_VERIFY(flow.shown() && flow.shown()->found.schedule != best);
  QCOMPARE(costs(), std::size_t(0));
  schedule::Schedule frozen = best;
  frozen.setMark({best.pipeline()->stage(owner).func, 0, schedule::DecisionKind::Compute, 0},
                 {schedule::Origin::User, true});
  flow.show(frozen, kMachine);
  QTRY_VERIFY(flow.shown()->found.schedule == best);
  QVERIFY(costs() > 0);
}

// A slower schedule is a candidate that is not shown until the user chooses it.
void TestScheduleFlow::theTraceComesWithTheScheduleEvenIfItIsSlower() {
  host::ToolPaths tools;
  tools.machines = tessera::test::sourcePath("resources/machines");
  Bridge bridge;
  ScheduleFlow flow(scheduleService(tools), bridge);
  const auto pipeline = views::test::layeredPipeline(6, 3);
  flow.setPipeline(pipeline);
  flow.start({kAuto, kMachine});
  QTRY_VERIFY_WITH_TIMEOUT(!flow.isRunning(), 60'000);
  QVERIFY(flow.shown()->found.trace && !flow.shown()->found.trace->rows.empty());
  QVERIFY(flow.shown()->frozenBySearch.empty()); // `auto` freezes nothing
  const ShownSchedulePtr best = flow.shown();

  std::vector<SearchResult> found;
  connect(&flow, &ScheduleFlow::found, this,
          [&](const SearchResult &result) { found.push_back(result); });
  flow.start({QStringLiteral("mullapudi-baseline"), kMachine, best->found.schedule});
  QTRY_COMPARE_WITH_TIMEOUT(found.size(), std::size_t(1), 60'000);
  QVERIFY(!found[0].isFaster());
  QVERIFY(flow.shown()->found.schedule == best->found.schedule);
  const auto trace = found[0].best->found.trace;
  QVERIFY(trace && trace != best->found.trace);
  flow.show(found[0].best->found.schedule, kMachine);
  QTRY_VERIFY(flow.shown()->found.schedule == found[0].best->found.schedule);
  QCOMPARE(flow.shown()->found.trace, trace);
}

QTEST_GUILESS_MAIN(TestScheduleFlow)
#include "tst_schedule_flow.moc"
