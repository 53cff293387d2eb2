// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::schedule {

// Partial reductions, as Halide's rfactor makes them: a new func holds one result per iteration of
// the preserved loops, and the original update merges these results. The splits of reduction loops
// are done first, so that one half of a loop can be preserved and the other half not.
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
  std::uint32_t stage = 1; // n: update(n - 1) of the func
  std::vector<SplitLoop> splits;
  std::vector<Preserved> preserved;

  friend bool operator==(const Factored &, const Factored &) = default;
};

// The pipeline after Halide's rfactor: a func of its own holds the partial results, and the
// original update merges them. An error names the func and the reason.
Result<pipeline::PipelinePtr> addFactored(const pipeline::Pipeline &pipeline,
                                          const Factored &factored);

} // namespace tessera::schedule
