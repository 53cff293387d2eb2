// SPDX-License-Identifier: GPL-3.0-or-later
// tessera: the explorer with its window.
#include "app/environment.h"
#include "engine/bench/program_version.h"
#include "engine/host/files.h"
#include "engine/host/layout.h"
#include "engine/open/open.h"
#include "views/tables/log_model.h"
#include "views/theme/theme.h"
#include "views/window/developer_options.h"
#include "views/window/main_window.h"
#include "views/window/translations.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <thread>

namespace {

using namespace tessera;

constexpr std::chrono::seconds kLayoutTimeout{15};

void addOptions(QCommandLineParser &parser) {
  parser.setApplicationDescription("Explore GPU schedules of Halide pipelines.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("file",
                               "A .hlpipe file, a generator program, library or source, a "
                               ".tessera document, "
                               "or the name of a sample.",
                               "[FILE]");
  parser.addOptions({
      {"generator", "The generator to run, if FILE has several.", "NAME"},
      {"param", "Set a generator's parameter; may be given several times.", "name=value"},
      {"estimate", "Override the estimate of an input or output; may be given several times.",
       "name=1536×2560"},
      {"size", "Open a sample at another size, such as paper-small or paper-large.", "NAME"},
      {"own-schedule", "Apply the generator's own schedule."},
  });
}

Result<open::OpenRequest> requestOf(const QCommandLineParser &parser, const QString &samples) {
  open::OpenRequest request;
  QFileInfo file(parser.positionalArguments().value(0));
  if (const QFileInfo sample(samples + "/" + file.filePath() + ".hlpipe");
      !file.exists() && sample.exists())
    file = sample;
  request.path = file.absoluteFilePath().toStdString();
  request.generator = parser.value("generator").toStdString();
  request.size = parser.value("size").toStdString();
  if (parser.isSet("own-schedule")) request.ownSchedule = open::OwnSchedule::Apply;
  for (const QString &text : parser.values("param")) {
    const qsizetype equals = text.indexOf('=');
    if (equals <= 0)
      return Error{
          ErrorCode::Usage, "--param needs name=value, not '" + text.toStdString() + "'.", {}};
    request.parameters.emplace_back(text.left(equals).toStdString(),
                                    text.mid(equals + 1).toStdString());
  }
  for (const QString &text : parser.values("estimate")) {
    auto estimate = open::parseEstimate(text.toStdString());
    if (!estimate) return estimate.error();
    request.estimates.push_back(std::move(*estimate));
  }
  return request;
}

views::WindowServices services(const host::ToolPaths &tools, const host::ToolSearch &search,
                               bool systemIsDark) {
  auto trust = std::make_shared<host::TrustStore>(host::trustFile(tools));
  auto opener = std::make_shared<open::PipelineOpener>(tools, trust);
  auto layout = std::make_shared<host::LayoutClient>(tools.layoutWorker, tools.record);
  views::WindowServices all;
  all.open = views::openService(opener, trust);
  all.schedule = views::scheduleService(tools);
  all.document = views::documentService(tools, opener, TESSERA_VERSION);
  all.kernels = views::kernelService(tools);
  all.kernels.version = TESSERA_VERSION;
  all.measure = views::measureService(tools);
  all.others = views::otherService(tools, opener);
  all.machines = views::machineService(tools);
  all.tools = views::toolService(search);
  all.graphviz = [layout](const host::GraphShape &shape, std::stop_token stop) {
    return layout->layout(shape, kLayoutTimeout, std::move(stop));
  };
  all.warmUp = [opener, layout] {
    opener->warmUp();
    layout->warmUp();
  };
  all.record = tools.record;
  all.sampleFolder = QString::fromStdString(tools.samples);
  all.versions = {
      {"Tessera", TESSERA_VERSION}, {"Qt", qVersion()}, {"Halide", TESSERA_HALIDE_VERSION}};
  all.systemIsDark = systemIsDark;
  return all;
}

// Logs the start of the program, with the facts that a bug report needs first.
void writeBegin(const host::ToolPaths &tools, const QSettings &settings) {
  constexpr record::Word kPlatforms[] = {"xcb", "wayland", "offscreen", "minimal", "vnc"};
  constexpr record::Word kAppearances[] = {"system", "light", "dark"};
  const auto appearance = std::size_t(settings.value("appearance").toInt());
  tools.record.write(
      record::Level::Info, "program began",
      {{"version", record::Version(bench::programVersion())},
       {"qt", record::Version(qVersion())},
       {"halide", record::Version(TESSERA_HALIDE_VERSION)},
       {"platform", record::oneOf(QGuiApplication::platformName().toStdString(), kPlatforms)},
       {"screens", QGuiApplication::screens().size()},
       {"processors", std::thread::hardware_concurrency()},
       {"appearance", kAppearances[std::min(appearance, std::size(kAppearances) - 1)]},
       {"reloads_by_itself", settings.value("autoReload").toBool()},
       {"has_compiler", !tools.compiler.empty()},
       {"has_sandbox", !tools.sandbox.empty()},
       {"has_ptxas", !tools.ptxas.empty()},
       {"has_disassembler", !tools.disassembler.empty()},
       {"has_ssh", !tools.ssh.empty()}});
}

int show(const QCommandLineParser &parser, const views::DeveloperOptions &developer,
         const open::OpenRequest &request, const host::ToolPaths &tools,
         const host::ToolSearch &search, QSettings &settings) {
  views::installTranslations(QString::fromStdString(tools.translations), QLocale::system());
  const bool systemIsDark = views::isDark(QApplication::palette());
  views::applyAppearance(views::Appearance(settings.value("appearance").toInt()), systemIsDark);

  views::MainWindow window(services(tools, search, systemIsDark), settings);
  for (const std::string &problem : search.folders->problems)
    window.log().add({views::LogLine::Kind::File,
                      views::Problem::Severity::Warning,
                      QString::fromStdString(problem),
                      {},
                      {},
                      {}});
  views::watch(window, developer);
  window.show();
  window.offerTour();
  const QString path = QString::fromStdString(request.path);
  if (path.endsWith(QLatin1String(document::kDocumentEnding.data())))
    window.openFile(path);
  else if (!parser.positionalArguments().isEmpty())
    window.openRequest(request);
  return QApplication::exec();
}

void nameTheProgram() {
  QApplication::setApplicationName("tessera");
  QApplication::setApplicationDisplayName("Tessera");
  QApplication::setApplicationVersion(TESSERA_VERSION);
  QApplication::setOrganizationName("tessera");
  QApplication::setDesktopFileName("tessera");
}

// The search for tools, with folders that are the user's own.
host::ToolSearch claimedSearch() {
  host::ToolSearch search = app::toolSearch();
  search.folders = host::claimFolders(search);
  for (const std::string &problem : search.folders->problems)
    std::fprintf(stderr, "tessera: %s\n", problem.c_str());
  host::sweepScratch(search.folders->cache);
  return search;
}

bool isOneOf(std::string_view argument, std::initializer_list<std::string_view> options) {
  return std::ranges::find(options, argument) != options.end();
}

// QApplication aborts where there is no display, so requests that need no window are answered
// before it is created. Returns the exit code if the program ends with the answer.
std::optional<int> answerWithoutWindow(int argc, char **argv) {
  bool asksForHelp = false, choosesPlatform = false;
  for (const std::string_view argument :
       std::span(argv, std::size_t(std::max(argc, 1))).subspan(1)) {
    asksForHelp |= isOneOf(argument, {"-h", "--help", "--help-all", "-v", "--version"});
    choosesPlatform |= isOneOf(argument, {"-platform", "--platform"});
  }
  if (asksForHelp) {
    QCoreApplication application(argc, argv);
    nameTheProgram();
    QCommandLineParser parser;
    addOptions(parser);
    views::addDeveloperOptions(parser);
    parser.parse(QCoreApplication::arguments()); // process() would refuse Qt's own options
    if (parser.isSet("version")) parser.showVersion();
    parser.showHelp();
  }
  if (choosesPlatform || app::hasDisplay()) return std::nullopt;
  std::fputs(
      "tessera: there is no display for the window (DISPLAY and WAYLAND_DISPLAY are empty).\n"
      "  tessera-cli does the same without one: tessera-cli --help\n",
      stderr);
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  if (const auto code = answerWithoutWindow(argc, argv)) return *code;
  std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error, as a full disk is
  QApplication application(argc, argv);
  nameTheProgram();

  QCommandLineParser parser;
  addOptions(parser);
  views::addDeveloperOptions(parser);
  parser.process(application);

  const views::DeveloperOptions developer = views::developerOptions(parser);
  const auto settings = developer.settings();
  const host::ToolSearch search = claimedSearch();
  host::ToolPaths tools =
      host::findTools(views::withChoices(search, views::toolChoices(*settings)));
  const auto request = requestOf(parser, QString::fromStdString(tools.samples));
  if (!request) {
    std::fprintf(stderr, "tessera: %s\n", request.error().message.c_str());
    return 2;
  }
  tools.record = record::Record::open({host::logFolder(tools), "tessera"});
  QElapsedTimer clock;
  clock.start();
  writeBegin(tools, *settings);
  const int code = show(parser, developer, *request, tools, search, *settings);
  tools.record.write(record::Level::Info, "program ended",
                     {{"exit_code", code}, {"ms", clock.elapsed()}});
  return code;
}
