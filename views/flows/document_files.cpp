// SPDX-License-Identifier: GPL-3.0-or-later
// The files of DocumentFlow: the document's own, the schedule that is exported, the journal.
#include "views/flows/document_flow.h"
#include "views/text/from_std.h"

#include "engine/document/pipeline_copy.h"
#include "engine/document/schedule_file.h"
#include "engine/host/files.h"
#include "engine/record/file_lines.h"

#include <QFileInfo>

#include <utility>

namespace tessera::views {

using document::JournalBase;

namespace {

// A number follows, so that none of these jobs cancels another.
const QString kEndedTag = QStringLiteral("ended journal ");
const QString kJournalTag = QStringLiteral("journal");
const QString kSaveTag = QStringLiteral("save");

} // namespace

void DocumentFlow::save(const QString &path, const QByteArray &layout, std::function<void()> then) {
  if (!m_document) return;
  m_bridge.run<Done>(
      kSaveTag, tr("Saving %1").arg(QFileInfo(path).fileName()),
      [path = path.toStdString(), document = *m_document, layout, sizes = m_sizes,
       record = m_service.record](const job::JobContext &) {
        const auto start = std::chrono::steady_clock::now();
        Status done = document::saveDocument(path, document, layout.toStdString(), sizes);
        record::write(record, {"file saved", "document", path, record::failureOf(done), start, {}});
        return done;
      },
      this,
      [this, path, revision = m_revision, pipeline = m_document->pipeline(),
       then = std::move(then)](const Status &done) {
        if (!done) return tell(done.error());
        // The result is dropped if another pipeline was opened meanwhile.
        if (!m_document || m_document->pipeline() != pipeline) return;
        m_path = path;
        m_lost.clear();
        if (m_revision == revision) m_unsaved = Unsaved::Nothing;
        if (m_journal) m_journal->rebase(journalBase());
        m_journalFailed = false;
        emit changed();
        emit saved(path);
        if (then) then();
      });
}

void DocumentFlow::exportSchedule(const QString &path) {
  const ShownSchedulePtr &shown = m_schedule.shown();
  if (!shown) return;
  const auto format = document::formatOf(path.toStdString());
  if (!format) return emit told(tr("%1 does not end in .h, .py or .json.").arg(path));
  m_bridge.run<Done>(
      QStringLiteral("export"), tr("Exporting %1").arg(QFileInfo(path).fileName()),
      [shown, path, format = *format,
       version = m_service.version](const job::JobContext &) -> Status {
        const auto text = document::scheduleText(
            shown->found.schedule, format,
            {shown->machine.toStdString(), version, shown->found.prediction.milliseconds(), {}});
        if (!text) return text.error();
        return host::writeFile(path.toStdString(), *text);
      },
      this,
      [this, path](const Status &done) {
        if (!done) return tell(done.error());
        emit exported(path);
      });
}

JournalBase DocumentFlow::journalBase() const {
  return {*m_document, m_path.toStdString(), isModified(), m_sizes};
}

void DocumentFlow::beginJournal() {
  if (m_service.recoveryFolder.empty()) return;
  using Begun = std::shared_ptr<document::Journal>;
  m_bridge.run<Begun>(
      kJournalTag, {},
      [folder = m_service.recoveryFolder,
       base = journalBase()](const job::JobContext &) -> Result<Begun> {
        auto journal = document::Journal::begin(folder, base);
        if (!journal) return journal.error();
        // The deleter discards the journal file even if the job's result is dropped before it is
        // delivered.
        return Begun(journal->release(), [](document::Journal *ended) {
          ended->discard();
          delete ended;
        });
      },
      this,
      [this, revision = m_revision](Result<Begun> journal) {
        if (!journal) return tell(journal.error());
        m_journal = std::move(*journal);
        m_journalFailed = false;
        if (!m_recoveredFrom.isEmpty()) // the new journal contains the recovered one
          document::removeJournal(std::exchange(m_recoveredFrom, {}).toStdString());
        if (m_revision != revision) m_journal->rebase(journalBase());
      });
}

DocumentFlow::~DocumentFlow() { m_bridge.cancelTag(kJournalTag); }

void DocumentFlow::endJournal() {
  m_bridge.cancelTag(kJournalTag);
  if (!m_journal) return;
  // The journal is removed on a job's thread, because it waits for the disk first.
  m_bridge.run<Done>(
      kEndedTag + QString::number(++m_endedJournals), {},
      [ended = std::exchange(m_journal, nullptr)](const job::JobContext &) mutable -> Status {
        ended.reset();
        return Done{};
      },
      this, [](const Status &) {});
}

void DocumentFlow::checkJournal() {
  if (!m_journal || m_journalFailed) return;
  const auto failure = m_journal->failure();
  m_journalFailed = failure.has_value();
  if (failure) tell(*failure);
}

void DocumentFlow::lookForRecoverable() {
  if (m_service.recoveryFolder.empty()) return;
  using Found = std::vector<document::Recoverable>;
  m_bridge.run<Found>(
      QStringLiteral("recoverable"), {},
      [folder = m_service.recoveryFolder](const job::JobContext &) -> Result<Found> {
        return document::findRecoverable(folder);
      },
      this,
      [this](Result<Found> found) {
        m_recoverable = found ? std::move(*found) : Found();
        if (!m_recoverable.empty()) emit recoverableFound();
      });
}

void DocumentFlow::recover(const document::Recoverable &journal) {
  readOnThread(
      tr("Recovering %1").arg(from(journal.pipeline)),
      [path = journal.journal, folder = m_service.scratchFolder]() -> Result<LoadedDocumentPtr> {
        auto recovered = document::recover(path);
        if (!recovered) return recovered.error();
        JournalBase &base = recovered->base;
        auto opened = document::unpacked(base.document.source(), folder);
        if (!opened) return opened.error();
        if (const Status unpacked = base.sizes.unpack(folder); !unpacked) return unpacked.error();
        LoadedDocument done{
            std::move(base.document), std::move(*opened), from(base.path),      {}, {},
            base.isUnsaved,           from(path),         std::move(base.sizes)};
        if (!recovered->isWhole) done.lost << tr("the last edits before Tessera ended");
        return std::make_shared<LoadedDocument>(std::move(done));
      });
}

void DocumentFlow::forget(const document::Recoverable &journal) {
  document::removeJournal(journal.journal);
}

} // namespace tessera::views
