// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::schedule {

// Partial reductions: one result for each value of the preserved loops, merged by the original
// update. The splits come first and cut reduction loops, so that a part of one can be preserved.
struct Factored {
  struct SplitLoop {
    std::string loop, outer, inner;
    std::int64_t factor = 1;

    friend bool operator==(const SplitLoop &, const SplitLoop &) = default;
  };
  struct Preserved {
    std::string reduction; // loop of the update
    std::string pure;      // dimension of the new func

    friend bool operator==(const Preserved &, const Preserved &) = default;
  };
  std::string name;
  std::string of;
  std::uint32_t stage = 1; // number of an update
  std::vector<SplitLoop> splits;
  std::vector<Preserved> preserved;

  friend bool operator==(const Factored &, const Factored &) = default;
};

// The pipeline after Halide's rfactor: a func of its own holds the partial results, and the
// original update merges them. An error names the func and the reason.
Result<pipeline::PipelinePtr> addFactored(const pipeline::Pipeline &pipeline,
                                          const Factored &factored);

} // namespace tessera::schedule
