// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/measure_flow.h"
#include "views/text/from_std.h"

#include "engine/base/utc_now.h"
#include "engine/measure/inputs.h"
#include "engine/report/verify_report.h"
#include "views/text/counted_text.h"
#include "views/text/error_text.h"
#include "views/text/measurement_text.h"
#include "views/text/stage_summary.h"

#include <QStringList>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace tessera::views {

namespace {

const QString kMeasureTag = QStringLiteral("measure");
const QString kVerifyTag = QStringLiteral("verify");
// The number of verifications whose files are kept; each may leave a gigabyte.
constexpr std::size_t kKeptOutputs = 4;

// True: the candidate caused the failure, so the next candidate may succeed.
bool isOfTheCandidate(Outcome outcome) {
  switch (outcome) {
  case Outcome::WrongOutput:
  case Outcome::CompileError:
  case Outcome::CompileTimeout:
  case Outcome::LaunchError:
  case Outcome::RunTimeout:
  case Outcome::HostMemory:
  case Outcome::DeviceMemory:
  case Outcome::Crashed:
  case Outcome::SkippedKnownBad:
    return true;
  case Outcome::Ok:
  case Outcome::DeviceLost:
  case Outcome::ConnectionLost:
  case Outcome::Cancelled:
  case Outcome::ProtocolError:
    break;
  }
  return false;
}

// True: the candidate killed a worker or computes a wrong result.
bool isDistrusted(Outcome outcome) {
  return outcome == Outcome::WrongOutput || outcome == Outcome::Crashed ||
         outcome == Outcome::RunTimeout;
}

QString plainWords(Outcome outcome) {
  switch (outcome) {
  case Outcome::WrongOutput:
    return MeasureFlow::tr("its outputs are wrong, so its time does not count");
  case Outcome::CompileError:
    return MeasureFlow::tr("it cannot be compiled");
  case Outcome::CompileTimeout:
    return MeasureFlow::tr("compiling took too long and was stopped");
  case Outcome::LaunchError:
    return MeasureFlow::tr("the GPU refused to run it");
  case Outcome::RunTimeout:
    return MeasureFlow::tr("it took too long and was stopped; one of its kernels may never end");
  case Outcome::HostMemory:
    return MeasureFlow::tr("there was not enough memory");
  case Outcome::DeviceMemory:
    return MeasureFlow::tr("the GPU did not have enough memory");
  case Outcome::Crashed:
    return MeasureFlow::tr("the worker crashed; nothing else is lost");
  case Outcome::DeviceLost:
    return MeasureFlow::tr("there is no GPU to measure on");
  case Outcome::ConnectionLost:
    return MeasureFlow::tr("there is no connection to the GPU");
  case Outcome::SkippedKnownBad:
    return MeasureFlow::tr("the schedule failed in an earlier run");
  case Outcome::Ok:
  case Outcome::Cancelled:
  case Outcome::ProtocolError:
    break;
  }
  return MeasureFlow::tr("the worker did not answer as expected");
}

// The files of the inputs are read in the job, because they may be large and may have changed since
// they were chosen.
template <typename Answer, typename Run>
std::function<Result<Answer>(const job::JobContext &)>
onInputs(const measure::RunInputs &inputs, std::shared_ptr<const OpenFlow::OpenedFile> opened,
         MeasureWish wish, Run run) {
  return [=](const job::JobContext &job) -> Result<Answer> {
    auto given = measure::readGivenInputs(inputs, opened->opened);
    if (!given) return given.error();
    MeasureWish with = wish;
    with.inputs = std::move(*given);
    with.seed = inputs.seed;
    with.tolerance = inputs.tolerance;
    return run(with, job.stop, job.progress);
  };
}

// Adds remarks about inputs that differ from the default random numbers.
void addRemark(std::vector<std::string> &remarks, const measure::RunInputs &inputs) {
  for (const measure::RunInputs::File &file : inputs.files)
    remarks.push_back("Input " + file.input + " was read from " + file.path + ".");
  if (inputs.seed != measure::RunInputs().seed)
    remarks.push_back("The random numbers had the seed " + std::to_string(inputs.seed) + ".");
}

// Shown wherever the job could be started. The status bar has the button to switch it on again.
QString offText(const QString &what) {
  return MeasureFlow::tr(
             "%1 is off after three crashes in ten minutes; turn it on again in the status bar.")
      .arg(what);
}

// Describes the first wrong output: where it differs and how.
QString wrongText(const report::VerifyReport &report) {
  const auto wrong =
      std::ranges::find(report.outputs, report::Verdict::Different,
                        [](const report::OutputComparison &output) { return output.verdict(); });
  if (wrong == report.outputs.end()) return {};
  QStringList at;
  for (const std::int64_t coordinate : wrong->worstAt)
    at << QString::number(coordinate);
  return MeasureFlow::tr(
             "%1 of %2 elements of %3 are wrong; at (%4) the value is %5 instead of %6.", nullptr,
             numerus(wrong->wrong()))
      .arg(countText(wrong->wrong()), countText(wrong->elements), from(wrong->name),
           at.join(QStringLiteral(", ")), from(wrong->found), from(wrong->expected));
}

} // namespace

