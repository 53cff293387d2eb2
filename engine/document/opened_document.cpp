// SPDX-License-Identifier: MIT
#include "engine/document/opened_document.h"

#include "engine/document/carry.h"
#include "engine/document/pipeline_copy.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

namespace tessera::document {

namespace {

constexpr std::size_t kListed = 12;

Status sameButEstimates(const open::OpenRequest &own, const open::OpenRequest &request) {
  const auto refused = [](const std::string &what, const std::string &hint) {
    return Error{ErrorCode::Usage, "A document holds one pipeline, and " + what, hint};
  };
  if (request.generator != own.generator || request.parameters != own.parameters)
    return refused("its generator cannot run again.",
                   "Open the generator itself to choose other parameters.");
  if (request.build != own.build)
    return refused("its generator cannot be compiled again.",
                   "Open the generator's source itself to compile it in another way.");
  if (request.size != own.size)
    return refused("has no named sizes.", "Write the size as --estimate NAME=1536×2560.");
  if (request.ownSchedule != own.ownSchedule)
    return refused("keeps it as it was opened, with or without its own schedule.",
                   "Open '" + own.path + "' itself.");
  return Done{};
}

std::string listOf(const Document &document) {
  std::string list;
  std::size_t count = 0;
  for (const CandidatePtr &candidate : document.candidates()) {
    if (candidate->label.isRemoved) continue;
    if (++count <= kListed)
      list += (list.empty() ? "" : ", ") + std::to_string(candidate->id) + " (" +
              plainName(*candidate) + ")";
  }
  if (count > kListed) list += " and " + std::to_string(count - kListed) + " more";
  return list.empty() ? "It has none." : "It has: " + list + ".";
}

} // namespace

Result<OpenedDocument> openedAs(const Document &document, const open::OpenRequest &request,
                                const std::string &parent, open::PipelineOpener &opener,
                                std::stop_token stop, const job::ProgressCallback &progress) {
  const PipelineCopy &source = document.source();
  if (const Status same = sameButEstimates(source.request, request); !same) return same.error();
  auto opened = unpacked(source, parent);
  if (!opened) return opened.error();
  const auto &own = source.request.estimates;
  if (request.estimates.size() == own.size()) {
    opened->document = std::make_shared<const Document>(document);
    return OpenedDocument{std::move(*opened), {}};
  }
  if (source.serialized.empty())
    return Error{ErrorCode::InputRefused,
                 "The document has no copy of '" + source.request.path +
                     "', which is needed for other estimates.",
                 "Open that file itself."};
  open::OpenRequest again;
  again.path = opened->file.pipeline;
  again.ownSchedule = open::OwnSchedule::Leave; // the copy is of what was opened
  again.estimates = source.estimates;
  again.estimates.insert(again.estimates.end(),
                         request.estimates.begin() + static_cast<std::ptrdiff_t>(own.size()),
                         request.estimates.end());
  auto resized = opener.open(again, std::move(stop), progress);
  if (!resized) {
    Error error = resized.error(); // names no file, since a scratch file was read
    if (error.code != ErrorCode::Cancelled)
      error.message = "'" + opened->path + "': " + error.message;
    return error;
  }
  resized->path = opened->path;
  resized->kind = opened->kind;
  resized->file.made = opened->file.made; // keeps the folder of its files alive
  resized->file.functions = opened->file.functions;
  PipelineCopy copy = source;
  copy.estimates = again.estimates;
  copy.pipeline = resized->pipeline;
  Carried carried = carriedOver(document, std::make_shared<const PipelineCopy>(std::move(copy)));
  resized->document = std::make_shared<const Document>(std::move(carried.document));
  return OpenedDocument{std::move(*resized), std::move(carried.lost)};
}

std::string plainName(const KeptCandidate &candidate) {
  std::string name = candidate.label.name;
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::iscntrl(letter); }, ' ');
  return name;
}

Result<schedule::Schedule> candidateOf(const Document &document, std::uint64_t id) {
  const CandidatePtr candidate = document.candidate(id);
  if (candidate && !candidate->label.isRemoved) return candidate->schedule;
  return Error{ErrorCode::Usage, "The document has no candidate " + std::to_string(id) + ".",
               listOf(document)};
}

Result<schedule::Schedule> currentOf(const Document &document) {
  if (document.current()) return *document.current();
  return Error{ErrorCode::Usage, "The document has no current schedule.",
               "Name a candidate by its id. " + listOf(document)};
}

} // namespace tessera::document
