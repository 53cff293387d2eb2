// SPDX-License-Identifier: MIT
#include "engine/document/schedule_source.h"

#include "engine/document/opened_document.h"
#include "engine/host/files.h"
#include "engine/schedule/directives/found_factored.h"
#include "engine/schedule/directives/found_names.h"
#include "engine/schedule/directives/lasting_names.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/text/schedule_text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace tessera::document {
namespace {

namespace fs = std::filesystem;
using job::ProgressCallback;
using schedule::Directive;
using schedule::FoundCalls;
using schedule::Schedule;

constexpr std::string_view kEnding = ".hlpipe";
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kListedCalls = 8;

const char *const kWords = "A schedule is one of: default, manual, a file that ends in .json or "
                           ".schedule.h; for a document also current or the id of a candidate.";

Error inFile(const std::string &path, Error error) {
  error.message = "'" + path + "': " + error.message;
  return error;
}

std::optional<std::uint64_t> idOf(std::string_view word) {
  std::uint64_t id = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), id);
  const bool isWhole = read.ec == std::errc{} && read.ptr == word.data() + word.size();
  return isWhole ? std::optional(id) : std::nullopt;
}

Result<std::string> textOf(const std::string &path) {
  auto text = host::readHead(path, kMostBytes + 1);
  if (text && text->size() > kMostBytes)
    return inFile(path, {ErrorCode::InputRefused, "it is longer than a schedule can be.", ""});
  return text;
}

Result<Schedule> readSchedule(const ScheduleWord &word, const pipeline::PipelinePtr &pipeline) {
  const auto text = textOf(word.path);
  if (!text) return text.error();
  if (word.source == ScheduleSource::Cpp) {
    auto schedule = schedule::scheduleFromCpp(pipeline, *text);
    return schedule ? std::move(schedule) : inFile(word.path, schedule.error());
  }
  auto schedule = schedule::scheduleFromJsonText(pipeline, *text);
  if (schedule) return schedule;
  Error error = schedule.error(); // begins with the line and column
  error.message = word.path + ":" + error.message;
  return error;
}

std::string listed(const std::vector<std::string> &calls) {
  std::string list;
  for (std::size_t i = 0; i < calls.size() && i < kListedCalls; ++i)
    list += "\n  " + calls[i];
  if (calls.size() > kListedCalls)
    list += "\n  … and " + std::to_string(calls.size() - kListedCalls) + " more";
  return list;
}

// The error for calls in a file that no decision of Tessera can express.
Error cannotBeSaid(const std::string &path, const std::vector<std::string> &calls) {
  return {ErrorCode::InputRefused,
          "'" + path +
              "' is scheduled with calls that Tessera's decisions cannot express:" + listed(calls),
          "Write the schedule without them, or use another one."};
}

// The scheduling calls in a file. No worker is needed for a file without a schedule.
Result<FoundCalls> callsIn(const open::OpenedPipeline &opened, open::PipelineOpener &opener,
                           std::stop_token stop, const ProgressCallback &progress) {
  if (opened.pipeline->foundSchedule().empty()) return FoundCalls{};
  return opener.scheduleIn(opened.file, stop, progress);
}

// What the generator promises of the buffers where it schedules itself, by the names of outputs in
// the unscheduled pipeline.
std::vector<report::Promise> promisesOf(const FoundCalls &found, const pipeline::Pipeline &base) {
  std::vector<report::Promise> promises = found.promises;
  for (report::Promise &promise : promises)
    if (std::ranges::find(base.inputs(), promise.buffer, &pipeline::Input::name) ==
        base.inputs().end())
      promise.buffer = schedule::bufferNamed(base, schedule::lastingBuffer(promise.buffer));
  return promises;
}

struct Raised {
  Schedule schedule;
  std::vector<std::string> leftOut;
};

