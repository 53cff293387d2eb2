// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/open_flow.h"

#include <QFileInfo>

#include <utility>

namespace tessera::views {

using open::OpenRequest;
using open::SourceKind;

namespace {

const QString kOpenTag = QStringLiteral("open");
constexpr int kSettleMilliseconds = 250;

bool hasChoice(const std::vector<open::Generator> &generators) {
  return generators.size() > 1 || (generators.size() == 1 && !generators[0].parameters.empty());
}

QString fileName(const OpenRequest &request) {
  return QFileInfo(QString::fromStdString(request.path)).fileName();
}

} // namespace

OpenFlow::OpenFlow(OpenService service, Bridge &bridge, QObject *parent)
    : QObject(parent), m_service(std::move(service)), m_bridge(bridge) {
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMilliseconds);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_settle, qOverload<>(&QTimer::start));
  connect(&m_settle, &QTimer::timeout, this, [this] {
    watch(); // a replaced file has a new inode, so it has to be watched again
    if (m_document && QFileInfo::exists(QString::fromStdString(m_document->request.path)))
      emit changedOnDisk();
  });
}

void OpenFlow::open(const QString &path) {
  OpenRequest request;
  request.path = QFileInfo(path).absoluteFilePath().toStdString();
  open(request);
}

void OpenFlow::open(const OpenRequest &request) {
  m_request = request;
  m_error.reset();
  m_code.clear();
  m_kind.reset();
  m_generators.clear();
  again();
}

void OpenFlow::again() { m_request.generator.empty() ? ask() : proceed(); }

void OpenFlow::adopt(DocumentPtr document) {
  m_bridge.cancelTag(kOpenTag);
  m_error.reset();
  m_request = document->request;
  m_document = std::move(document);
  watch();
  emit documentChanged();
  setState(State::Idle);
}

void OpenFlow::reload() {
  if (m_document) open(OpenRequest(m_document->request));
}

void OpenFlow::changeChoices() {
  if (!m_document || m_document->opened.generators.empty()) return;
  // The types of inputs were given, even if the generator lists no parameters.
  if (!hasChoice(m_document->opened.generators) && m_document->request.parameters.empty()) return;
  m_request = m_document->request;
  m_generators = m_document->opened.generators;
  m_error.reset();
  setState(State::AskGenerator);
}

bool OpenFlow::canChangeBuild() const {
  return m_document && (m_document->opened.kind == SourceKind::GeneratorSource ||
                        !m_document->opened.file.functions.functions.empty());
}

void OpenFlow::changeBuild() {
  if (!canChangeBuild()) return;
  m_request = m_document->request;
  m_error.reset();
  setState(State::AskBuild);
}

void OpenFlow::close() {
  m_bridge.cancelTag(kOpenTag);
  m_document.reset();
  watch();
  emit opened(nullptr);
  emit documentChanged();
  setState(State::Idle);
}

void OpenFlow::dismiss() {
  m_bridge.cancelTag(kOpenTag);
  m_error.reset();
  setState(State::Idle);
}

void OpenFlow::allow() {
  if (m_state != State::AskTrust) return;
  for (const Code &one : m_code)
    if (const Status done = m_service.trust(one.hash, one.path); !done) return fail(done.error());
  again();
}

void OpenFlow::choose(const QString &generator,
                      std::vector<std::pair<std::string, std::string>> parameters,
                      open::OwnSchedule ownSchedule) {
  m_request.generator = generator.toStdString();
  m_request.parameters = std::move(parameters);
  m_request.ownSchedule = ownSchedule;
  proceed();
}

void OpenFlow::estimate(std::vector<open::EstimateOverride> estimates) {
  m_request.estimates = std::move(estimates);
  proceed();
}

void OpenFlow::askBuild() {
  if (m_state == State::Failed && isSource()) setState(State::AskBuild);
}

void OpenFlow::build(open::BuildOptions options) {
  m_request.build = std::move(options);
  again();
}

open::BuildOptions OpenFlow::buildNear() const { return m_service.buildNear(m_request.path); }

