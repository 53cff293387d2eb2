// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/function_source.h"
#include "engine/open/generator.h"
#include "engine/open/sizes.h"
#include "engine/open/source_kind.h"
#include "engine/base/result.h"
#include "engine/host/tools.h"
#include "engine/host/trust.h"
#include "engine/job/worker_client.h"
#include "engine/pipeline/pipeline.h"
#include "engine/schedule/directives/found_calls.h"

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
namespace tessera::file {
class ScratchFolder;
}

namespace tessera::open {

// The value of one `--estimate name=1024×768`, `name=min:extent,…` or `scalar=value`.
struct EstimateOverride {
  std::string name;
  std::vector<pipeline::Interval> dims; // empty for a scalar
  std::string scalar;
};
// Reads sizes as people write them: 1024x768, 1024 × 768, 1024*768, 0:1024, 0:768. A single number
// is read as a scalar.
Result<EstimateOverride> parseEstimate(std::string_view text);
// Turns a single number into the size of a buffer of one dimension. Returns false if the estimate
// is not a size.
bool readAsSize(EstimateOverride &estimate);
std::string textOf(const EstimateOverride &estimate); // "input=0:64,0:48", as for --estimate

// The name of the size that a pipeline was captured at.
inline constexpr std::string_view kOwnSize = "target";

struct OpenRequest {
  std::string path;
  std::string generator; // empty: the only generator in the file
  std::vector<std::pair<std::string, std::string>> parameters;
  OwnSchedule ownSchedule = OwnSchedule::TakeOff;
  std::vector<EstimateOverride> estimates;
  std::string size;   // a name from sizesOf() or kOwnSize; empty: the size at capture
  BuildOptions build; // of a generator's source, in front of those of buildOptionsNear()
};

// Adds an estimate to the request, or replaces the one with the same name.
void setEstimate(OpenRequest &request, EstimateOverride estimate);

// The sizes with which the pipeline can run, in place of estimates that contradict it. Empty if no
// estimate does, or if no such sizes are known.
std::vector<EstimateOverride> fittingEstimates(const pipeline::Pipeline &pipeline);

// The files that are read when the opened pipeline is compiled.
struct PipelineFiles {
  std::string pipeline;                    // serialized
  std::string sidecar;                     // empty: the file beside the pipeline
  std::vector<EstimateOverride> estimates; // all requested estimates, including those of a size
  // Keeps files that were made from the user's: a generator's, or those without a schedule.
  std::shared_ptr<const file::ScratchFolder> made;
  FunctionSource functions = {}; // of extern stages
};

struct OpenedPipeline {
  pipeline::PipelinePtr pipeline;
  SourceKind kind = SourceKind::SerializedPipeline;
  std::string path;
  std::vector<Generator> generators; // generators in the file, if it has any
  std::vector<PipelineSize> sizes;   // sizes that the pipeline can be opened at, besides kOwnSize
  PipelineFiles file;
  bool isUnscheduled = false; // it had a schedule of its own, which was taken off
  std::shared_ptr<const document::Document>
      document; // the document that it was read from; null: not from a document
};

// Opens a pipeline from a serialized pipeline, a generator program or library, or a generator's
// source. Calls block, so run them as a job. The user's code runs only if TrustStore::isTrusted()
// (otherwise ErrorCode::NotTrusted, and the caller asks the user), and only inside the sandbox.
// Thread-safe.
class PipelineOpener {
public:
  PipelineOpener(host::ToolPaths tools, std::shared_ptr<host::TrustStore> trust);
  ~PipelineOpener();

  Result<OpenedPipeline> open(const OpenRequest &request, std::stop_token stop = {},
                              const job::ProgressCallback &progress = {});

  Result<std::vector<Generator>> generators(const std::string &path, const BuildOptions &build = {},
                                            std::stop_token stop = {},
                                            const job::ProgressCallback &progress = {});

  // The schedule that a serialized file contains.
  Result<schedule::FoundCalls> scheduleIn(const PipelineFiles &file, std::stop_token stop = {},
                                          const job::ProgressCallback &progress = {});

  // Loads one worker before the first open().
  void warmUp();

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::open
