// SPDX-License-Identifier: MIT
#include "engine/session/document_file.h"

#include "engine/base/base64.h"
#include "engine/bench/json_reader.h"
#include "engine/schedule/schedule_json.h"
#include "engine/session/document_json.h"
#include "engine/session/files.h"
#include "engine/session/pipeline_copy.h"
#include "engine/session/sections.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

namespace tessera::session {

namespace {

using bench::ObjectReader;
using nlohmann::json;
using nlohmann::ordered_json;
using pipeline::PipelinePtr;

constexpr std::string_view kKind = "document";
constexpr int kVersion = 1;
constexpr std::string_view kCandidate = "candidate ";

std::string lineOf(const ordered_json &value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// The sections that are whole, taken out one by one.
class Whole {
public:
  explicit Whole(ReadSections read) : m_lost(std::move(read.damaged)) {
    for (Section &section : read.sections)
      m_texts.emplace(std::move(section.name), std::move(section.text));
  }

  bool has(const std::string &name) const { return m_texts.contains(name); }
  // A section that cannot be read is lost as one that is damaged is.
  template <typename T>
  std::optional<T> take(const std::string &name,
                        const std::function<Result<T>(const json &)> &read) {
    const auto at = m_texts.find(name);
    if (at == m_texts.end()) return std::nullopt;
    const json value = json::parse(at->second, nullptr, false);
    m_texts.erase(at);
    Result<T> taken = value.is_discarded()
                          ? Result<T>(Error{ErrorCode::InputRefused, "it is not JSON", {}})
                          : read(value);
    if (taken) return std::move(*taken);
    lose(name + ": " + taken.error().message);
    return std::nullopt;
  }
  void lose(std::string what) { m_lost.push_back(std::move(what)); }
  std::vector<std::string> candidates() const {
    std::vector<std::string> names;
    for (const auto &[name, text] : m_texts)
      if (name.starts_with(kCandidate)) names.push_back(name);
    return names;
  }
  // What nobody took is of a version that we do not know.
  std::vector<std::string> lost() && {
    for (const auto &[name, text] : m_texts)
      m_lost.push_back(name + ": this version does not know it");
    return std::move(m_lost);
  }

private:
  std::map<std::string, std::string> m_texts;
  std::vector<std::string> m_lost;
};

Error refused(std::string message, std::string hint = {}) {
  return {ErrorCode::InputRefused, std::move(message), std::move(hint)};
}

struct EmbeddedFile {
  std::string serialized, sidecar;
};

Result<EmbeddedFile> fileFrom(const json &value) {
  const auto bytes = [&](const char *key) {
    const auto at = value.find(key);
    return at != value.end() && at->is_string() ? fromBase64(at->get<std::string>()) : std::nullopt;
  };
  if (!value.is_object()) return refused("it is no object");
  auto serialized = bytes("serialized"), sidecar = bytes("sidecar");
  if (!serialized || !sidecar) return refused("it holds no files");
  return EmbeddedFile{std::move(*serialized), std::move(*sidecar)};
}

struct Target {
  std::string machine, algorithm;
};

Result<Target> targetFrom(const json &value) {
  try {
    ObjectReader object(value, "what is scheduled with");
    return Target{object.word("machine"), object.word("algorithm")};
  } catch (const bench::Malformed &wrong) {
    return refused(wrong.what());
  }
}

// The description, or what Halide's own file says where that is damaged.
Result<PipelineCopyPtr> sourceFrom(Whole &whole, const PipelineReader &reader) {
  auto source = whole.take<PipelineCopy>("pipeline", pipelineCopyFromJson);
  auto file = whole.take<EmbeddedFile>("file", fileFrom);
  if (!source && !file)
    return refused("its pipeline is damaged, and so is the copy of its file.",
                   "Open the pipeline itself.");
  PipelineCopy copy = source ? std::move(*source) : PipelineCopy{};
  if (file) {
    copy.serialized = std::move(file->serialized);
    copy.sidecar = std::move(file->sidecar);
  }
  if (!copy.pipeline) {
    auto read =
        reader
            ? reader(copy)
            : Result<PipelinePtr>(refused("its pipeline is damaged.", "Open the pipeline itself."));
    if (!read) return read.error();
    copy.pipeline = std::move(*read);
  }
  copy.contentSha256 = contentSha256Of(copy);
  return std::make_shared<const PipelineCopy>(std::move(copy));
}

std::vector<CandidatePtr> candidatesFrom(Whole &whole, const PipelinePtr &pipeline) {
  std::map<std::uint64_t, CandidatePtr> byId;
  for (const std::string &name : whole.candidates())
    if (auto candidate = whole.take<KeptCandidate>(
            name, [&](const json &value) { return candidateFromJson(pipeline, value); })) {
      const bool isNew =
          candidate->id != 0 && candidate->id < UINT64_MAX &&
          byId.try_emplace(candidate->id, std::make_shared<const KeptCandidate>(*candidate)).second;
      if (!isNew) whole.lose(name + ": its id is another's");
    }
  std::vector<CandidatePtr> candidates;
  for (auto &[id, candidate] : byId)
    candidates.push_back(std::move(candidate));
  return candidates;
}

// Steps stay where a candidate that they speak of is lost.
void forgetLost(History &history, const std::vector<CandidatePtr> &candidates) {
  for (Document::Step &step : history.steps)
    std::erase_if(step.labels, [&](const Document::LabelChange &change) {
      return std::ranges::find(candidates, change.id, &KeptCandidate::id) == candidates.end();
    });
}

Error inFile(const std::string &path, Error error) {
  error.message = "'" + path + "': " + error.message;
  return error;
}

} // namespace

std::string documentText(const Document &document, std::string_view layout) {
  const Document::Parts &parts = document.parts();
  std::vector<Section> sections{
      {"target", lineOf({{"machine", parts.machine}, {"algorithm", parts.algorithm}})},
      {"schedule",
       lineOf(document.current() ? schedule::toJson(*document.current()) : ordered_json(nullptr))},
      {"pipeline", lineOf(toJson(*parts.source))},
      {"file", lineOf({{"serialized", toBase64(parts.source->serialized)},
                       {"sidecar", toBase64(parts.source->sidecar)}})},
      {"history", lineOf(toJson(History{parts.start, parts.steps, parts.position}))}};
  // Without one the file is as older versions know it.
  if (parts.inputs != RunInputs()) sections.push_back({"inputs", lineOf(toJson(parts.inputs))});
  for (const CandidatePtr &candidate : parts.candidates)
    sections.push_back(
        {std::string(kCandidate) + std::to_string(candidate->id), lineOf(toJson(*candidate))});
  sections.push_back({"layout", lineOf(toBase64(layout))});
  return sectionsText(kKind, kVersion, sections);
}

Result<ReadDocument> readDocument(std::string_view bytes, const PipelineReader &reader) {
  auto sections = readSections(kKind, kVersion, bytes);
  if (!sections) return sections.error();
  Whole whole(std::move(*sections));
  auto source = sourceFrom(whole, reader);
  if (!source) return source.error();
  Document::Parts parts;
  parts.source = std::move(*source);
  const PipelinePtr &pipeline = parts.source->pipeline;
  if (auto target = whole.take<Target>("target", targetFrom)) {
    parts.machine = std::move(target->machine);
    parts.algorithm = std::move(target->algorithm);
  }
  if (auto inputs = whole.take<RunInputs>("inputs", runInputsFromJson))
    parts.inputs = std::move(*inputs);
  using Current = std::optional<schedule::Schedule>;
  const auto current = whole.take<Current>("schedule", [&](const json &value) -> Result<Current> {
    if (value.is_null()) return Current();
    auto schedule = schedule::scheduleFromJson(pipeline, value);
    return schedule ? Result<Current>(std::move(*schedule)) : schedule.error();
  });
  auto history = whole.take<History>(
      "history", [&](const json &value) { return historyFromJson(pipeline, value); });
  const auto layout =
      whole.take<std::string>("layout", [](const json &value) -> Result<std::string> {
        auto blob = value.is_string() ? fromBase64(value.get<std::string>()) : std::nullopt;
        return blob ? Result<std::string>(std::move(*blob)) : refused("it is no layout");
      });
  parts.candidates = candidatesFrom(whole, pipeline);
  if (!parts.candidates.empty()) parts.nextId = parts.candidates.back()->id + 1;
  if (history) {
    forgetLost(*history, parts.candidates);
    parts.start = std::move(history->start);
    parts.steps = std::move(history->steps);
    parts.position = history->position;
  } else if (current) {
    parts.start = *current; // what the lost steps led to
  }
  auto document = Document::create(std::move(parts));
  if (!document) return document.error();
  return ReadDocument{std::move(*document), layout.value_or(""), std::move(whole).lost()};
}

Status saveDocument(const std::string &path, const Document &document, std::string_view layout) {
  return writeFile(path, documentText(document, layout));
}

Result<ReadDocument> openDocument(const std::string &path, const PipelineReader &reader) {
  const auto bytes = readFile(path);
  if (!bytes) return bytes.error();
  auto read = readDocument(*bytes, reader);
  return read ? std::move(read) : inFile(path, read.error());
}

} // namespace tessera::session