MeasureFlow::MeasureFlow(MeasureService service, Bridge &bridge, DocumentFlow &documents,
                         ScheduleFlow &schedule, HostModel &hosts, CrashLadder &ladder,
                         QObject *parent)
    : QObject(parent), m_service(std::move(service)), m_bridge(bridge), m_documents(documents),
      m_schedule(schedule), m_hosts(hosts), m_ladder(ladder) {
  connect(&m_documents, &DocumentFlow::changed, this, [this] {
    // The GPU is looked for when the first pipeline is opened, because an empty window should not
    // wait for a driver. A remote host is contacted only if the user asks for it.
    if (m_documents.hasDocument() && m_hosts.chosen().isEmpty() && !hasGpu() && noGpu().isEmpty())
      lookForGpu();
    if (m_state != State::Idle &&
        (!m_documents.hasDocument() || m_documents.document().pipeline() != m_pipeline))
      stop();
    emit changed();
  });
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &MeasureFlow::changed);
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &MeasureFlow::changed);
  connect(&m_hosts, &HostModel::changed, this, &MeasureFlow::changed);
  connect(&m_ladder, &CrashLadder::changed, this, &MeasureFlow::changed);
}

// ---- Whether a job can be started

QString MeasureFlow::whyNothing() const {
  if (!m_documents.hasDocument()) return tr("Open a pipeline first.");
  if (m_state == State::Measuring) return tr("A measurement is running.");
  if (m_state == State::Verifying) return tr("Outputs are being verified.");
  if (m_schedule.isRunning())
    return tr("A search is running; stop it to measure its best schedule.");
  return {};
}

QString MeasureFlow::whyNothingShown() const {
  if (const QString why = whyNothing(); !why.isEmpty()) return why;
  return m_schedule.shown() ? QString()
                            : tr("There is no schedule yet. Press Ctrl+R to search for one.");
}

QString MeasureFlow::whyNotVerify() const {
  if (!m_service.verify) return tr("This program was started without its workers.");
  if (!m_ladder.mayCompile()) return offText(tr("Compiling"));
  return whyNothing();
}

QString MeasureFlow::whyNotVerifyShown() const {
  if (const QString why = whyNotVerify(); !why.isEmpty()) return why;
  return whyNothingShown();
}

QString MeasureFlow::whyNotMeasureShown() const {
  if (const QString why = whyNotMeasure(); !why.isEmpty()) return why;
  return whyNothingShown();
}

QString MeasureFlow::whyNotMeasure() const {
  if (!m_service.measure) return tr("This program was started without its workers.");
  if (!m_ladder.mayMeasure()) return offText(tr("Measuring"));
  if (const QString why = whyNothing(); !why.isEmpty()) return why;
  // A remote host may be tried even if the last test failed, because a connection may come back.
  if (!m_hosts.chosen().isEmpty()) return {};
  if (isLookingForGpu()) return tr("Looking for a GPU.");
  if (!noGpu().isEmpty())
    return tr("Measuring needs an NVIDIA GPU. %1 Verify works without one, and you can choose "
              "another host in the Pipeline dock.")
        .arg(noGpu());
  return {};
}

QString MeasureFlow::where() const {
  const QString &host = m_hosts.chosen();
  if (host.isEmpty()) return hasGpu() ? gpu() : tr("the GPU of this computer");
  return hasGpu() ? tr("%1 of %2").arg(gpu(), host) : host;
}

// ---- Starting and stopping jobs

std::optional<MeasureWish> MeasureFlow::wishFor(const schedule::Schedule &schedule) const {
  const auto &opened = m_documents.opened();
  if (!opened) return std::nullopt;
  return MeasureWish{opened->opened.file,
                     schedule,
                     m_documents.document().source().contentSha256,
                     m_host.toStdString(),
                     m_counts && m_ladder.mayCount(),
                     {},
                     {}};
}

void MeasureFlow::measureShown() {
  if (!whyNotMeasureShown().isEmpty()) return;
  if (const std::uint64_t shown = m_documents.keepShown()) measure({shown});
}

std::vector<std::uint64_t> MeasureFlow::unmeasured() const {
  std::vector<std::uint64_t> wanted;
  if (!m_documents.hasDocument()) return wanted;
  const document::Document &document = m_documents.document();
  for (const document::CandidatePtr &candidate : document.candidates())
    if (!candidate->label.isRemoved && !candidate->label.isQuarantined &&
        !document.isMeasured(*candidate))
      wanted.push_back(candidate->id);
  return wanted;
}

