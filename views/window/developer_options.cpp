// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/developer_options.h"

#include "views/window/main_window.h"
#include "engine/pipeline/stage_names.h"
#include "views/code/code_panel.h"
#include "views/dag/dag_panel.h"

#include <QAction>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QKeyEvent>
#include <QPixmap>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTimer>

#include <cstdio>
#include <ctime>
#include <deque>
#include <functional>
#include <unistd.h>

namespace tessera::views {

namespace {

constexpr int kSettleMilliseconds = 600; // covers hover fades, scroll bars and a last repaint

// Milliseconds since this process was created, including dynamic linking.
double processAge() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  QFile stat(QStringLiteral("/proc/self/stat"));
  if (!stat.open(QIODevice::ReadOnly)) return -1;
  const QByteArray text = stat.readAll();
  const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
  const double started = fields.value(19).toDouble() / double(sysconf(_SC_CLK_TCK));
  return (double(now.tv_sec) + double(now.tv_nsec) * 1e-9 - started) * 1000;
}

class FirstPaint : public QObject {
public:
  using QObject::QObject;
  bool eventFilter(QObject *watched, QEvent *event) override {
    if (event->type() == QEvent::Paint && !m_seen) {
      m_seen = true;
      QTimer::singleShot(0, this, [] {
        std::printf("first window after %.0f ms\n", processAge());
        std::fflush(stdout);
      });
    }
    return QObject::eventFilter(watched, event);
  }

private:
  bool m_seen = false;
};

QSize sizeOf(const QString &text) {
  const QStringList parts = text.split('x');
  return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

// Raises the dock that the picture shows, and returns the widget to grab.
QWidget &raiseDock(MainWindow &window, const DeveloperOptions &options) {
  if (options.dock.isEmpty()) return window; // Qt would find any dock
  auto *dock = window.findChild<QDockWidget *>(options.dock);
  if (!dock) return window;
  dock->show();
  dock->raise();
  for (QTabWidget *tabs : dock->findChildren<QTabWidget *>())
    for (int tab = 0; tab < tabs->count(); ++tab)
      if (tabs->tabText(tab) == options.tab) tabs->setCurrentIndex(tab);
  if (!options.dockSize.isValid()) return window;
  dock->setFloating(true);
  dock->widget()->setFixedSize(options.dockSize);
  return *dock->widget();
}

void selectNamed(MainWindow &window, const QString &name) {
  const auto &document = window.flow().document();
  if (!document || name.isEmpty()) return;
  if (const auto stage = stageNamed(*document->opened.pipeline, name.toStdString()))
    window.selection().select(Subject::stage(*stage));
}

void act(MainWindow &window, const DeveloperOptions &options) {
  window.activateWindow();
  if (auto *action = window.findChild<QAction *>(options.act)) action->trigger();
  QWidget *focus = window.focusWidget();
  for (const QChar letter : options.type) {
    QKeyEvent press(QEvent::KeyPress, 0, {}, letter);
    if (focus) QCoreApplication::sendEvent(focus, &press);
  }
}

// Takes the picture once the window has settled: no job runs, and the DAG, if there is one, has its
// final layout.
void takeScreenshot(MainWindow &window, const DeveloperOptions &options) {
  auto *settle = new QTimer(&window);
  settle->setSingleShot(true);
  settle->setInterval(kSettleMilliseconds);
  // Each step runs when the jobs that the previous step started have ended.
  auto steps = std::make_shared<std::deque<std::function<void()>>>();
  auto pictured = std::make_shared<QWidget *>(&window);
  if (!options.before.isEmpty())
    steps->push_back([&window, options] {
      const auto &service = window.schedule().service();
      window.documents().search(options.before, QString::fromStdString(service.defaultMachine),
                                DocumentFlow::Around::Nothing);
    });
  if (options.schedule)
    steps->push_back(
        [&window] { window.findChild<QAction *>(QStringLiteral("schedule"))->trigger(); });
  if (!options.code.isEmpty())
    steps->push_back([&window, options] {
      for (int kind = 0; kind < kCodeKinds; ++kind)
        if (titleOf(CodeKind(kind)) == options.code) window.code().show(CodeKind(kind));
      window.findChild<QPushButton *>(QStringLiteral("codeCompile"))->click();
    });
  steps->push_back([&window, options, pictured] {
    selectNamed(window, options.select);
    for (const QString &name : options.trigger.split(',', Qt::SkipEmptyParts))
      if (auto *action = window.findChild<QAction *>(name)) action->trigger();
    *pictured = &raiseDock(window, options);
  });
  if (!options.act.isEmpty()) steps->push_back([&window, options] { act(window, options); });
  const auto consider = [&window, settle] {
    if (window.bridge().running().empty())
      settle->start();
    else
      settle->stop();
  };
  QObject::connect(&window.bridge(), &Bridge::runningChanged, settle, consider);
  QObject::connect(settle, &QTimer::timeout, &window, [&window, options, settle, steps, pictured] {
    if (window.flow().document() && !steps->empty()) {
      const auto step = steps->front();
      steps->pop_front();
      step();
      return settle->start();
    }
    const bool saved = (*pictured)->grab().save(options.screenshot);
    if (!saved)
      std::fprintf(stderr, "tessera: cannot write '%s'\n", qPrintable(options.screenshot));
    QCoreApplication::exit(saved ? 0 : 1);
  });
  settle->start();
}

} // namespace

std::unique_ptr<QSettings> DeveloperOptions::settings() const {
  if (screenshot.isEmpty()) return std::make_unique<QSettings>();
  auto settings = std::make_unique<QSettings>(
      QDir::temp().filePath(
          QStringLiteral("tessera-picture-%1.ini").arg(QCoreApplication::applicationPid())),
      QSettings::IniFormat);
  settings->clear();
  settings->setValue("tour/seen", true);
  if (appearance == QLatin1String("dark")) settings->setValue("appearance", 2);
  if (appearance == QLatin1String("light")) settings->setValue("appearance", 1);
  return settings;
}

void addDeveloperOptions(QCommandLineParser &parser) {
  QList<QCommandLineOption> options{{"screenshot", "", "OUT.png"},
                                    {"select", "", "STAGE"},
                                    {"appearance", "", "light|dark"},
                                    {"window-size", "", "WIDTHxHEIGHT"},
                                    {"schedule", ""},
                                    {"before", "", "ALGORITHM"},
                                    {"trigger", "", "ACTIONS"},
                                    {"dock", "", "NAME"},
                                    {"code", "", "TAB"},
                                    {"tab", "", "TITLE"},
                                    {"act", "", "ACTION"},
                                    {"type", "", "TEXT"},
                                    {"dock-size", "", "WIDTHxHEIGHT"},
                                    {"report-startup", ""}};
  for (QCommandLineOption &option : options) {
    option.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(option);
  }
}

DeveloperOptions developerOptions(const QCommandLineParser &parser) {
  DeveloperOptions options;
  options.screenshot = parser.value("screenshot");
  options.select = parser.value("select");
  options.appearance = parser.value("appearance");
  options.trigger = parser.value("trigger");
  options.dock = parser.value("dock");
  options.code = parser.value("code");
  options.tab = parser.value("tab");
  options.act = parser.value("act");
  options.type = parser.value("type");
  options.size = sizeOf(parser.value("window-size"));
  options.dockSize = sizeOf(parser.value("dock-size"));
  options.before = parser.value("before");
  options.schedule = parser.isSet("schedule");
  options.reportStartup = parser.isSet("report-startup");
  return options;
}

void watch(MainWindow &window, const DeveloperOptions &options) {
  if (options.size.isValid()) window.resize(options.size);
  if (options.reportStartup) window.installEventFilter(new FirstPaint(&window));
  if (!options.screenshot.isEmpty()) takeScreenshot(window, options);
}

} // namespace tessera::views
