// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/log_writer.h"
#include "views/text/from_std.h"

#include "engine/pipeline/stage_names.h"
#include "engine/report/compile_report.h"
#include "views/text/counted_text.h"
#include "views/text/measurement_text.h"
#include "views/text/stage_summary.h"

#include <QFileInfo>
#include <QLocale>

#include <utility>

namespace tessera::views {

using Kind = LogLine::Kind;
using Severity = Problem::Severity;

namespace {

QString fileName(const std::string &path) { return QFileInfo(from(path)).fileName(); }

LogTarget file(const QString &path) { return {{}, {}, 0, path}; }

QString secondsText(const QElapsedTimer &since) {
  return LogWriter::tr("%1 s").arg(QLocale().toString(double(since.elapsed()) * 1e-3, 'f', 2));
}

std::vector<LogDetail> hintOf(const Error &error) {
  if (error.hint.empty()) return {};
  return {{from(error.hint), {}}};
}

QString workerText(CrashLadder::Worker worker) {
  switch (worker) {
  case CrashLadder::Worker::Counter:
    return LogWriter::tr("The GPU's worker crashed while it read the hardware counters.");
  case CrashLadder::Worker::Gpu:
    return LogWriter::tr("The GPU's worker crashed.");
  case CrashLadder::Worker::Compiler:
    break;
  }
  return LogWriter::tr("The compiling worker crashed.");
}

QString rungText(CrashLadder::Rung rung) {
  switch (rung) {
  case CrashLadder::Rung::Counts:
    return LogWriter::tr("Compiling, measuring and counting are all on again.");
  case CrashLadder::Rung::Measures:
    return LogWriter::tr("Reading hardware counters is off after three crashes in ten minutes; "
                         "times are still measured.");
  case CrashLadder::Rung::Compiles:
    return LogWriter::tr("Measuring is off after three crashes in ten minutes.");
  case CrashLadder::Rung::Predicts:
    break;
  }
  return LogWriter::tr("Compiling is off after three crashes in ten minutes.");
}

} // namespace

LogWriter::LogWriter(LogModel &log, QObject *parent) : QObject(parent), m_log(log) {}

void LogWriter::write(Kind kind, const QString &text, Details details, LogTarget target) {
  m_log.add({kind, {}, text, std::move(details), std::move(target), {}});
}

void LogWriter::write(Kind kind, Severity severity, const QString &text, Details details,
                      LogTarget target) {
  m_log.add({kind, severity, text, std::move(details), std::move(target), {}});
}

LogTarget LogWriter::candidate(std::uint64_t id) const { return {m_pipeline, {}, id, {}}; }

LogTarget LogWriter::stage(const std::string &name) const {
  const auto pipeline = m_pipeline.lock();
  const auto id = pipeline ? pipeline::stageNamed(*pipeline, name) : std::nullopt;
  if (!id) return {};
  return {m_pipeline, Subject::stage(*id), 0, {}};
}

// ---- Files

void LogWriter::follow(OpenFlow &open) {
  connect(&open, &OpenFlow::stateChanged, this, [this, &open] { openState(open); });
  connect(&open, &OpenFlow::documentChanged, this, [this, &open] { opened(open); });
  connect(&open, &OpenFlow::changedOnDisk, this, [this] {
    write(Kind::File, Severity::Remark,
          tr("%1 has changed on disk").arg(QFileInfo(m_path).fileName()), {}, file(m_path));
  });
}

void LogWriter::openState(const OpenFlow &open) {
  const QString path = from(open.request().path), name = fileName(open.request().path);
  switch (open.state()) {
  case OpenFlow::State::Working:
    return m_opening.start();
  case OpenFlow::State::AskTrust:
    return write(Kind::File, Severity::Remark, tr("%1 needs your permission to run").arg(name), {},
                 file(path));
  case OpenFlow::State::AskEstimates:
    return write(Kind::File, Severity::Warning,
                 tr("%1 needs estimates: %2").arg(name, from(open.error()->message)),
                 hintOf(*open.error()), file(path));
  case OpenFlow::State::AskBuild:
    if (!open.error()) return m_opening.invalidate();
    return write(Kind::File, Severity::Warning,
                 tr("%1 needs more to be compiled: %2").arg(name, from(open.error()->message)),
                 hintOf(*open.error()), file(path));
  case OpenFlow::State::Failed:
    return write(Kind::File, Severity::Error,
                 tr("%1 was not opened: %2").arg(name, from(open.error()->message)),
                 hintOf(*open.error()), file(path));
  case OpenFlow::State::AskGenerator:
    if (!open.error()) return m_opening.invalidate();
    return write(Kind::File, Severity::Warning,
                 tr("%1 needs parameters: %2").arg(name, from(open.error()->message)),
                 hintOf(*open.error()), file(path));
  case OpenFlow::State::Idle:
    m_opening.invalidate();
  }
}

void LogWriter::opened(const OpenFlow &open) {
  const auto &document = open.document();
  if (!document) {
    m_pipeline.reset();
    return write(Kind::File,
                 tr("%1 was closed").arg(QFileInfo(std::exchange(m_path, {})).fileName()));
  }
  const QString path = from(document->request.path);
  const bool isAgain = std::exchange(m_path, path) == path;
  const pipeline::PipelinePtr &pipeline = document->opened.pipeline;
  m_pipeline = pipeline;
  QString text =
      (isAgain ? tr("%1 was opened again: %2, %3") : tr("%1 was opened: %2, %3"))
          .arg(fileName(document->request.path), stagesText(qint64(pipeline->stages().size())),
               edgesText(qint64(pipeline->edges().size())));
  if (m_opening.isValid()) text += tr(", in %1").arg(secondsText(m_opening));
  Details details;
  for (const Problem &problem : problemsOf(*pipeline))
    if (problem.severity == Severity::Warning)
      details.push_back(
          {tr("%1: %2").arg(problem.about, problem.text), {m_pipeline, problem.subject, 0, {}}});
  if (details.empty()) return write(Kind::File, text, {}, file(path));
  write(Kind::File, Severity::Warning, text, std::move(details), file(path));
}

void LogWriter::follow(DocumentFlow &documents) {
  connect(&documents, &DocumentFlow::saved, this, [this](const QString &path) {
    write(Kind::File, tr("%1 was saved").arg(QFileInfo(path).fileName()), {{path, {}}}, file(path));
  });
  connect(&documents, &DocumentFlow::exported, this, [this](const QString &path) {
    write(Kind::File, tr("The schedule was exported to %1").arg(QFileInfo(path).fileName()),
          {{path, {}}});
  });
  connect(&documents, &DocumentFlow::told, this,
          [this](const QString &note) { write(Kind::File, Severity::Warning, note); });
  connect(
      &documents, &DocumentFlow::importFailed, this,
      [this](const QString &, const QString &why) { write(Kind::File, Severity::Warning, why); });
  connect(&documents, &DocumentFlow::recoverableFound, this, [this, &documents] {
    Details details;
    for (const document::Recoverable &one : documents.recoverable())
      details.push_back({one.path.empty() ? from(one.pipeline) : from(one.path), {}});
    write(Kind::File, Severity::Remark,
          details.size() == 1 ? tr("Tessera ended unexpectedly before; a document can be recovered")
                              : tr("Tessera ended unexpectedly before; documents can be recovered"),
          std::move(details));
  });
  // A document is read before OpenFlow announces its pipeline. This queued function logs the parts
  // that a damaged document has lost after that announcement.
  const auto tellLost = [this, &documents] {
    Details lost;
    for (const QString &one : documents.lost())
      lost.push_back({tr("Lost: %1").arg(one), {}});
    const QString name =
        documents.path().isEmpty() ? tr("The document") : QFileInfo(documents.path()).fileName();
    if (documents.isRecovered())
      write(Kind::File, Severity::Remark, tr("%1 was recovered").arg(name), std::move(lost));
    else if (!lost.empty())
      write(Kind::File, Severity::Warning, tr("%1 is damaged").arg(name), std::move(lost));
  };
  connect(&documents, &DocumentFlow::layoutRead, this, tellLost, Qt::QueuedConnection);
}

// ---- Searches

void LogWriter::follow(ScheduleFlow &schedule, DocumentFlow &documents) {
  connect(&schedule, &ScheduleFlow::shownChanged, this,
          [this, &schedule] { m_better += schedule.isRunning() && schedule.shown(); });
  connect(&schedule, &ScheduleFlow::stateChanged, this,
          [this, &schedule, &documents] { searchState(schedule, documents); });
  // found() and refused() follow immediately after stateChanged() and log the end of a search. If
  // neither has come when this queued function runs, the search was stopped before it found
  // anything.
  connect(
      &schedule, &ScheduleFlow::stateChanged, this,
      [this] {
        if (std::exchange(m_isEnded, false))
          write(Kind::Search, tr("The search was stopped before it found anything"));
      },
      Qt::QueuedConnection);
  connect(&schedule, &ScheduleFlow::found, this, [this](const SearchResult &result) {
    if (!std::exchange(m_isEnded, false)) return;
    write(Kind::Search,
          result.isFaster()
              ? tr("The search ended after %1: %2, the last and fastest of the %3 schedules that "
                   "it showed")
                    .arg(secondsText(m_searching), result.best->summary(), countText(m_better))
              : tr("The search ended after %1: %2, which is not faster than the schedule before it")
                    .arg(secondsText(m_searching), result.best->summary()),
          kernelsOf(*result.best));
  });
  connect(&schedule, &ScheduleFlow::refused, this, [this, &schedule] {
    m_isEnded = false;
    write(Kind::Search, Severity::Error,
          tr("No schedule was found: %1").arg(from(schedule.error()->message)),
          hintOf(*schedule.error()));
  });
  connect(&schedule, &ScheduleFlow::notShown, this, [this, &schedule] {
    write(
        Kind::Search, Severity::Warning,
        tr("The cost model cannot predict this schedule: %1").arg(from(schedule.error()->message)),
        hintOf(*schedule.error()));
  });
}

void LogWriter::searchState(const ScheduleFlow &schedule, const DocumentFlow &documents) {
  if (schedule.isRunning() == m_isSearching) return;
  m_isSearching = schedule.isRunning();
  m_isEnded = !m_isSearching;
  if (!m_isSearching) return;
  m_searching.start();
  m_better = 0;
  if (!documents.hasDocument()) return write(Kind::Search, tr("A search began"));
  const document::Document::Parts &parts = documents.document().parts();
  write(Kind::Search,
        tr("A search began: %1 for %2").arg(from(parts.algorithm), from(parts.machine)));
}

LogWriter::Details LogWriter::kernelsOf(const ShownSchedule &shown) const {
  Details details;
  const pipeline::PipelinePtr pipeline = m_pipeline.lock();
  for (std::uint32_t i = 0; pipeline && i < shown.places.size() && i < pipeline->stages().size();
       ++i) {
    const StagePlace &place = shown.places[i];
    if (!place.ownsBlocks) continue;
    const pipeline::StageId id{i};
    details.push_back({tr("Kernel %1, which computes %2: %3 predicted")
                           .arg(place.kernel)
                           .arg(from(pipeline->stageName(id)), timeText(place.seconds)),
                       {m_pipeline, Subject::stage(id), 0, {}}});
  }
  return details;
}

void LogWriter::follow(OtherFlow &others) {
  connect(&others, &OtherFlow::dataChanged, this,
          [this, &others](const QModelIndex &first) { otherChanged(others, first.row()); });
}

void LogWriter::otherChanged(const OtherFlow &others, int row) {
  const auto at = [&](OtherFlow::Column column) { return others.index(row, column); };
  const auto now = OtherFlow::Progress(at(OtherFlow::Name).data(OtherFlow::ProgressRole).toInt());
  if (std::exchange(m_others[row], now) == now) return;
  const QString text = tr("%1: %2").arg(at(OtherFlow::Name).data().toString(),
                                        at(OtherFlow::Status).data().toString());
  if (now == OtherFlow::Progress::Added) write(Kind::Search, text);
  if (now == OtherFlow::Progress::Refused) write(Kind::Search, Severity::Warning, text);
}

// ---- Compiling, measuring, verifying

void LogWriter::follow(CompileFlow &compile) {
  connect(&compile, &CompileFlow::changed, this, [this, &compile] { compileState(compile); });
}

void LogWriter::compileState(const CompileFlow &compile) {
  const bool isRunning = compile.state() == CompileFlow::State::Running;
  Compiling &known = m_compiling[&compile];
  if (isRunning == known.isRunning) return;
  known.isRunning = isRunning;
  if (isRunning) {
    startsAgain(false);
    return known.clock.start();
  }
  const bool isShown = compile.of() == CompileFlow::Of::Shown;
  if (const auto &texts = compile.texts())
    return write(
        Kind::Compile,
        (isShown ? tr("Compiled in %1; kernels: %2")
                 : tr("Compiled for comparison in %1; kernels: %2"))
            .arg(secondsText(known.clock), countText(qint64(texts->report.kernels.size()))),
        kernelsOf(*texts));
  if (const auto &error = compile.error())
    return write(Kind::Compile, Severity::Error, tr("Not compiled: %1").arg(from(error->message)),
                 hintOf(*error));
  write(Kind::Compile, tr("Compiling was stopped"));
}

LogWriter::Details LogWriter::kernelsOf(const CompiledTexts &texts) const {
  Details details;
  for (const report::KernelReport &kernel : texts.report.kernels) {
    QString text = from(kernel.name);
    if (kernel.assembler)
      text = tr("%1: %2 registers and %3 of stack per thread")
                 .arg(text)
                 .arg(kernel.assembler->registers)
                 .arg(bytesText(kernel.assembler->stackBytes));
    details.push_back(
        {text, kernel.stages.empty() ? LogTarget() : stage(nameOf(kernel.stages.back()))});
  }
  for (const std::string &remark : texts.report.remarks)
    details.push_back({from(remark), {}});
  return details;
}

void LogWriter::follow(MeasureFlow &measure, DocumentFlow &documents) {
  connect(&measure, &MeasureFlow::changed, this, [this, &measure] { measureState(measure); });
  connect(&measure, &MeasureFlow::measured, this, [this, &documents](quint64 id) {
    ++m_measured;
    const document::CandidatePtr of = documents.document().candidate(id);
    if (of && of->measurement)
      write(Kind::Measure, tr("%1: %2").arg(from(of->label.name), measuredText(*of->measurement)),
            {}, candidate(id));
  });
  connect(&measure, &MeasureFlow::verified, this, [this](quint64 id, const QString &text) {
    ++m_measured;
    write(Kind::Verify, text, {}, candidate(id));
  });
  connect(&measure, &MeasureFlow::failed, this, [this, &measure] { measureFailures(measure); });
}

void LogWriter::measureState(const MeasureFlow &measure) {
  const MeasureFlow::State before = std::exchange(m_measureState, measure.state());
  if (m_measureState == before) return;
  if (m_measureState != MeasureFlow::State::Idle) {
    m_isVerifying = m_measureState == MeasureFlow::State::Verifying;
    m_measured = 0;
    m_measuring.start();
    startsAgain(!m_isVerifying);
    return m_isVerifying ? write(Kind::Verify, tr("Verifying began"))
                         : write(Kind::Measure, tr("Measuring on %1 began").arg(measure.where()));
  }
  const QString counts = tr("after %1: %2 done, %3 failed")
                             .arg(secondsText(m_measuring), countText(m_measured),
                                  countText(qint64(measure.failures().size())));
  m_isVerifying ? write(Kind::Verify, tr("Verifying ended %1").arg(counts))
                : write(Kind::Measure, tr("Measuring ended %1").arg(counts));
}

void LogWriter::measureFailures(const MeasureFlow &measure) {
  for (const MeasureFlow::Failure &failure : measure.failures())
    write(m_isVerifying ? Kind::Verify : Kind::Measure, Severity::Error, failure.text, {},
          candidate(failure.candidate));
}

// ---- Workers and hosts

void LogWriter::follow(HostModel &hosts) {
  connect(&hosts, &HostModel::changed, this, [this, &hosts] { hostsChanged(hosts); });
}

void LogWriter::hostsChanged(const HostModel &hosts) {
  for (const QString &host : QStringList{QString()} + hosts.hosts()) {
    const QString &gpu = hosts.gpu(host), &whyNot = hosts.whyNot(host);
    const QString state = gpu + '\n' + whyNot;
    const bool isKnown = !gpu.isEmpty() || !whyNot.isEmpty();
    if (!isKnown || std::exchange(m_hosts[host], state) == state) continue;
    const QString name = hostText(host);
    if (whyNot.isEmpty())
      write(Kind::Worker, tr("The GPU of %1: %2").arg(name, gpu));
    else
      write(Kind::Worker, Severity::Warning, tr("There is no GPU to measure on: %1").arg(name),
            {{whyNot, {}}});
  }
}

// A worker that died is started again by the next job that needs it.
void LogWriter::startsAgain(bool alsoGpu) {
  if (std::exchange(m_isCompilerDead, false))
    write(Kind::Worker, tr("The compiling worker is being restarted"));
  if (alsoGpu && std::exchange(m_isGpuDead, false))
    write(Kind::Worker, tr("The GPU's worker is being restarted"));
}

void LogWriter::follow(CrashLadder &ladder) {
  connect(&ladder, &CrashLadder::died, this, [this](CrashLadder::Worker worker) {
    (worker == CrashLadder::Worker::Compiler ? m_isCompilerDead : m_isGpuDead) = true;
    write(Kind::Worker, Severity::Error, workerText(worker),
          {{tr("The next job starts a new worker."), {}}});
  });
  connect(&ladder, &CrashLadder::changed, this, [this, &ladder] {
    if (ladder.rung() == CrashLadder::Rung::Counts)
      write(Kind::Worker, rungText(ladder.rung()));
    else
      write(Kind::Worker, Severity::Warning, rungText(ladder.rung()),
            {{tr("Whatever is off can be turned on again in the status bar."), {}}});
  });
}

} // namespace tessera::views
