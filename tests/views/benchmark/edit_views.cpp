// SPDX-License-Identifier: GPL-3.0-or-later
// Opens samples in the window with the real workers, schedules them, and edits one decision after
// the other; every second edit is undone. Prints the time until the DAG is drawn, and until the
// views show an edit, with the window's default docks and with all docks open beside one another.
// The time is by the clock, from the edit until the predicted schedule is shown and everything is
// painted, and by the CPU time of the window's own thread.
#include "../real_services.h"
#include "frame_times.h"
#include "engine/document/choices.h"
#include "engine/host/machines.h"
#include "views/dag/dag_panel.h"
#include "views/theme/theme.h"
#include "tests/support/build_paths.h"

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using namespace tessera;
using namespace tessera::views;
using benchmark::cpuMilliseconds;
using benchmark::quantile;
using benchmark::waitUntil;

namespace {

constexpr const char *kMachine = "h200";
constexpr std::uint32_t kSeed = 1;

class Session {
public:
  explicit Session(const QString &sample);

  void showAllDocks();
  void edit(int edits, const char *layout);

private:
  bool isIdle() { return m_window.bridge().running().empty(); }
  bool isShown() {
    const ShownSchedulePtr &shown = m_window.schedule().shown();
    return shown && shown->found.schedule == *m_window.documents().document().current();
  }
  // Handles all pending events and paints.
  void settle() {
    waitUntil([&] { return isShown(); });
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
  }
  std::vector<document::Choice> choicesOfAny();
  void measure(const std::function<void()> &edit);

  QTemporaryDir m_folder;
  QSettings m_settings{m_folder.filePath("s.ini"), QSettings::IniFormat};
  MainWindow m_window{views::test::realServices(m_folder.path()), m_settings};
  machine::Machine m_machine;
  std::mt19937 m_random{kSeed};
  std::vector<double> m_byClock, m_ofThread;
};

Session::Session(const QString &sample) {
  m_window.resize(1600, 1000);
  m_window.show();
  QElapsedTimer clock;
  clock.start();
  m_window.openFile(views::test::kSamples + "/" + sample + ".hlpipe");
  waitUntil([&] {
    return m_window.flow().state() != OpenFlow::State::Working &&
           m_window.documents().hasDocument() && m_window.dag().isVisible() &&
           m_window.dag().isLaidOut();
  });
  QCoreApplication::processEvents();
  std::printf("%s: %.0f ms to its DAG, workers started\n", qPrintable(sample),
              double(clock.nsecsElapsed()) * 1e-6);
  waitUntil([&] { return isIdle(); });
  host::ToolPaths tools;
  tools.machines = tessera::test::sourcePath("resources/machines");
  if (auto found = host::machineFor(kMachine, tools)) m_machine = *found;
  m_window.documents().search("auto", kMachine, DocumentFlow::Around::Nothing);
  waitUntil([&] { return isIdle() && !m_window.schedule().isRunning() && isShown(); });
}

void Session::showAllDocks() {
  for (QDockWidget *dock : m_window.findChildren<QDockWidget *>()) {
    dock->setFloating(true);
    dock->resize(760, 460);
    dock->show();
  }
}

// The legal choices of a random stage that has at least one.
std::vector<document::Choice> Session::choicesOfAny() {
  const schedule::Schedule current = *m_window.documents().document().current();
  std::vector<document::Choice> all;
  while (all.empty()) {
    const auto stages = std::uint32_t(current.pipeline()->stages().size());
    document::choicesFor(
        current, pipeline::StageId{std::uint32_t(m_random() % stages)}, m_machine, {},
        [&](document::Choices more) { std::ranges::move(more, std::back_inserter(all)); });
  }
  return all;
}

void Session::measure(const std::function<void()> &edit) {
  QElapsedTimer clock;
  clock.start();
  const double before = cpuMilliseconds();
  edit();
  settle();
  m_byClock.push_back(double(clock.nsecsElapsed()) * 1e-6);
  m_ofThread.push_back(cpuMilliseconds() - before);
  // Hulls and bands are drawn after the measured time. The next edit waits until they are done.
  waitUntil([&] { return isIdle() && m_window.dag().isDrawn(); });
}

void Session::edit(int edits, const char *layout) {
  waitUntil([&] { return isIdle() && m_window.dag().isDrawn(); });
  settle();
  m_byClock.clear();
  m_ofThread.clear();
  for (int i = 0; i < edits; ++i) {
    const std::vector<document::Choice> choices = choicesOfAny();
    const document::Choice choice = choices[m_random() % choices.size()];
    measure([&] { m_window.documents().choose(choice); });
    if (i % 2) m_window.documents().undo();
    settle();
  }
  std::printf("  an edit, %-16s median %5.1f ms, 99 %% %5.1f, worst %5.1f"
              "  (the window's thread %5.1f, %5.1f, %5.1f)\n",
              layout, quantile(m_byClock, 0.5), quantile(m_byClock, 0.99), quantile(m_byClock, 1),
              quantile(m_ofThread, 0.5), quantile(m_ofThread, 0.99), quantile(m_ofThread, 1));
}

} // namespace

// bench_edit_views [--edits N] SAMPLE…
int main(int argc, char **argv) {
  QApplication application(argc, argv);
  applyAppearance(Appearance::Light, false);
  QStringList samples = QApplication::arguments().mid(1);
  int edits = 100;
  if (samples.value(0) == "--edits") {
    edits = std::max(1, samples.value(1).toInt());
    samples = samples.mid(2);
  }
  for (const QString &sample : samples) {
    Session session(sample);
    session.edit(edits, "docks as at first");
    session.showAllDocks();
    session.edit(edits, "all docks");
  }
  return samples.isEmpty() ? 2 : 0;
}
