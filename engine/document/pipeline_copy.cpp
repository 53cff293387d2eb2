// SPDX-License-Identifier: MIT
#include "engine/document/pipeline_copy.h"

#include "engine/base/sha256.h"
#include "engine/host/files.h"
#include "engine/host/trust.h"

#include <filesystem>
#include <span>
#include <utility>

namespace tessera::document {

namespace {

constexpr const char *kPipeline = "pipeline.hlpipe";
constexpr const char *kSidecar = "pipeline.estimates.json"; // where a worker finds it by itself

std::string contentOf(const std::string &path) {
  auto content = host::readFile(path);
  return content ? std::move(*content) : std::string();
}

// The default path of the sidecar, as in the worker: NAME.estimates.json beside NAME.hlpipe.
std::string besideOf(const std::string &path) {
  return std::filesystem::path(path).replace_extension(".estimates.json").string();
}

Result<std::string> unpack(const PipelineCopy &source, const host::ScratchFolder &folder) {
  const std::string path = folder.path() + "/" + kPipeline;
  if (const Status done = host::writeFile(path, source.serialized); !done) return done.error();
  if (!source.sidecar.empty())
    if (const Status done = host::writeFile(folder.path() + "/" + kSidecar, source.sidecar); !done)
      return done.error();
  return path;
}

} // namespace

PipelineCopy copyOf(const open::OpenRequest &request, const open::OpenedPipeline &opened) {
  PipelineCopy source;
  source.request = request;
  source.kind = opened.kind;
  if (const auto hash = host::fileHash(request.path)) source.sha256 = *hash;
  const std::string &file = opened.file.pipeline.empty() ? request.path : opened.file.pipeline;
  source.serialized = contentOf(file);
  source.sidecar = contentOf(opened.file.sidecar.empty() ? besideOf(file) : opened.file.sidecar);
  source.estimates = opened.file.estimates;
  source.contentSha256 = contentSha256Of(source);
  source.pipeline = opened.pipeline;
  return source;
}

std::string contentSha256Of(const PipelineCopy &source) {
  if (source.serialized.empty()) return {};
  Sha256 hash;
  const auto add = [&](const std::string &text) {
    const std::string part = std::to_string(text.size()) + ":" + text;
    hash.append(std::as_bytes(std::span(part)));
  };
  add(source.serialized);
  add(source.sidecar);
  for (const open::EstimateOverride &estimate : source.estimates) {
    add(estimate.name);
    add(estimate.scalar);
    for (const pipeline::Interval &dim : estimate.dims)
      add(std::to_string(dim.min) + " " + std::to_string(dim.max));
  }
  return hash.hex();
}

Result<open::OpenedPipeline> unpacked(const PipelineCopy &source, const std::string &parent) {
  auto folder = host::ScratchFolder::create(parent);
  if (!folder) return folder.error();
  auto path = unpack(source, *folder);
  if (!path) return path.error();
  open::OpenedPipeline opened;
  opened.pipeline = source.pipeline;
  opened.kind = source.kind;
  opened.path = source.request.path;
  opened.file = {std::move(*path),
                 {},
                 source.estimates,
                 std::make_shared<const host::ScratchFolder>(std::move(*folder)),
                 open::functionSourceOf(source.request, source.kind, *source.pipeline)};
  return opened;
}

Result<pipeline::PipelinePtr> imported(const PipelineCopy &source, const std::string &parent,
                                       open::PipelineOpener &opener) {
  auto folder = host::ScratchFolder::create(parent);
  if (!folder) return folder.error();
  auto path = unpack(source, *folder);
  if (!path) return path.error();
  open::OpenRequest request;
  request.path = std::move(*path);
  request.ownSchedule = open::OwnSchedule::Leave; // the copy is of what was opened
  request.estimates = source.estimates;
  auto opened = opener.open(request);
  if (!opened) return opened.error();
  return std::move(opened->pipeline);
}

} // namespace tessera::document
