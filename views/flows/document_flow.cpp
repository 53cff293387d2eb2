// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/document_flow.h"
#include "views/text/from_std.h"

#include "engine/document/carry.h"
#include "engine/document/pipeline_copy.h"
#include "engine/record/file_lines.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/text/decision_text.h"
#include "engine/search/kernels/frozen_conflict.h"
#include "views/text/error_text.h"
#include "views/text/size_step.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace tessera::views {

using document::CandidateOrigin;
using document::Document;
using document::EditSchedule;

namespace {

const QString kReadTag = QStringLiteral("document");
const QString kSourceTag = QStringLiteral("document files");
const QString kCarryTag = QStringLiteral("carry");
const QString kDefaultTag = QStringLiteral("default");

// True: the document contains more than what opening the pipeline creates by itself.
bool isWorthCarrying(const Document &document) {
  return document.current() || !document.parts().steps.empty() ||
         std::ranges::any_of(document.candidates(), [](const document::CandidatePtr &candidate) {
           return candidate->origin != CandidateOrigin::Default;
         });
}

bool hasDefault(const Document &document) {
  return std::ranges::any_of(document.candidates(), [](const document::CandidatePtr &candidate) {
    return candidate->origin == CandidateOrigin::Default;
  });
}

bool isStepOfHistory(const document::Operation &operation) {
  return std::holds_alternative<document::Undo>(operation) ||
         std::holds_alternative<document::Redo>(operation);
}

// True: the operation changes the current schedule. Undo and redo count as well.
bool changesCurrent(const document::Operation &operation) {
  return std::holds_alternative<EditSchedule>(operation) || isStepOfHistory(operation);
}

} // namespace

DocumentFlow::DocumentFlow(DocumentService service, ScheduleFlow &schedule, Bridge &bridge,
                           QObject *parent)
    : QObject(parent), m_service(std::move(service)), m_schedule(schedule), m_bridge(bridge) {
  connect(&m_schedule, &ScheduleFlow::found, this, &DocumentFlow::takeFound);
}

bool DocumentFlow::hasWork() const {
  if (!m_document) return false;
  return m_unsaved == Unsaved::Work ||
         (isModified() && (m_document->current() || !m_path.isEmpty()));
}

QString DocumentFlow::machine() const {
  const QString chosen = m_document ? from(m_document->parts().machine) : QString();
  return chosen.isEmpty() ? from(m_schedule.service().defaultMachine) : chosen;
}

void DocumentFlow::setTarget(const QString &machine, const QString &algorithm) {
  if (!m_document) return;
  const document::SetTarget target{machine.toStdString(), algorithm.toStdString()};
  const Document::Parts &parts = m_document->parts();
  if (parts.machine == target.machine && parts.algorithm == target.algorithm) return;
  // The first target is set by the first search or by the list of GPUs and not by the user, so it
  // does not count as unsaved work.
  perform(target, parts.machine.empty() ? Unsaved::Nothing : Unsaved::Repeatable);
}

void DocumentFlow::retarget(const QString &machine) {
  if (!m_document) return;
  setTarget(machine, from(m_document->parts().algorithm));
  if (m_schedule.isRunning()) {
    if (m_schedule.wish().machine != machine) restartSearch();
    return;
  }
  if (m_document->current()) m_schedule.show(m_document->current(), machine);
}

void DocumentFlow::restartSearch() {
  if (!m_document || !m_schedule.isRunning()) return;
  SearchWish wish = m_schedule.wish();
  wish.machine = machine();
  wish.current = m_document->current();
  m_schedule.start(std::move(wish));
  emit searchRestarted(machine());
}

// ---- What is open

bool DocumentFlow::isCarriedTo(const open::OpenRequest &request) const {
  return m_document && m_document->source().request.path == request.path;
}

void DocumentFlow::forgetSizes() {
  m_sizes.clear();
  if (m_journal) m_journal->rebase(journalBase());
  emit changed();
}