document::CandidatePtr MeasureFlow::shownCandidate() const {
  const ShownSchedulePtr &shown = m_schedule.shown();
  if (!shown || !m_documents.hasDocument()) return nullptr;
  return m_documents.document().candidateWith(shown->found.schedule, shown->machine.toStdString());
}

void MeasureFlow::measure(std::vector<std::uint64_t> candidates) {
  if (!candidates.empty() && whyNotMeasure().isEmpty())
    start(State::Measuring, std::move(candidates));
}

void MeasureFlow::verifyShown() {
  if (!whyNotVerifyShown().isEmpty()) return;
  if (const std::uint64_t shown = m_documents.keepShown()) verify({shown});
}

void MeasureFlow::verify(std::vector<std::uint64_t> candidates) {
  if (!candidates.empty() && whyNotVerify().isEmpty())
    start(State::Verifying, std::move(candidates));
}

void MeasureFlow::start(State state, std::vector<std::uint64_t> candidates) {
  m_queue = std::move(candidates);
  m_done = 0;
  m_failures.clear();
  m_wasVerifying = state == State::Verifying;
  m_pipeline = m_documents.document().pipeline();
  m_inputs = m_documents.document().inputs();
  m_host = m_hosts.chosen();
  m_state = state;
  next();
}

void MeasureFlow::next() {
  document::CandidatePtr candidate;
  while (!candidate && m_done < m_queue.size())
    candidate = m_documents.document().candidate(m_queue[m_done++]);
  const auto wish = candidate ? wishFor(candidate->schedule) : std::nullopt;
  if (!wish) return finish();
  m_current = candidate->id;
  const QString name = from(candidate->label.name);
  QString title = m_state == State::Verifying ? tr("Verifying %1").arg(name)
                  : m_host.isEmpty()          ? tr("Measuring %1").arg(name)
                                              : tr("Measuring %1 on %2").arg(name, m_host);
  if (m_queue.size() > 1)
    title = tr("%1 (%2 of %3)")
                .arg(title, countText(qint64(m_done)), countText(qint64(m_queue.size())));
  m_state == State::Verifying ? verifyNext(m_current, title, *wish)
                              : measureNext(m_current, title, *wish);
  emit changed();
}

void MeasureFlow::measureNext(std::uint64_t id, const QString &title, const MeasureWish &wish) {
  m_bridge.run<measure::MeasureAnswer>(
      kMeasureTag, title,
      onInputs<measure::MeasureAnswer>(m_inputs, m_documents.opened(), wish, m_service.measure),
      this, [this, id](Result<measure::MeasureAnswer> answer) {
        if (m_state != State::Measuring || m_current != id) return;
        answer ? take(id, std::move(*answer)) : failJob(id, answer.error());
      });
}

void MeasureFlow::verifyNext(std::uint64_t id, const QString &title, const MeasureWish &wish) {
  m_bridge.run<measure::VerifiedHere>(
      kVerifyTag, title,
      onInputs<measure::VerifiedHere>(m_inputs, m_documents.opened(), wish, m_service.verify), this,
      [this, id](Result<measure::VerifiedHere> verified) {
        if (m_state != State::Verifying || m_current != id) return;
        verified ? takeVerified(id, std::move(*verified)) : failJob(id, verified.error());
      });
}

void MeasureFlow::take(std::uint64_t id, measure::MeasureAnswer answer) {
  if (answer.outcome != Outcome::Ok) {
    if (answer.outcome == Outcome::Crashed) m_ladder.crashed(CrashLadder::Worker::Gpu);
    // Records the failure with the host, so that all views of the host show it.
    if (answer.outcome == Outcome::ConnectionLost || answer.outcome == Outcome::DeviceLost)
      m_hosts.failed(m_host, errorText(answer.error));
    return fail(id, answer.outcome, failureText(id, answer.outcome, answer.error));
  }
  measure::Basis &of = answer.measurement.of;
  of.inputs = m_inputs;
  // The hash of the file may be missing if the document had just been opened when the job started.
  // By now the document has the hash.
  if (of.contentSha256.empty()) of.contentSha256 = m_documents.document().source().contentSha256;
  if (answer.counted == Outcome::Crashed) m_ladder.crashed(CrashLadder::Worker::Counter);
  m_hosts.found(m_host, from(answer.measurement.times.machine));
  const document::CandidatePtr candidate = m_documents.document().candidate(id);
  addRemark(answer.measurement.times.remarks, m_inputs);
  m_documents.apply(document::SetMeasurement{id, std::move(answer.measurement)});
  if (candidate && candidate->label.isQuarantined) m_documents.setQuarantined(id, false);
  emit measured(id);
  next();
}

