// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/estimate_conflicts.h"
#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"
#include "engine/halide/import/load.h"
#include "engine/halide/import/regions.h"
#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::halide {

struct ImportOptions {
  std::string path;
  std::string name;    // empty: the file's stem
  std::string sidecar; // empty: NAME.estimates.json beside the file, if it exists
  std::vector<EstimateOverride> estimates;
  std::vector<report::Promise> promises; // promises of the schedule that belongs to the request
  std::size_t definitionLimit = 4096;    // maximal size of a printed definition in bytes
};

// A pipeline under estimates, still in Halide's terms. The import, the compiler and the verifier
// work on it. `resolved` is `raw` with the estimates substituted. Neither has the funcs that can
// only be inlined.
struct PreparedPipeline {
  LoadedPipeline loaded;
  Graph raw, resolved;
  Estimates estimates;
  Regions regions;
  std::vector<pipeline::Remark> remarks;
  std::vector<EstimateConflict> conflicts; // not empty: no schedule can run at these sizes
};

Result<PreparedPipeline> preparePipeline(const ImportOptions &options,
                                         const PhaseCallback &phase = {});

Result<pipeline::PipelineParts> partsOf(const PreparedPipeline &prepared,
                                        const ImportOptions &options,
                                        const PhaseCallback &phase = {});

} // namespace tessera::halide