void DocumentFlow::setOpened(const OpenFlow::DocumentPtr &opened, LoadedDocumentPtr loaded) {
  endJournal();
  for (const QString &tag : {kSourceTag, kDefaultTag, kCarryTag})
    m_bridge.cancelTag(tag);
  auto before = std::exchange(m_document, std::nullopt);
  const QString path = std::exchange(m_path, {});
  const auto openedBefore = std::exchange(m_opened, opened);
  m_lost.clear();
  m_notCarried.clear();
  m_unsaved = Unsaved::Nothing;
  m_isRecovered = false;
  ++m_revision;
  const auto step = before && opened && openedBefore && !loaded
                        ? sizeStep(openedBefore->request, opened->request)
                        : std::nullopt;
  if (step)
    m_sizes.push({*before, openedBefore->opened, step->toStdString()});
  else if (!loaded)
    m_sizes = document::SizeHistory();
  if (opened && loaded)
    keepLoaded(std::move(*loaded), opened);
  else if (opened)
    begin(opened, {std::move(before), path, step.has_value()});
  emit changed();
  emit currentChanged();
}

void DocumentFlow::keepLoaded(LoadedDocument loaded, const OpenFlow::DocumentPtr &opened) {
  m_document = std::move(loaded.document);
  m_path = loaded.path;
  m_lost = loaded.lost;
  if (loaded.sizes) m_sizes = std::move(*loaded.sizes);
  m_unsaved = loaded.isUnsaved ? Unsaved::Work : Unsaved::Nothing;
  m_recoveredFrom = loaded.journal;
  m_isRecovered = !loaded.journal.isEmpty();
  // The user may have left this size before the bytes of its files were read. They are read now.
  if (m_document->source().serialized.empty()) readSource(opened);
  beginJournal();
  emit layoutRead(loaded.layout);
  showCurrent();
}

void DocumentFlow::begin(const OpenFlow::DocumentPtr &opened, Before before) {
  document::PipelineCopy source;
  source.request = opened->request;
  source.kind = opened->opened.kind;
  source.estimates = opened->opened.file.estimates;
  source.pipeline = opened->opened.pipeline;
  m_document.emplace(std::make_shared<const document::PipelineCopy>(std::move(source)));
  // Only the size differs, so the document keeps its path. It counts as unsaved, because the file
  // has the document at its previous size.
  if (before.isAnotherSize && !before.path.isEmpty()) {
    m_path = before.path;
    m_unsaved = Unsaved::Repeatable;
  }
  if (before.document && before.document->source().request.path == opened->request.path &&
      isWorthCarrying(*before.document))
    carryOver(std::move(*before.document), before.path, opened);
  else
    startNew(opened);
}
void DocumentFlow::startNew(const OpenFlow::DocumentPtr &opened) {
  readSource(opened);
  addDefault();
}

// Carries the decisions of the previous document over on a thread; until that is done, the open
// document is a new one. If the user edits the new one before that, it stays and nothing is carried
// over.
void DocumentFlow::carryOver(Document before, const QString &path,
                             const OpenFlow::DocumentPtr &opened) {
  using Answer = std::shared_ptr<document::Carried>;
  m_bridge.run<Answer>(
      kCarryTag, tr("Carrying over your decisions"),
      [before = std::move(before), opened](const job::JobContext &) -> Result<Answer> {
        return std::make_shared<document::Carried>(
            document::carriedOver(before, std::make_shared<const document::PipelineCopy>(
                                              document::copyOf(opened->request, opened->opened))));
      },
      this,
      [this, path, opened, revision = m_revision](const Result<Answer> &carried) {
        if (!m_document || m_document->pipeline() != opened->opened.pipeline) return;
        if (!carried || m_revision != revision) return startNew(opened);
        m_document = (*carried)->document;
        for (const std::string &one : (*carried)->lost)
          m_notCarried << from(one);
        m_path = path;
        m_unsaved = Unsaved::Work;
        ++m_revision;
        beginJournal();
        if (!hasDefault(*m_document)) addDefault();
        showCurrent();
        emit changed();
        emit currentChanged();
        if (!m_notCarried.isEmpty())
          emit told(tr("The pipeline has changed. Lost: %1.")
                        .arg(m_notCarried.join(QStringLiteral("; "))));
      });
}