// The schedule in a file, without the calls that belong to its algorithm, as decisions for the
// unscheduled pipeline.
Result<Raised> raised(const open::OpenedPipeline &scheduled, FoundCalls algorithm,
                      const open::OpenedPipeline &plain, open::PipelineOpener &opener,
                      std::stop_token stop, const ProgressCallback &progress) {
  const pipeline::PipelinePtr &base = plain.pipeline;
  auto found = callsIn(scheduled, opener, stop, progress);
  if (!found) return found.error();
  if (!found->promises.empty() || !found->unsaidPromises.empty()) {
    auto always = opener.scheduleIn(plain.file, stop, progress);
    if (!always) return always.error();
    algorithm.promises = std::move(always->promises);
    algorithm.unsaidPromises = std::move(always->unsaidPromises);
  }
  found = beyond(algorithm, std::move(*found));
  std::vector<std::string> needed, leftOut = std::move(found->unsaidPromises);
  for (schedule::OtherCall &other : found->others)
    (other.makesLoops ? needed : leftOut).push_back(std::move(other.text));
  if (!needed.empty()) return cannotBeSaid(scheduled.path, needed);
  std::vector<Directive> directives = schedule::foundFactored(*base, *scheduled.pipeline);
  directives.insert(directives.end(), found->directives.begin(), found->directives.end());
  auto schedule = schedule::raise(
      base, schedule::withNamesOf(*base, *scheduled.pipeline, std::move(directives)));
  if (!schedule) return inFile(scheduled.path, schedule.error());
  schedule::Settings settings = schedule->settings();
  settings.promises = promisesOf(*found, *base);
  schedule->set(std::move(settings));
  return Raised{std::move(*schedule), std::move(leftOut)};
}

std::string manualBeside(const std::string &path) {
  if (!path.ends_with(kEnding)) return {};
  return path.substr(0, path.size() - kEnding.size()) + ".manual" + std::string(kEnding);
}

Error noManual(const open::OpenedPipeline &opened) {
  if (opened.kind != open::SourceKind::SerializedPipeline)
    return {ErrorCode::InputRefused, "The generator of '" + opened.path + "' has no schedule.",
            "Its schedule() or generate() makes none for a GPU. Use default, which always exists."};
  const std::string beside = manualBeside(opened.path);
  return {ErrorCode::InputRefused,
          "'" + opened.path + "' has no manual schedule: the file itself has none" +
              (beside.empty() ? "." : ", and there is no '" + beside + "'."),
          "Use default, which always exists."};
}

// Opens the file with the manual schedule: the one beside the pipeline, else the pipeline's own
// file, which may have had its schedule taken off, or the generator with its own schedule.
Result<open::OpenedPipeline> openManual(const open::OpenRequest &request,
                                        const open::OpenedPipeline &opened,
                                        open::PipelineOpener &opener, std::stop_token stop,
                                        const ProgressCallback &progress) {
  open::OpenRequest manual = request;
  manual.ownSchedule = open::OwnSchedule::Apply;
  if (opened.kind == open::SourceKind::SerializedPipeline) {
    std::error_code missing;
    const std::string beside = manualBeside(opened.path);
    const bool isBeside = !opened.isUnscheduled && fs::exists(beside, missing);
    manual = {.path = isBeside ? beside : opened.path,
              .ownSchedule = open::OwnSchedule::Apply,
              .estimates = opened.file.estimates};
    const bool mayHaveOne = isBeside || opened.isUnscheduled || opened.document;
    if (!mayHaveOne || !fs::exists(manual.path, missing)) return noManual(opened);
  }
  auto scheduled = opener.open(manual, stop, progress);
  if (scheduled && scheduled->pipeline->foundSchedule().empty()) return noManual(opened);
  return scheduled;
}

Result<SourcedSchedule> keptSchedule(const ScheduleWord &word, const open::OpenedPipeline &opened) {
  if (!opened.document)
    return Error{ErrorCode::Usage, "Only a document has a current schedule and candidates.",
                 "'" + opened.path +
                     "' is not a document; the explorer saves documents as NAME.tessera."};
  auto schedule = word.source == ScheduleSource::Current ? currentOf(*opened.document)
                                                         : candidateOf(*opened.document, word.id);
  if (!schedule) return schedule.error();
  return SourcedSchedule{std::move(*schedule), word.source, {}, false, {}, {}};
}

} // namespace

