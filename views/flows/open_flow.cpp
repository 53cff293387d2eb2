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
  m_hash.clear();
  m_kind.reset();
  m_generators.clear();
  request.generator.empty() ? ask() : proceed();
}

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
  if (!m_document || !hasChoice(m_document->opened.generators)) return;
  m_request = m_document->request;
  m_generators = m_document->opened.generators;
  setState(State::AskGenerator);
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
  if (const Status done = m_service.trust(m_hash.toStdString(), m_request.path); !done)
    return fail(done.error());
  m_request.generator.empty() ? ask() : proceed();
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

// Finds out the kind of the file and its generators. A serialized pipeline has no generator to
// choose, so the same job opens it.
void OpenFlow::ask() {
  setState(State::Working);
  struct Answer {
    std::optional<SourceKind> kind;
    std::vector<open::Generator> generators;
    std::optional<open::OpenedPipeline> opened;
  };
  m_bridge.run<Answer>(
      kOpenTag, tr("Opening %1").arg(fileName(m_request)),
      [service = m_service, request = m_request](const job::JobContext &job) -> Result<Answer> {
        const Result<SourceKind> kind = service.kindOf(request.path);
        if (!kind) return kind.error();
        Answer answer;
        answer.kind = *kind;
        if (*kind != SourceKind::SerializedPipeline) {
          auto generators = service.generators(request.path, job.stop, job.progress);
          if (!generators) return generators.error();
          answer.generators = std::move(*generators);
          if (hasChoice(answer.generators)) return answer;
        }
        auto opened = service.open(request, job.stop, job.progress);
        if (!opened) return opened.error();
        answer.opened = std::move(*opened);
        return answer;
      },
      this,
      [this](Result<Answer> answer) {
        if (!answer) return fail(answer.error());
        m_kind = answer->kind;
        m_generators = std::move(answer->generators);
        if (answer->opened) return take(std::move(*answer->opened));
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
    if (const auto hash = m_service.hash(m_request.path)) {
      m_hash = QString::fromStdString(*hash);
      if (const auto kind = m_service.kindOf(m_request.path)) m_kind = *kind;
      return setState(State::AskTrust);
    }
  }
  setState(m_error->remedy == ErrorRemedy::Estimates ? State::AskEstimates : State::Failed);
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