// Keeps the bytes of the pipeline's files in the document, in case the files disappear.
void DocumentFlow::readSource(const OpenFlow::DocumentPtr &opened) {
  using Copy = document::PipelineCopyPtr;
  m_bridge.run<Copy>(
      kSourceTag, {},
      [opened](const job::JobContext &) -> Result<Copy> {
        return std::make_shared<const document::PipelineCopy>(
            document::copyOf(opened->request, opened->opened));
      },
      this,
      [this](const Result<Copy> &copy) {
        if (!copy || !m_document || (*copy)->pipeline != m_document->pipeline()) return;
        m_document->complete(*copy);
        beginJournal();
      });
}

// Adds the default schedule as a candidate to compare with, before the user has done anything.
void DocumentFlow::addDefault() {
  if (!m_schedule.service().predict) return;
  m_bridge.run<FoundSchedule>(
      kDefaultTag, {},
      [predict = m_schedule.service().predict, pipeline = m_document->pipeline(),
       machine = machine().toStdString()](const job::JobContext &) {
        return predict(schedule::defaultSchedule(pipeline), machine);
      },
      this,
      [this](const Result<FoundSchedule> &found) {
        if (!found || !m_document || found->schedule.base() != m_document->pipeline()) return;
        addFound(tr("default"), {CandidateOrigin::Default, {}, machine()}, *found,
                 Unsaved::Nothing);
      });
}

void DocumentFlow::readOnThread(const QString &title,
                                std::function<Result<LoadedDocumentPtr>()> reader) {
  m_bridge.run<LoadedDocumentPtr>(
      kReadTag, title, [reader = std::move(reader)](const job::JobContext &) { return reader(); },
      this,
      [this](const Result<LoadedDocumentPtr> &done) {
        if (!done) return tell(done.error());
        emit loaded(*done);
      });
}

void DocumentFlow::openFile(const QString &path) {
  readOnThread(
      tr("Opening %1").arg(QFileInfo(path).fileName()),
      [path, reader = m_service.importPipeline, folder = m_service.scratchFolder,
       record = m_service.record]() -> Result<LoadedDocumentPtr> {
        const auto start = std::chrono::steady_clock::now();
        auto read = document::openDocument(path.toStdString(), reader);
        record::write(
            record,
            {"file opened", "document", path.toStdString(), record::failureOf(read), start, {}});
        if (!read) return read.error();
        auto opened = document::unpacked(read->document.source(), folder);
        if (!opened) return opened.error();
        if (const Status unpacked = read->sizes.unpack(folder); !unpacked) return unpacked.error();
        LoadedDocument done{std::move(read->document),
                            std::move(*opened),
                            path,
                            QByteArray::fromStdString(read->layout),
                            {},
                            false,
                            {},
                            std::move(read->sizes)};
        for (const std::string &lost : read->lost)
          done.lost << from(lost);
        // Without a path, saving does not overwrite the damaged file with what is left.
        if (!done.lost.isEmpty()) done.path.clear();
        return std::make_shared<LoadedDocument>(std::move(done));
      });
}

// ---- What the user does

void DocumentFlow::search(const QString &algorithm, const QString &machine, Around around) {
  if (!m_document) return;
  setTarget(machine, algorithm);
  m_schedule.start({algorithm, machine, m_document->current(),
                    around == Around::Decisions ? ScheduleRequest::From::Around
                                                : ScheduleRequest::From::Default});
}

