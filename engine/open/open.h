// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/worker_client.h"
#include "engine/pipeline/pipeline.h"
#include "engine/schedule/directives/found_calls.h"
#include "engine/open/generator.h"
#include "engine/open/sizes.h"
#include "engine/open/source_kind.h"
#include "engine/host/tools.h"
#include "engine/host/trust.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::document {
class Document;
}
namespace tessera::host {
class ScratchFolder;
}

namespace tessera::open {

// One `--estimate name=min:extent,…` or `--estimate scalar=value`.
struct EstimateOverride {
  std::string name;
  std::vector<pipeline::Interval> dims; // empty for a scalar
  std::string scalar;
};
Result<EstimateOverride> parseEstimate(std::string_view text);

// The size that a pipeline was captured at.
inline constexpr std::string_view kOwnSize = "target";

struct OpenRequest {
  std::string path;
  std::string generator; // empty: the only one the file has
  std::vector<std::pair<std::string, std::string>> parameters;
  OwnSchedule ownSchedule = OwnSchedule::Leave;
  std::vector<EstimateOverride> estimates;
  std::string size; // one of sizesOf() or kOwnSize; empty: as it was captured
};

// In place of what is asked for by that name already.
void setEstimate(OpenRequest &request, EstimateOverride estimate);

// What a compiler of the opened pipeline reads.
struct PipelineFiles {
  std::string pipeline;                    // serialized
  std::string sidecar;                     // empty: beside it
  std::vector<EstimateOverride> estimates; // all that were asked for, those of a size too
  std::shared_ptr<const host::ScratchFolder> captured; // keeps what a generator left
};

struct OpenedPipeline {
  pipeline::PipelinePtr pipeline;
  SourceKind kind = SourceKind::SerializedPipeline;
  std::string path;
  std::vector<Generator> generators; // of the file, when it has any
  std::vector<PipelineSize> sizes;   // that it can be opened at, beside kOwnSize
  PipelineFiles file;
  std::shared_ptr<const document::Document>
      document; // that it was read from; null: from no document
};

// Opens a pipeline from whatever the user has: a serialized pipeline, a generator program or
// library, or a generator's source. Blocking; run it as a job. Code of the user runs only after
// TrustStore::isTrusted() says yes (else ErrorCode::NotTrusted, and the caller asks), and only
// inside the sandbox. Thread-safe.
class PipelineOpener {
public:
  PipelineOpener(host::ToolPaths tools, std::shared_ptr<host::TrustStore> trust);
  ~PipelineOpener();

  Result<OpenedPipeline> open(const OpenRequest &request, std::stop_token stop = {},
                              const job::ProgressCallback &progress = {});

  Result<std::vector<Generator>> generators(const std::string &path, std::stop_token stop = {},
                                            const job::ProgressCallback &progress = {});

  // How a serialized file says that it is computed.
  Result<schedule::FoundCalls> scheduleIn(const PipelineFiles &file, std::stop_token stop = {},
                                          const job::ProgressCallback &progress = {});

  // Loads the worker ahead of the first open.
  void warmUp();

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::open
