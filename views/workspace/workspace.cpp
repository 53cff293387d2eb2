// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workspace/workspace.h"

#include <QFileInfo>
#include <QSettings>

#include <utility>

namespace tessera::views {

namespace {
// Enough for an open, a layout, a plain layout, a search, a measurement and two compilations at the
// same time.
constexpr int kThreads = 7;
const QString kAutoReload = QStringLiteral("autoReload");
const QString kMachine = QStringLiteral("schedule/machine");
} // namespace

Workspace::Workspace(WorkspaceServices services, QSettings &settings, QObject *parent)
    : QObject(parent), m_services(std::move(services)), m_settings(settings), m_saver(settings),
      m_bridge(kThreads), m_opening(m_services.open, m_bridge),
      m_schedule(m_services.schedule, m_bridge),
      m_documents(m_services.document, m_schedule, m_bridge),
      m_predictions(m_schedule, m_documents, m_bridge), m_pinned(m_schedule, m_documents, m_bridge),
      m_kernels(m_services.kernels, m_bridge, m_selection),
      m_machines(m_services.machines, m_bridge), m_hosts(m_services.measure, m_bridge, settings),
      m_compile(CompileFlow::Of::Shown, m_services.kernels, m_bridge, m_kernels, m_ladder,
                m_compiled),
      m_compileCompared(CompileFlow::Of::Compared, m_services.kernels, m_bridge, m_kernels,
                        m_ladder, m_compiled),
      m_measure(m_services.measure, m_bridge, m_documents, m_schedule, m_hosts, m_ladder),
      m_abilities(m_services.tools, toolChoices(settings), m_bridge, m_measure, m_ladder),
      m_others(m_services.others, m_bridge, m_documents, m_schedule), m_logWriter(m_log),
      m_recent(settings) {
  m_bridge.setRecord(m_services.record);
  writeLog(); // connected first, so that a cause is logged before its effects
  connectOpening();
  connectSchedule();
  connectMachines();
}

Workspace::~Workspace() {
  // A job that ends while the flows are being destroyed must not deliver to any of them.
  m_bridge.cancelAll();
}

void Workspace::writeLog() {
  m_logWriter.follow(m_opening);
  m_logWriter.follow(m_documents);
  m_logWriter.follow(m_schedule, m_documents);
  m_logWriter.follow(m_compile);
  m_logWriter.follow(m_compileCompared);
  m_logWriter.follow(m_measure, m_documents);
  m_logWriter.follow(m_others);
  m_logWriter.follow(m_hosts);
  m_logWriter.follow(m_ladder);
}

void Workspace::connectOpening() {
  connect(&m_opening, &OpenFlow::opened, this,
          [this](const OpenFlow::DocumentPtr &opened) { begin(opened, nullptr); });
  connect(&m_documents, &DocumentFlow::loaded, this, [this](const LoadedDocumentPtr &loaded) {
    const auto opened = std::make_shared<const OpenFlow::OpenedFile>(
        OpenFlow::OpenedFile{loaded->document.source().request, loaded->opened});
    begin(opened, loaded);
    m_opening.adopt(opened);
  });
  connect(&m_opening, &OpenFlow::stateChanged, this, &Workspace::showOpenError);
  connect(&m_opening, &OpenFlow::changedOnDisk, this, [this] {
    m_documents.forgetSizes(); // the history of sizes belongs to the previous content of the file
    if (reloadsByItself()) m_opening.reload();
  });
  connect(&m_documents, &DocumentFlow::saved, &m_recent, &RecentFiles::add);
}

void Workspace::connectSchedule() {
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, [this] {
    m_kernels.setSchedule(m_schedule.shown(), m_schedule.isRunning() || m_schedule.isDraft()
                                                  ? ShownKernels::Stage::Provisional
                                                  : ShownKernels::Stage::Settled);
  });
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, [this] {
    if (!m_schedule.isRunning()) m_kernels.settle();
  });
  connect(&m_pinned, &PinnedSchedules::changed, &m_kernels, &ShownKernels::setPinned);
  connect(&m_measure, &MeasureFlow::changed, this, &Workspace::findMeasured);
}