Result<ScheduleWord> parseScheduleWord(std::string_view word) {
  const std::string text(word);
  if (text.empty()) return Error{ErrorCode::Usage, "No schedule was given.", kWords};
  if (word == "default") return ScheduleWord{ScheduleSource::Default, {}};
  if (word == kManual) return ScheduleWord{ScheduleSource::Manual, {}};
  if (word.starts_with("peer:"))
    return Error{ErrorCode::Usage,
                 "'" + text + "': schedules of other autoschedulers are given as files.",
                 "Make them with tessera-cli peers FILE -o DIR. " + std::string(kWords)};
  if (word == "current") return ScheduleWord{ScheduleSource::Current, {}};
  if (const auto id = idOf(word)) return ScheduleWord{ScheduleSource::Candidate, {}, *id};
  if (word.ends_with(".json")) return ScheduleWord{ScheduleSource::Json, text};
  if (word.ends_with(".h")) return ScheduleWord{ScheduleSource::Cpp, text};
  return Error{ErrorCode::Usage, "'" + text + "' is not a schedule, and not a file with one.",
               kWords};
}

Result<SourcedSchedule> scheduleFrom(std::string_view word, const open::OpenRequest &request,
                                     const open::OpenedPipeline &opened,
                                     open::PipelineOpener &opener, std::stop_token stop,
                                     const ProgressCallback &progress) {
  const auto parsed = parseScheduleWord(word);
  if (!parsed) return parsed.error();
  const ScheduleSource source = parsed->source;
  const auto said = callsIn(opened, opener, stop, progress);
  if (!said) return said.error();
  if (!saysBoundsAlone(*said)) {
    if (source != ScheduleSource::Manual)
      return Error{ErrorCode::InputRefused,
                   "'" + opened.path +
                       "' already has a schedule, and another one can only be given to a pipeline "
                       "without one.",
                   "Open the pipeline without its schedule, or use manual."};
    auto own = raised(opened, {}, opened, opener, stop, progress);
    if (!own) return own.error();
    return SourcedSchedule{std::move(own->schedule), source, opened.path, true, opened.file,
                           std::move(own->leftOut)};
  }
  if (source == ScheduleSource::Default)
    return SourcedSchedule{schedule::defaultSchedule(opened.pipeline), source, {}, false, {}, {}};
  if (source == ScheduleSource::Manual) {
    const auto manual = openManual(request, opened, opener, stop, progress);
    if (!manual) return manual.error();
    auto schedule = raised(*manual, *said, opened, opener, stop, progress);
    if (!schedule) return schedule.error();
    return SourcedSchedule{std::move(schedule->schedule), source, manual->path, false, manual->file,
                           std::move(schedule->leftOut)};
  }
  if (source == ScheduleSource::Current || source == ScheduleSource::Candidate)
    return keptSchedule(*parsed, opened);
  auto schedule = readSchedule(*parsed, opened.pipeline);
  if (!schedule) return schedule.error();
  return SourcedSchedule{std::move(*schedule), source, parsed->path, false, {}, {}};
}

Result<Schedule> scheduleIn(const open::OpenedPipeline &scheduled,
                            const open::OpenedPipeline &plain, open::PipelineOpener &opener,
                            std::stop_token stop, const ProgressCallback &progress) {
  const auto algorithm = callsIn(plain, opener, stop, progress);
  if (!algorithm) return algorithm.error();
  auto found = raised(scheduled, *algorithm, plain, opener, stop, progress);
  if (!found) return found.error();
  if (!found->leftOut.empty()) return cannotBeSaid(scheduled.path, found->leftOut);
  return std::move(found->schedule);
}

Judgement judged(const SourcedSchedule &sourced, const machine::Machine &machine) {
  Judgement judgement;
  judgement.violations = schedule::check(sourced.schedule, machine);
  if (!sourced.leftOut.empty())
    judgement.remarks.push_back(
        "The manual schedule has calls that decisions cannot express. It is compiled with them, "
        "but what is exported or changed of it lacks:" +
        listed(sourced.leftOut));
  if (judgement.violations.empty()) return judgement;
  judgement.isUsable =
      sourced.source == ScheduleSource::Manual && schedule::isSound(sourced.schedule);
  if (judgement.isUsable)
    judgement.remarks.push_back("Tessera cannot vouch for the manual schedule, which verify can: " +
                                judgement.violations.front().message);
  return judgement;
}

Result<std::vector<std::string>> remarksOn(const SourcedSchedule &sourced,
                                           const machine::Machine &machine) {
  Judgement judgement = judged(sourced, machine);
  if (judgement.isUsable) return std::move(judgement.remarks);
  const schedule::Violation &first = judgement.violations.front();
  return Error{ErrorCode::InputRefused, "the schedule is not legal: " + first.message,
               first.hint()};
}

} // namespace tessera::document
