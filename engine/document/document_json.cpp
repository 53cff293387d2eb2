// SPDX-License-Identifier: MIT
#include "engine/document/document_json.h"

#include "engine/bench/json_reader.h"
#include "engine/pipeline/json.h"
#include "engine/schedule/text/schedule_json.h"

#include <array>
#include <map>
#include <utility>

namespace tessera::document {

namespace {

using bench::Malformed;
using bench::ObjectReader;
using nlohmann::json;
using nlohmann::ordered_json;
using pipeline::PipelinePtr;
using schedule::Schedule;

constexpr std::array kCandidateOrigins{CandidateOrigin::Search,   CandidateOrigin::User,
                                       CandidateOrigin::Imported, CandidateOrigin::Manual,
                                       CandidateOrigin::Default,  CandidateOrigin::Peer};
constexpr std::array kPins{Pin::None, Pin::A, Pin::B};
constexpr std::array kKinds{open::SourceKind::SerializedPipeline,
                            open::SourceKind::GeneratorProgram, open::SourceKind::GeneratorLibrary,
                            open::SourceKind::GeneratorSource};
// The lists in a schedule's JSON whose items many steps share.
constexpr std::array kShared{"directives", "marks"};

template <typename Word, std::size_t N>
Word wordFrom(const std::array<Word, N> &words, const std::string &text) {
  for (const Word word : words)
    if (name(word) == text) return word;
  throw Malformed("'" + text + "' is not a known word");
}

// Turns the exceptions of the JSON readers into an Error.
template <typename T, typename Read>
Result<T> guarded(const Read &read) {
  try {
    return read();
  } catch (const Malformed &wrong) {
    return Error{ErrorCode::InputRefused, wrong.what(), {}};
  }
}

template <typename T>
T valueOf(Result<T> result) {
  if (!result) throw Malformed(result.error().message);
  return std::move(*result);
}

// Reads an id or a hash with all 64 bits.
std::uint64_t wide(ObjectReader &object, const char *key) {
  const json &value = object.at(key);
  if (!value.is_number_unsigned()) throw Malformed(std::string("'") + key + "' is not a number");
  return value.get<std::uint64_t>();
}

double seconds(ObjectReader &object, const char *key) {
  const auto value = object.number<double>(key);
  if (!std::isfinite(value) || value < 0)
    throw Malformed(std::string("'") + key + "' is not a time");
  return value;
}

ordered_json toJson(const std::vector<open::EstimateOverride> &estimates) {
  ordered_json list = ordered_json::array();
  for (const open::EstimateOverride &estimate : estimates) {
    ordered_json one{{"name", estimate.name}};
    if (!estimate.scalar.empty()) one["scalar"] = estimate.scalar;
    for (const pipeline::Interval &dim : estimate.dims)
      one["dims"].push_back({dim.min, dim.max});
    list.push_back(std::move(one));
  }
  return list;
}

pipeline::Interval intervalFrom(const json &value) {
  if (!value.is_array() || value.size() != 2 || !value[0].is_number_integer() ||
      !value[1].is_number_integer())
    throw Malformed("an estimate's dimension is not a pair of numbers");
  return {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
}

std::vector<open::EstimateOverride> estimatesFrom(ObjectReader &object) {
  return object.list<open::EstimateOverride>("estimates", [](const json &item) {
    ObjectReader one(item, "an estimate");
    open::EstimateOverride estimate;
    estimate.name = one.word("name");
    if (one.has("scalar")) estimate.scalar = one.word("scalar");
    if (one.has("dims")) estimate.dims = one.list<pipeline::Interval>("dims", intervalFrom);
    return estimate;
  });
}

ordered_json toJson(const open::OpenRequest &request) {
  ordered_json out{{"path", request.path}, {"generator", request.generator}};
  out["parameters"] = ordered_json::array();
  for (const auto &[name, value] : request.parameters)
    out["parameters"].push_back({name, value});
  out["own_schedule"] = request.ownSchedule == open::OwnSchedule::Apply;
  out["estimates"] = toJson(request.estimates);
  out["size"] = request.size;
  const open::BuildOptions &build = request.build;
  if (build != open::BuildOptions{})
    out["build"] = {{"includes", build.includes},
                    {"definitions", build.definitions},
                    {"sources", build.sources},
                    {"libraries", build.libraries}};
  return out;
}

open::BuildOptions buildFrom(const json &value) {
  ObjectReader object(value, "the options of the build");
  const auto texts = [&](const char *key) {
    return object.list<std::string>(key, [](const json &item) {
      if (!item.is_string()) throw Malformed("an option of the build is no text");
      return item.get<std::string>();
    });
  };
  return {texts("includes"), texts("definitions"), texts("sources"), texts("libraries")};
}

open::OpenRequest requestFrom(const json &value) {
  ObjectReader object(value, "the request");
  open::OpenRequest request;
  request.path = object.word("path");
  request.generator = object.word("generator");
  request.parameters =
      object.list<std::pair<std::string, std::string>>("parameters", [](const json &item) {
        if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_string())
          throw Malformed("a parameter is not a pair of name and value");
        return std::pair(item[0].get<std::string>(), item[1].get<std::string>());
      });
  request.ownSchedule =
      object.number<bool>("own_schedule") ? open::OwnSchedule::Apply : open::OwnSchedule::TakeOff;
  request.estimates = estimatesFrom(object);
  request.size = object.word("size");
  if (object.has("build")) request.build = buildFrom(value.at("build"));
  return request;
}

ordered_json toJson(const CandidateLabel &label) {
  ordered_json out{{"name", label.name}};
  if (!label.note.empty()) out["note"] = label.note;
  if (label.pin != Pin::None) out["pin"] = name(label.pin);
  if (label.isQuarantined) out["quarantined"] = true;
  if (label.isRemoved) out["removed"] = true;
  return out;
}

CandidateLabel labelFrom(const json &value) {
  ObjectReader object(value, "a label");
  CandidateLabel label;
  label.name = object.word("name");
  if (object.has("note")) label.note = object.word("note");
  if (object.has("pin")) label.pin = wordFrom(kPins, object.word("pin"));
  if (object.has("quarantined")) label.isQuarantined = object.number<bool>("quarantined");
  if (object.has("removed")) label.isRemoved = object.number<bool>("removed");
  return label;
}

Schedule scheduleFrom(const PipelinePtr &pipeline, const json &value) {
  return valueOf(schedule::scheduleFromJson(pipeline, value));
}

KeptCandidate readCandidate(const PipelinePtr &pipeline, const json &value) {
  ObjectReader object(value, "a candidate");
  KeptCandidate candidate{wide(object, "id"),
                          labelFrom(object.at("label")),
                          wordFrom(kCandidateOrigins, object.word("origin")),
                          object.word("from"),
                          scheduleFrom(pipeline, object.at("schedule")),
                          object.word("machine"),
                          {},
                          {}};
  if (object.has("predicted_seconds"))
    candidate.predictedSeconds = seconds(object, "predicted_seconds");
  if (object.has("measurement"))
    candidate.measurement = valueOf(measure::keptMeasurementFrom(value));
  if (object.has("earlier"))
    candidate.earlier = object.list<measure::KeptMeasurement>(
        "earlier", [](const json &item) { return valueOf(measure::keptMeasurementFrom(item)); });
  if (object.has("verification"))
    candidate.verification = valueOf(keptVerificationFromJson(object.at("verification")));
  return candidate;
}

// Writes each distinct item of the lists in schedules only once, into `texts`. The lists then hold
// indices into `texts`.
class Shared {
public:
  ordered_json without(ordered_json schedule) {
    for (const char *member : kShared)
      if (const auto list = schedule.find(member); list != schedule.end())
        for (ordered_json &item : *list)
          item = numberOf(item);
    return schedule;
  }
  const ordered_json &texts() const { return m_texts; }

private:
  std::size_t numberOf(const ordered_json &item) {
    const auto [at, isNew] = m_numbers.try_emplace(item.dump(), m_texts.size());
    if (isNew) m_texts.push_back(item);
    return at->second;
  }

