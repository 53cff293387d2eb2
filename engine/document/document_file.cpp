// SPDX-License-Identifier: MIT
#include "engine/document/document_file.h"

#include "engine/document/document_json.h"
#include "engine/document/pipeline_copy.h"
#include "engine/document/sections.h"
#include "engine/base/base64.h"
#include "engine/bench/json_reader.h"
#include "engine/host/files.h"
#include "engine/schedule/text/schedule_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tessera::document {

namespace {

using bench::ObjectReader;
using nlohmann::json;
using nlohmann::ordered_json;
using pipeline::PipelinePtr;

constexpr std::string_view kKind = "document";
constexpr int kVersion = 1;
constexpr std::string_view kCandidate = "candidate ";
constexpr std::string_view kSize = "size ";

std::string lineOf(const ordered_json &value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// The intact sections of a file. take() removes them one by one.
class Whole {
public:
  explicit Whole(ReadSections read) : m_lost(std::move(read.damaged)) {
    for (Section &section : read.sections)
      m_texts.emplace(std::move(section.name), std::move(section.text));
  }

  // A section that cannot be read is reported as lost, like a damaged one.
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
  bool hasLost(const std::string &name) const {
    return std::ranges::any_of(m_lost, [&](const std::string &lost) {
      return lost == name || lost.starts_with(name + ":");
    });
  }
  std::vector<std::string> startingWith(std::string_view start) const {
    std::vector<std::string> names;
    for (const auto &[name, text] : m_texts)
      if (name.starts_with(start)) names.push_back(name);
    return names;
  }
  void drop(std::string_view start) {
    std::erase_if(m_texts, [&](const auto &section) { return section.first.starts_with(start); });
  }
  // Sections that were never taken come from a version that this program does not know.
  std::vector<std::string> lost() && {
    for (const auto &[name, text] : m_texts)
      m_lost.push_back(name + ": this version of Tessera does not know it");
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
  if (!value.is_object()) return refused("it is not an object");
  auto serialized = bytes("serialized"), sidecar = bytes("sidecar");
  if (!serialized || !sidecar) return refused("it has no files");
  return EmbeddedFile{std::move(*serialized), std::move(*sidecar)};
}

struct Target {
  std::string machine, algorithm;
};

Result<Target> targetFrom(const json &value) {
  try {
    ObjectReader object(value, "the choice of machine and algorithm");
    return Target{object.word("machine"), object.word("algorithm")};
  } catch (const bench::Malformed &wrong) {
    return refused(wrong.what());
  }
}

struct SizeHead {
  std::string step;
  // As in SizeHistory::Entry; set only for a size that redo leads to.
  std::optional<std::size_t> leftAt;
};

Result<SizeHead> sizeFrom(const json &value) {
  try {
    ObjectReader object(value, "a size");
    SizeHead head{object.word("step"), {}};
    if (object.has("left_at")) head.leftAt = object.number<std::size_t>("left_at");
    return head;
  } catch (const bench::Malformed &wrong) {
    return refused(wrong.what());
  }
}

// Takes the pipeline's description, or imports Halide's own file if the description is damaged.
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

std::vector<CandidatePtr> candidatesFrom(Whole &whole, const std::string &of,
                                         const PipelinePtr &pipeline) {
  std::map<std::uint64_t, CandidatePtr> byId;
  for (const std::string &name : whole.startingWith(of + std::string(kCandidate)))
    if (auto candidate = whole.take<KeptCandidate>(
            name, [&](const json &value) { return candidateFromJson(pipeline, value); })) {
      const bool isNew =
          candidate->id != 0 && candidate->id < UINT64_MAX &&
          byId.try_emplace(candidate->id, std::make_shared<const KeptCandidate>(*candidate)).second;
      if (!isNew) whole.lose(name + ": another candidate has the same id");
    }
  std::vector<CandidatePtr> candidates;
  for (auto &[id, candidate] : byId)
    candidates.push_back(std::move(candidate));
  return candidates;
}

// A lost candidate's label changes are removed from the steps; the steps themselves stay.
void forgetLost(History &history, const std::vector<CandidatePtr> &candidates) {
  for (Document::Step &step : history.steps)
    std::erase_if(step.labels, [&](const Document::LabelChange &change) {
      return std::ranges::find(candidates, change.id, &KeptCandidate::id) == candidates.end();
    });
}

// Reads the document whose section names begin with `of`.
Result<Document> documentFrom(Whole &whole, const std::string &of, PipelineCopyPtr source) {
  Document::Parts parts;
  parts.source = std::move(source);
  const PipelinePtr &pipeline = parts.source->pipeline;
  if (auto target = whole.take<Target>(of + "target", targetFrom)) {
    parts.machine = std::move(target->machine);
    parts.algorithm = std::move(target->algorithm);
  }
  if (auto inputs = whole.take<measure::RunInputs>(of + "inputs", measure::runInputsFromJson))
    parts.inputs = std::move(*inputs);
  using Current = std::optional<schedule::Schedule>;
  const auto current =
      whole.take<Current>(of + "schedule", [&](const json &value) -> Result<Current> {
        if (value.is_null()) return Current();
        auto schedule = schedule::scheduleFromJson(pipeline, value);
        return schedule ? Result<Current>(std::move(*schedule)) : schedule.error();
      });
  auto history = whole.take<History>(
      of + "history", [&](const json &value) { return historyFromJson(pipeline, value); });
  parts.candidates = candidatesFrom(whole, of, pipeline);
  if (!parts.candidates.empty()) parts.nextId = parts.candidates.back()->id + 1;
  if (history) {
    forgetLost(*history, parts.candidates);
    parts.start = std::move(history->start);
    parts.steps = std::move(history->steps);
    parts.position = history->position;
  } else if (current) {
    parts.start = *current; // the steps are lost, so the document starts at the current schedule
  }
  return Document::create(std::move(parts));
}

// A size stores its file only if it differs from that of the open document. If the pipeline's
// description is damaged, it is not imported again, and the size is lost.
Result<Document> sizedDocumentFrom(Whole &whole, const std::string &of, const PipelineCopy &open) {
  auto source = whole.take<PipelineCopy>(of + "pipeline", pipelineCopyFromJson);
  if (!source) return refused("its pipeline is damaged");
  if (const auto file = whole.take<EmbeddedFile>(of + "file", fileFrom)) {
    source->serialized = file->serialized;
    source->sidecar = file->sidecar;
  } else if (!whole.hasLost(of + "file")) {
    source->serialized = open.serialized;
    source->sidecar = open.sidecar;
  }
  source->contentSha256 = contentSha256Of(*source);
  return documentFrom(whole, of, std::make_shared<const PipelineCopy>(std::move(*source)));
}

std::vector<std::uint64_t> sizesIn(const Whole &whole) {
  std::set<std::uint64_t> numbers;
  for (const std::string &name : whole.startingWith(kSize)) {
    std::uint64_t number = 0;
    const char *begin = name.data() + kSize.size(), *end = name.data() + name.size();
    const auto parsed = std::from_chars(begin, end, number);
    if (parsed.ec == std::errc{} && (parsed.ptr == end || *parsed.ptr == ' '))
      numbers.insert(number);
  }
  return {numbers.begin(), numbers.end()};
}

// The file lists the sizes that redo leads to with the farthest first. If one of them is damaged,
// redo cannot get past it, so the farther sizes, which were read before it, are lost too.
SizeHistory sizesFrom(Whole &whole, const Document &open) {
  std::vector<SizeHistory::Entry> behind, ahead;
  for (const std::uint64_t number : sizesIn(whole)) {
    const std::string name = std::string(kSize) + std::to_string(number);
    const auto head = whole.take<SizeHead>(name, sizeFrom);
    auto document = head ? sizedDocumentFrom(whole, name + " ", open.source())
                         : Result<Document>(refused("its step is damaged"));
    if (!document) {
      whole.drop(name + " ");
      if (!whole.hasLost(name) && !whole.hasLost(name + " pipeline"))
        whole.lose(name + ": " + document.error().message);
      if (!ahead.empty()) whole.lose("the sizes that " + name + " led to");
      ahead.clear();
      continue;
    }
    (head->leftAt ? ahead : behind)
        .push_back({std::move(*document), {}, head->step, head->leftAt.value_or(0)});
  }
  // A document whose history is lost has no steps, so leftAt is limited to the steps that exist.
  const Document *before = &open;
  for (auto entry = ahead.rbegin(); entry != ahead.rend(); ++entry) {
    entry->leftAt = std::min(entry->leftAt, before->parts().steps.size());
    before = &entry->document;
  }
  return SizeHistory::of(std::move(behind), std::move(ahead));
}

enum class WithFile : std::uint8_t { No, Yes };

void addSections(std::vector<Section> &sections, const std::string &of, const Document &document,
                 WithFile withFile) {
  const auto add = [&](const std::string &name, const ordered_json &value) {
    sections.push_back({of + name, lineOf(value)});
  };
  const Document::Parts &parts = document.parts();
  add("target", {{"machine", parts.machine}, {"algorithm", parts.algorithm}});
  add("schedule",
      document.current() ? schedule::toJson(*document.current()) : ordered_json(nullptr));
  add("pipeline", toJson(*parts.source));
  if (withFile == WithFile::Yes)
    add("file", {{"serialized", toBase64(parts.source->serialized)},
                 {"sidecar", toBase64(parts.source->sidecar)}});
  add("history", toJson(History{parts.start, parts.steps, parts.position}));
  // The default inputs have no section, so that older versions can read the file.
  if (parts.inputs != measure::RunInputs()) add("inputs", toJson(parts.inputs));
  for (const CandidatePtr &candidate : parts.candidates)
    add(std::string(kCandidate) + std::to_string(candidate->id), toJson(*candidate));
}

void addSize(std::vector<Section> &sections, std::size_t number, const SizeHistory::Entry &entry,
             bool isAhead, const PipelineCopy &open) {
  const std::string name = std::string(kSize) + std::to_string(number);
  ordered_json head{{"step", entry.step}};
  if (isAhead) head["left_at"] = entry.leftAt;
  sections.push_back({name, lineOf(head)});
  const PipelineCopy &source = entry.document.source();
  // A document of another size that was left before its file was read has neither file nor hash.
  // Then the file of the open document is used.
  const bool isRead = !source.serialized.empty() || !source.sha256.empty();
  const bool hasOwn =
      isRead && (source.serialized != open.serialized || source.sidecar != open.sidecar);
  addSections(sections, name + " ", entry.document, hasOwn ? WithFile::Yes : WithFile::No);
}

Error inFile(const std::string &path, Error error) {
  error.message = "'" + path + "': " + error.message;
  return error;
}

} // namespace

std::string documentText(const Document &document, std::string_view layout,
                         const SizeHistory &sizes) {
  std::vector<Section> sections;
  addSections(sections, {}, document, WithFile::Yes);
  sections.push_back({"layout", lineOf(toBase64(layout))});
  std::size_t number = 0;
  for (const SizeHistory::Entry &entry : sizes.behind())
    addSize(sections, ++number, entry, false, document.source());
  for (const SizeHistory::Entry &entry : sizes.ahead())
    addSize(sections, ++number, entry, true, document.source());
  return sectionsText(kKind, kVersion, sections);
}

Result<ReadDocument> readDocument(std::string_view bytes, const PipelineReader &reader) {
  auto sections = readSections(kKind, kVersion, bytes);
  if (!sections) return sections.error();
  Whole whole(std::move(*sections));
  auto source = sourceFrom(whole, reader);
  if (!source) return source.error();
  auto document = documentFrom(whole, {}, std::move(*source));
  if (!document) return document.error();
  const auto layout =
      whole.take<std::string>("layout", [](const json &value) -> Result<std::string> {
        auto blob = value.is_string() ? fromBase64(value.get<std::string>()) : std::nullopt;
        return blob ? Result<std::string>(std::move(*blob)) : refused("it is not a layout");
      });
  SizeHistory sizes = sizesFrom(whole, *document);
  return ReadDocument{std::move(*document), layout.value_or(""), std::move(sizes),
                      std::move(whole).lost()};
}

Status saveDocument(const std::string &path, const Document &document, std::string_view layout,
                    const SizeHistory &sizes) {
  return host::writeFile(path, documentText(document, layout, sizes));
}

Result<ReadDocument> openDocument(const std::string &path, const PipelineReader &reader) {
  const auto bytes = host::readFile(path);
  if (!bytes) return bytes.error();
  auto read = readDocument(*bytes, reader);
  return read ? std::move(read) : inFile(path, read.error());
}

} // namespace tessera::document