bool OpenFlow::isSource() const {
  const auto kind = m_service.kindOf(m_request.path);
  return kind && *kind == SourceKind::GeneratorSource;
}

// Finds out the kind of the file and its generators. A serialized pipeline has no generator to
// choose, so the same job opens it.
void OpenFlow::ask() {
  setState(State::Working);
  struct Answer {
    std::optional<SourceKind> kind;
    std::vector<open::Generator> generators;
    std::optional<open::OpenedPipeline> opened;
    std::optional<Error> refused; // of the only generator
  };
  m_bridge.run<Answer>(
      kOpenTag, tr("Opening %1").arg(fileName(m_request)),
      [service = m_service, request = m_request](const job::JobContext &job) -> Result<Answer> {
        const Result<SourceKind> kind = service.kindOf(request.path);
        if (!kind) return kind.error();
        Answer answer;
        answer.kind = *kind;
        if (*kind != SourceKind::SerializedPipeline) {
          auto generators = service.generators(request.path, request.build, job.stop, job.progress);
          if (!generators) return generators.error();
          answer.generators = std::move(*generators);
          if (hasChoice(answer.generators)) return answer;
        }
        auto opened = service.open(request, job.stop, job.progress);
        if (opened)
          answer.opened = std::move(*opened);
        else
          answer.refused = opened.error();
        return answer;
      },
      this,
      [this](Result<Answer> answer) {
        if (!answer) return fail(answer.error());
        m_kind = answer->kind;
        m_generators = std::move(answer->generators);
        if (answer->opened) return take(std::move(*answer->opened));
        if (answer->refused) return fail(std::move(*answer->refused));
        m_error.reset();
        setState(State::AskGenerator);
      });
}

void OpenFlow::proceed() {
  setState(State::Working);
  m_bridge.run<open::OpenedPipeline>(
      kOpenTag, tr("Opening %1").arg(fileName(m_request)),
      [service = m_service, request = m_request](const job::JobContext &job) {
        return service.open(request, job.stop, job.progress);
      },
      this,
      [this](Result<open::OpenedPipeline> result) {
        if (!result) return fail(result.error());
        take(std::move(*result));
      });
}

void OpenFlow::fail(Error error) {
  m_error = std::move(error);
  if (m_error->code == ErrorCode::Cancelled) return dismiss();
  if (m_error->code == ErrorCode::NotTrusted) {
    m_code.clear();
    std::vector<std::string> files = codeOf(m_request.build);
    const auto kindOfFile = m_service.kindOf(m_request.path);
    if (!kindOfFile || *kindOfFile != SourceKind::SerializedPipeline)
      files.insert(files.begin(), m_request.path);
    for (const std::string &path : files) {
      const auto hash = m_service.hash(path);
      if (!hash) {
        m_error = hash.error();
        return setState(State::Failed);
      }
      m_code.push_back({path, *hash});
    }
    if (kindOfFile) m_kind = *kindOfFile;
    return setState(State::AskTrust);
  }
  switch (m_error->remedy) {
  case ErrorRemedy::Estimates:
    return setState(State::AskEstimates);
  case ErrorRemedy::Build:
    return setState(State::AskBuild);
  case ErrorRemedy::Parameters:
    if (m_generators.empty()) m_generators = {{m_request.generator, {}}};
    return setState(State::AskGenerator);
  case ErrorRemedy::None:
    break;
  }
  setState(State::Failed);
}

void OpenFlow::take(open::OpenedPipeline result) {
  m_error.reset();
  m_document = std::make_shared<const OpenedFile>(OpenedFile{m_request, std::move(result)});
  watch();
  emit opened(m_document);
  emit documentChanged();
  setState(State::Idle);
}

void OpenFlow::watch() {
  if (const QStringList old = m_watcher.files(); !old.isEmpty()) m_watcher.removePaths(old);
  if (m_document) m_watcher.addPath(QString::fromStdString(m_document->request.path));
}

void OpenFlow::setState(State state) {
  m_state = state;
  emit stateChanged();
}

} // namespace tessera::views