  std::map<std::string, std::size_t> m_numbers;
  ordered_json m_texts = ordered_json::array();
};

json withShared(json schedule, const json &texts) {
  if (!schedule.is_object()) throw Malformed("a step's schedule is not an object");
  for (const char *member : kShared) {
    const auto list = schedule.find(member);
    if (list == schedule.end()) continue;
    if (!list->is_array()) throw Malformed("a step's schedule has no lists");
    for (json &item : *list) {
      if (!item.is_number_unsigned() || item.get<std::size_t>() >= texts.size())
        throw Malformed("a step refers to a line that does not exist");
      item = json(texts[item.get<std::size_t>()]);
    }
  }
  return schedule;
}

ordered_json toJson(const std::optional<Schedule> &schedule, Shared &shared) {
  return schedule ? shared.without(schedule::toJson(*schedule)) : ordered_json(nullptr);
}

// Reads steps. A step that only changes a label has the same schedule as the step before it, so
// that schedule is not read again.
class StepReader {
public:
  StepReader(const PipelinePtr &pipeline, const json &texts)
      : m_pipeline(pipeline), m_texts(texts) {}

  std::optional<Schedule> schedule(ObjectReader &object, const char *key) {
    if (!object.has(key)) return std::nullopt;
    const json &value = object.at(key);
    if (!m_last || value != m_lastText) {
      m_last = scheduleFrom(m_pipeline, withShared(value, m_texts));
      m_lastText = value;
    }
    return m_last;
  }