void Workspace::connectMachines() {
  connect(&m_machines, &MachineFlow::changed, this, [this](const QString &name) {
    m_schedule.forgetMachine(name);
    m_kernels.forgetMachine(name);
    m_predictions.forgetMachine(name);
    m_pinned.forgetMachine(name);
    const bool isSearchedFor = m_schedule.wish().machine == name;
    chooseMachine(name);
    if (isSearchedFor) m_documents.restartSearch(); // its predictions are outdated
  });
  connect(&m_machines, &MachineFlow::discarded, this,
          [this](const QString &, const QString &original) { chooseMachine(original); });
}

void Workspace::start() {
  warmUp();
  m_machines.load();
  m_documents.lookForRecoverable();
}

void Workspace::warmUp() {
  if (!m_services.warmUp) return;
  m_bridge.run<Done>(
      QStringLiteral("warmUp"), {},
      [warmUp = m_services.warmUp](const job::JobContext &) -> Status { return warmUp(), Done{}; },
      this,
      [this](const Status &) {
        m_log.add({LogLine::Kind::Worker,
                   {},
                   tr("Workers were started before the first file was opened"),
                   {},
                   {},
                   {}});
      });
}

void Workspace::open(const QString &path) {
  const QString file = QFileInfo(path).absoluteFilePath();
  path.endsWith(QLatin1String(document::kDocumentEnding.data())) ? m_documents.openFile(file)
                                                                 : m_opening.open(file);
}

bool Workspace::isOpen(const QString &path) const {
  const auto &document = m_opening.document();
  return document &&
         (m_documents.path() == path || QString::fromStdString(document->request.path) == path);
}

std::optional<open::OpenRequest> Workspace::fittingRequest() const {
  const auto &document = m_opening.document();
  if (!document) return std::nullopt;
  const auto fitting = open::fittingEstimates(*document->opened.pipeline);
  if (fitting.empty()) return std::nullopt;
  open::OpenRequest request = document->request;
  for (const open::EstimateOverride &estimate : fitting)
    open::setEstimate(request, estimate);
  return request;
}

// The search ends while the previous document is still open, because the best schedule that it
// found belongs to that document.
void Workspace::begin(const OpenFlow::DocumentPtr &opened, LoadedDocumentPtr loaded) {
  m_selection.reset();
  const pipeline::PipelinePtr pipeline = opened ? opened->opened.pipeline : nullptr;
  m_schedule.setPipeline(pipeline);
  for (CompileFlow *flow : {&m_compile, &m_compileCompared})
    flow->setFile(opened ? std::optional(opened->opened.file) : std::nullopt);
  m_problems.setPipeline(pipeline);
  m_documents.setOpened(opened, std::move(loaded));
  if (opened)
    m_recent.add(m_documents.path().isEmpty() ? QString::fromStdString(opened->request.path)
                                              : m_documents.path());
}

void Workspace::showOpenError() {
  const OpenFlow::State state = m_opening.state();
  const bool failed = state != OpenFlow::State::Idle && state != OpenFlow::State::Working &&
                      state != OpenFlow::State::AskTrust;
  m_problems.setError(QFileInfo(QString::fromStdString(m_opening.request().path)).fileName(),
                      failed ? m_opening.error() : std::nullopt);
}

// Passes the candidates with valid measurements to the kernel panels.
void Workspace::findMeasured() {
  std::vector<document::CandidatePtr> measured;
  if (m_documents.hasDocument())
    for (const document::CandidatePtr &one : m_documents.document().candidates())
      if (m_documents.document().isMeasured(*one)) measured.push_back(one);
  m_kernels.setMeasured(std::move(measured));
}

void Workspace::chooseMachine(const QString &name) {
  emit machineChosen(name);
  m_settings.setValue(kMachine, name);
  m_documents.retarget(name);
}

void Workspace::chooseHost(const QString &host) {
  m_hosts.choose(host);
  if (!m_measure.hasGpu()) m_hosts.test(host); // choosing a host also shows which GPU it has
}

bool Workspace::reloadsByItself() const { return m_settings.value(kAutoReload).toBool(); }

void Workspace::reloadByItself() {
  m_settings.setValue(kAutoReload, true);
  m_opening.reload();
}

} // namespace tessera::views