// The document keeps the result, whether the outputs are right or wrong.
void MeasureFlow::takeVerified(std::uint64_t id, measure::VerifiedHere found) {
  measure::VerifyAnswer &answer = found.answer;
  addRemark(answer.report.remarks, m_inputs);
  const document::CandidatePtr candidate = m_documents.document().candidate(id);
  if (answer.outcome == Outcome::Crashed) m_ladder.crashed(CrashLadder::Worker::Compiler);
  if (!candidate || (answer.outcome != Outcome::Ok && answer.outcome != Outcome::WrongOutput))
    return fail(id, answer.outcome, failureText(id, answer.outcome, answer.error));
  const document::KeptVerification kept{
      answer.report,
      found.api,
      utcNow(),
      m_service.program,
      {candidate->schedule.hash(), m_documents.document().source().contentSha256, m_inputs}};
  if (found.outputs) {
    m_outputs.push_front({kept, std::move(found.outputs)});
    if (m_outputs.size() > kKeptOutputs) m_outputs.pop_back();
  }
  m_documents.apply(document::SetVerification{id, kept});
  const QString name = from(candidate->label.name);
  if (answer.outcome == Outcome::WrongOutput)
    return fail(id, answer.outcome,
                tr("%1 computes wrong outputs: %2").arg(name, wrongText(answer.report)));
  emit verified(id, tr("%1: %2").arg(name, verifiedText(kept)));
  next();
}

QString MeasureFlow::failureText(std::uint64_t id, Outcome outcome, const Error &error) const {
  if (!m_documents.hasDocument()) return {}; // closing the document has stopped the job
  const document::CandidatePtr candidate = m_documents.document().candidate(id);
  return (m_state == State::Verifying ? tr("%1 was not verified: %2. (%3)")
                                      : tr("%1 was not measured: %2. (%3)"))
      .arg(candidate ? from(candidate->label.name) : QString(), plainWords(outcome),
           outcome == Outcome::ConnectionLost ? errorText(error) : from(error.message).trimmed());
}

// The job was cancelled before it began, ran out of memory, or its inputs could not be read.
void MeasureFlow::failJob(std::uint64_t id, const Error &error) {
  if (error.code == ErrorCode::InputRefused)
    return fail(id, Outcome::ProtocolError,
                tr("Nothing was run. %1 Choose another file for the input on the Inputs page of "
                   "the Pipeline dock.")
                    .arg(errorText(error)));
  const Outcome outcome =
      error.code == ErrorCode::Cancelled ? Outcome::Cancelled : Outcome::HostMemory;
  fail(id, outcome, failureText(id, outcome, error));
}

void MeasureFlow::fail(std::uint64_t id, Outcome outcome, const QString &text) {
  if (outcome == Outcome::Cancelled) return finish();
  const bool isVerifying = m_state == State::Verifying;
  m_failures.push_back({id, outcome, text});
  // While verifying, only wrong outputs quarantine the candidate: a crash often has other causes.
  if (isDistrusted(outcome) && (!isVerifying || outcome == Outcome::WrongOutput))
    m_documents.setQuarantined(id, true);
  const bool mayGoOn = isVerifying ? m_ladder.mayCompile() : m_ladder.mayMeasure();
  if (isOfTheCandidate(outcome) && mayGoOn) return next();
  finish();
  // Tests this computer again, so that the disabled action says why. The reason of a remote host is
  // recorded already.
  if (m_host.isEmpty() && (outcome == Outcome::DeviceLost || outcome == Outcome::ConnectionLost))
    lookForGpu();
}

void MeasureFlow::finish() {
  m_state = State::Idle;
  m_current = 0;
  m_queue.clear();
  m_pipeline = nullptr;
  emit changed();
  if (!m_failures.empty()) emit failed();
}

const MeasureFlow::Outputs *
MeasureFlow::outputsOf(const document::KeptVerification &verification) const {
  const auto at = std::ranges::find(m_outputs, verification, &Outputs::of);
  return at == m_outputs.end() ? nullptr : &*at;
}

void MeasureFlow::stop() {
  m_queue.clear();
  m_bridge.cancelTag(m_state == State::Verifying ? kVerifyTag : kMeasureTag);
}

void MeasureFlow::retry() {
  std::vector<std::uint64_t> again;
  for (const Failure &failure : m_failures)
    again.push_back(failure.candidate);
  m_wasVerifying ? verify(std::move(again)) : measure(std::move(again));
}

QString MeasureFlow::failureText() const {
  QStringList texts;
  for (const Failure &failure : m_failures)
    texts << failure.text;
  return texts.join('\n');
}

} // namespace tessera::views