int DocumentFlow::frozenCount() const {
  if (!m_document || !m_document->current()) return 0;
  return int(std::ranges::count_if(m_document->current()->marks(),
                                   [](const auto &mark) { return mark.second.frozen; }));
}

void DocumentFlow::takeFound(const SearchResult &result) {
  const schedule::Schedule &best = result.best->found.schedule;
  if (!m_document || best.base() != m_document->pipeline()) return;
  const QString &algorithm = result.wish.algorithm;
  SearchOutcome outcome{result, !m_document->current() || result.isFaster()};
  for (const std::string &decision : search::frozenTexts(best))
    outcome.kept << from(decision);
  const QString name = result.wish.from == ScheduleRequest::From::Around
                           ? tr("Re-search with %1").arg(algorithm)
                           : tr("Schedule with %1").arg(algorithm);
  if (outcome.isTaken) perform(EditSchedule{name.toStdString(), best}, Unsaved::Repeatable);
  const auto ofSearches =
      std::ranges::count_if(m_document->candidates(), [](const document::CandidatePtr &candidate) {
        return candidate->origin == CandidateOrigin::Search;
      });
  addFound(tr("%1 %2").arg(algorithm).arg(ofSearches + 1),
           {CandidateOrigin::Search, algorithm, result.best->machine}, result.best->found,
           Unsaved::Repeatable);
  if (const auto kept = m_document->candidateWith(best, result.best->machine.toStdString()))
    outcome.candidate = kept->id;
  emit currentChanged();
  emit searchEnded(outcome);
}

void DocumentFlow::addFound(const QString &name, const Origin &origin, const FoundSchedule &found,
                            Unsaved adds) {
  const std::string machine = origin.machine.toStdString();
  if (m_document->candidateWith(found.schedule, machine)) return;
  std::string note;
  for (const std::string &remark : found.remarks)
    note += (note.empty() ? "" : "\n") + remark;
  perform(document::AddCandidate{{0,
                                  {name.toStdString(), note, {}, false, false},
                                  origin.kind,
                                  origin.from.toStdString(),
                                  found.schedule,
                                  machine,
                                  found.prediction.seconds,
                                  {}}},
          adds);
}

void DocumentFlow::apply(const document::Operation &operation) {
  if (!m_document) return;
  // stop() adds the search's best as a step of its own.
  if (changesCurrent(operation) && m_schedule.isRunning()) m_schedule.stop();
  // Redo reverses undo, and undo reverses redo, so neither counts as work that only the user can
  // make again.
  perform(operation, isStepOfHistory(operation) ? Unsaved::Repeatable : Unsaved::Work);
  if (!changesCurrent(operation)) return;
  showCurrent();
  emit currentChanged();
}

void DocumentFlow::perform(const document::Operation &operation, Unsaved adds) {
  if (const Status done = m_document->apply(operation); !done) return tell(done.error());
  if (document::isNewStep(operation)) m_sizes.forgetAhead();
  ++m_revision;
  m_unsaved = std::max(m_unsaved, adds);
  if (m_journal) m_journal->append(operation);
  checkJournal();
  emit changed();
}

void DocumentFlow::showCurrent() {
  const ShownSchedulePtr &shown = m_schedule.shown();
  const QString machine = shown ? shown->machine : this->machine();
  m_schedule.show(m_document->current(), machine);
}

void DocumentFlow::edit(const QString &name, schedule::Schedule schedule) {
  apply(EditSchedule{name.toStdString(), std::move(schedule)});
}

void DocumentFlow::choose(const document::Choice &choice) {
  edit(tr("%1: %2").arg(from(schedule::subjectOf(choice.after, choice.decision)),
                        from(choice.value)),
       document::chosen(choice));
}