  Document::Step step(const json &value) {
    ObjectReader object(value, "a step");
    Document::Step step;
    step.name = object.word("name");
    step.schedule = schedule(object, "schedule");
    if (object.has("labels"))
      step.labels = object.list<Document::LabelChange>("labels", [](const json &item) {
        ObjectReader change(item, "a change of a label");
        return Document::LabelChange{wide(change, "id"), labelFrom(change.at("before")),
                                     labelFrom(change.at("after"))};
      });
    if (object.has("inputs")) {
      ObjectReader change(object.at("inputs"), "a change of the inputs");
      step.inputs = {valueOf(measure::runInputsFromJson(change.at("before"))),
                     valueOf(measure::runInputsFromJson(change.at("after")))};
    }
    return step;
  }

private:
  const PipelinePtr &m_pipeline;
  const json &m_texts;
  json m_lastText;
  std::optional<Schedule> m_last;
};

ordered_json asJson(const EditSchedule &edit) {
  return {{"do", "edit"}, {"name", edit.name}, {"schedule", schedule::toJson(edit.schedule)}};
}
ordered_json asJson(const Relabel &relabel) {
  ordered_json out{{"do", "label"}, {"name", relabel.name}, {"changes", ordered_json::array()}};
  for (const Relabel::Change &change : relabel.changes)
    out["changes"].push_back({{"id", change.id}, {"label", toJson(change.label)}});
  return out;
}
ordered_json asJson(const Undo &) { return {{"do", "undo"}}; }
ordered_json asJson(const Redo &) { return {{"do", "redo"}}; }
ordered_json asJson(const AddCandidate &add) {
  return {{"do", "add"}, {"candidate", toJson(add.candidate)}};
}
ordered_json asJson(const SetMeasurement &measured) {
  ordered_json out{{"do", "measured"}, {"id", measured.id}};
  measure::addTo(out, measured.measurement);
  return out;
}
ordered_json asJson(const SetVerification &verified) {
  return {{"do", "verified"}, {"id", verified.id}, {"verification", toJson(verified.verification)}};
}
ordered_json asJson(const SetTarget &target) {
  return {{"do", "target"}, {"machine", target.machine}, {"algorithm", target.algorithm}};
}

ordered_json asJson(const SetInputs &chosen) {
  return {{"do", "inputs"}, {"name", chosen.name}, {"inputs", measure::toJson(chosen.inputs)}};
}

Operation readOperation(const PipelinePtr &pipeline, const json &value) {
  ObjectReader object(value, "an operation");
  const std::string what = object.word("do");
  if (what == "edit")
    return EditSchedule{object.word("name"), scheduleFrom(pipeline, object.at("schedule"))};
  if (what == "label")
    return Relabel{object.word("name"),
                   object.list<Relabel::Change>("changes", [](const json &item) {
                     ObjectReader change(item, "a change of a label");
                     return Relabel::Change{wide(change, "id"), labelFrom(change.at("label"))};
                   })};
  if (what == "undo") return Undo{};
  if (what == "redo") return Redo{};
  if (what == "add") return AddCandidate{readCandidate(pipeline, object.at("candidate"))};
  if (what == "measured")
    return SetMeasurement{wide(object, "id"), valueOf(measure::keptMeasurementFrom(value))};
  if (what == "verified")
    return SetVerification{wide(object, "id"),
                           valueOf(keptVerificationFromJson(object.at("verification")))};
  if (what == "target") return SetTarget{object.word("machine"), object.word("algorithm")};
  if (what == "inputs")
    return SetInputs{object.word("name"), valueOf(measure::runInputsFromJson(object.at("inputs")))};
  throw Malformed("'" + what + "' is not an operation");
}

} // namespace

ordered_json toJson(const PipelineCopy &source) {
  return {{"request", toJson(source.request)},
          {"kind", name(source.kind)},
          {"sha256", source.sha256},
          {"estimates", toJson(source.estimates)},
          {"pipeline", pipeline::toJson(*source.pipeline)}};
}

Result<PipelineCopy> pipelineCopyFromJson(const json &document) {
  return guarded<PipelineCopy>([&] {
    ObjectReader object(document, "the pipeline");
    PipelineCopy source;
    source.request = requestFrom(object.at("request"));
    source.kind = wordFrom(kKinds, object.word("kind"));
    source.sha256 = object.word("sha256");
    source.estimates = estimatesFrom(object);
    source.pipeline = valueOf(pipeline::pipelineFromJson(object.at("pipeline")));
    return source;
  });
}

ordered_json toJson(const KeptCandidate &candidate) {
  ordered_json out{{"id", candidate.id},
                   {"label", toJson(candidate.label)},
                   {"origin", name(candidate.origin)},
                   {"from", candidate.from},
                   {"machine", candidate.machine}};
  if (candidate.predictedSeconds) out["predicted_seconds"] = *candidate.predictedSeconds;
  if (candidate.measurement) measure::addTo(out, *candidate.measurement);
  for (const measure::KeptMeasurement &earlier : candidate.earlier)
    measure::addTo(out["earlier"].emplace_back(), earlier);
  if (candidate.verification) out["verification"] = toJson(*candidate.verification);
  out["schedule"] = schedule::toJson(candidate.schedule);
  return out;
}

Result<KeptCandidate> candidateFromJson(const PipelinePtr &pipeline, const json &document) {
  return guarded<KeptCandidate>([&] { return readCandidate(pipeline, document); });
}

ordered_json toJson(const History &history) {
  Shared shared;
  ordered_json start = toJson(history.start, shared), steps = ordered_json::array();
  for (const Document::Step &step : history.steps) {
    ordered_json one{{"name", step.name}, {"schedule", toJson(step.schedule, shared)}};
    for (const Document::LabelChange &change : step.labels)
      one["labels"].push_back(
          {{"id", change.id}, {"before", toJson(change.before)}, {"after", toJson(change.after)}});
    if (step.inputs)
      one["inputs"] = {{"before", toJson(step.inputs->before)},
                       {"after", toJson(step.inputs->after)}};
    steps.push_back(std::move(one));
  }
  return {{"position", history.position},
          {"lines", shared.texts()},
          {"start", std::move(start)},
          {"steps", std::move(steps)}};
}

Result<History> historyFromJson(const PipelinePtr &pipeline, const json &document) {
  return guarded<History>([&] {
    ObjectReader object(document, "the history");
    const json &texts = object.at("lines");
    if (!texts.is_array()) throw Malformed("the history has no lines");
    StepReader reader(pipeline, texts);
    History history;
    history.start = reader.schedule(object, "start");
    history.steps =
        object.list<Document::Step>("steps", [&](const json &item) { return reader.step(item); });
    history.position = object.number<std::size_t>("position");
    if (history.position > history.steps.size()) throw Malformed("the history ends too early");
    return history;
  });
}

ordered_json toJson(const Operation &operation) {
  return std::visit([](const auto &one) { return asJson(one); }, operation);
}

Result<Operation> operationFromJson(const PipelinePtr &pipeline, const json &document) {
  return guarded<Operation>([&] { return readOperation(pipeline, document); });
}

} // namespace tessera::document