void DocumentFlow::setFrozen(const std::vector<schedule::DecisionKey> &decisions, bool frozen,
                             const QString &of) {
  if (!m_document || !m_document->current()) return;
  schedule::Schedule schedule = *m_document->current();
  schedule::Marks marks = schedule.marks();
  for (const schedule::DecisionKey &decision : decisions) {
    schedule::Mark mark = schedule.mark(decision);
    mark.frozen = frozen;
    marks[decision] = mark;
    if (mark == schedule::Mark{}) marks.erase(decision);
  }
  if (marks == schedule.marks()) return;
  schedule.setMarks(std::move(marks));
  edit(frozen ? tr("Freeze %1").arg(of) : tr("Unfreeze %1").arg(of), std::move(schedule));
}

void DocumentFlow::load(std::uint64_t id) {
  const document::CandidatePtr candidate = m_document ? m_document->candidate(id) : nullptr;
  if (candidate) edit(tr("Load %1").arg(from(candidate->label.name)), candidate->schedule);
}

void DocumentFlow::keepCurrent() {
  const std::size_t before = m_document ? m_document->candidates().size() : 0;
  if (keepShown() && m_document->candidates().size() == before)
    emit told(tr("This schedule is already in the list of candidates."));
}

std::uint64_t DocumentFlow::keepShown() {
  const ShownSchedulePtr &shown = m_schedule.shown();
  if (!m_document || !shown || m_schedule.isRunning()) return 0;
  const document::CandidatePtr kept =
      m_document->candidateWith(shown->found.schedule, shown->machine.toStdString());
  if (kept && kept->label.isRemoved)
    relabel(kept->id, tr("Bring %1 Back"),
            [](document::CandidateLabel &label) { label.isRemoved = false; });
  if (kept) return kept->id;
  const auto ofUser =
      std::ranges::count_if(m_document->candidates(), [](const document::CandidatePtr &candidate) {
        return candidate->origin == CandidateOrigin::User;
      });
  addFound(tr("mine %1").arg(ofUser + 1), {CandidateOrigin::User, {}, machine()}, shown->found,
           Unsaved::Work);
  const document::CandidatePtr added =
      m_document->candidateWith(shown->found.schedule, machine().toStdString());
  return added ? added->id : 0;
}

void DocumentFlow::relabel(std::uint64_t id, const QString &what,
                           const std::function<void(document::CandidateLabel &)> &change) {
  const document::CandidatePtr candidate = m_document ? m_document->candidate(id) : nullptr;
  if (!candidate) return;
  document::CandidateLabel label = candidate->label;
  change(label);
  if (label == candidate->label) return;
  apply(document::Relabel{what.arg(from(candidate->label.name)).toStdString(), {{id, label}}});
}

void DocumentFlow::rename(std::uint64_t id, const QString &name) {
  relabel(id, tr("Rename %1"),
          [&](document::CandidateLabel &label) { label.name = name.toStdString(); });
}

void DocumentFlow::setNote(std::uint64_t id, const QString &note) {
  relabel(id, tr("Note on %1"),
          [&](document::CandidateLabel &label) { label.note = note.toStdString(); });
}

void DocumentFlow::setQuarantined(std::uint64_t id, bool quarantined) {
  relabel(id, quarantined ? tr("Quarantine %1") : tr("Release %1"),
          [&](document::CandidateLabel &label) { label.isQuarantined = quarantined; });
}

void DocumentFlow::remove(std::uint64_t id) {
  relabel(id, tr("Remove %1"), [](document::CandidateLabel &label) { label.isRemoved = true; });
}

void DocumentFlow::pin(std::uint64_t id, document::Pin pin) {
  const document::CandidatePtr candidate = m_document ? m_document->candidate(id) : nullptr;
  if (!candidate || candidate->label.pin == pin) return;
  const QString what = pin == document::Pin::None ? tr("Unpin %1")
                       : pin == document::Pin::A  ? tr("Pin %1 as A")
                                                  : tr("Pin %1 as B");
  apply(
      document::pinned(*m_document, id, pin, what.arg(from(candidate->label.name)).toStdString()));
}

void DocumentFlow::importSchedule(const QString &word) {
  if (!m_document || !m_service.schedule || !m_schedule.service().predictSourced) return;
  const bool isManual = word.toStdString() == document::kManual;
  const QString name = isManual ? tr("manual") : QFileInfo(word).completeBaseName();
  m_bridge.run<FoundSchedule>(
      QStringLiteral("import"), tr("Importing %1").arg(name),
      [source = m_service.schedule, predict = m_schedule.service().predictSourced,
       opened = m_opened, word,
       machine = machine().toStdString()](const job::JobContext &job) -> Result<FoundSchedule> {
        const auto sourced =
            source(word.toStdString(), opened->request, opened->opened, job.stop, job.progress);
        if (!sourced) return sourced.error();
        return predict(*sourced, machine);
      },
      this,
      [this, name, word, isManual](const Result<FoundSchedule> &found) {
        if (!found && found.error().code == ErrorCode::WorkerFailed)
          return emit importFailed(word, errorText(found.error()));
        if (!found) return tell(found.error());
        if (!m_document || found->schedule.base() != m_document->pipeline()) return;
        addFound(name,
                 {isManual ? CandidateOrigin::Manual : CandidateOrigin::Imported, word, machine()},
                 *found, Unsaved::Work);
        if (m_document->current() || m_schedule.isRunning()) return;
        if (const auto kept = m_document->candidateWith(found->schedule, machine().toStdString()))
          load(kept->id);
      });
}

bool DocumentFlow::addOther(const tune::Other &other, const FoundSchedule &found) {
  if (!m_document || found.schedule.base() != m_document->pipeline()) return false;
  const std::size_t before = m_document->candidates().size();
  addFound(
      from(other.name),
      {other.isPeer ? CandidateOrigin::Peer : CandidateOrigin::Manual, from(other.word), machine()},
      found, Unsaved::Work);
  return m_document->candidates().size() > before;
}

// Before the first step, undo goes back to the previous size if there was one.
void DocumentFlow::undo() {
  // stop() adds the search's best as a step of its own.
  if (m_schedule.isRunning()) m_schedule.stop();
  if (!m_document || m_document->undoName() || !m_sizes.undoName()) return apply(document::Undo{});
  // A document that is still being read or carried over is incomplete, so redo cannot return to it.
  const bool isWhole = !m_document->source().serialized.empty();
  document::SizeHistory::Entry before = m_sizes.back(openEntry());
  if (!isWhole) m_sizes.forgetAhead();
  readSize(std::move(before));
}

void DocumentFlow::redo() {
  if (m_schedule.isRunning()) m_schedule.stop();
  if (!m_document || !m_sizes.redoName(m_document->parts().position))
    return apply(document::Redo{});
  readSize(m_sizes.forward(openEntry()));
}

QString DocumentFlow::undoName() const {
  if (!m_document) return {};
  const std::string *name = m_document->undoName();
  if (!name) name = m_sizes.undoName();
  return name ? from(*name) : QString();
}

QString DocumentFlow::redoName() const {
  if (!m_document) return {};
  const std::string *name = m_sizes.redoName(m_document->parts().position);
  if (!name) name = m_document->redoName();
  return name ? from(*name) : QString();
}

document::SizeHistory::Entry DocumentFlow::openEntry() const {
  return {*m_document, m_opened->opened, {}};
}

void DocumentFlow::readSize(document::SizeHistory::Entry entry) {
  const bool isUnsaved = hasWork() || !m_path.isEmpty() || isWorthCarrying(entry.document);
  emit loaded(std::make_shared<LoadedDocument>(LoadedDocument{std::move(entry.document),
                                                              std::move(entry.opened),
                                                              m_path,
                                                              {},
                                                              {},
                                                              isUnsaved,
                                                              {},
                                                              std::nullopt}));
}

void DocumentFlow::tell(const Error &error) {
  if (error.code != ErrorCode::Cancelled) emit told(errorText(error));
}

} // namespace tessera::views
