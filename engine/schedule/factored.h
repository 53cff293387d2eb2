// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::schedule {

// Partial reductions: for each value of the preserved loops one, merged by the stage that there
// was. The splits come first and cut reduction loops, so that a part of one can be preserved.
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
  std::uint32_t stage = 1; // an update
  std::vector<SplitLoop> splits;
  std::vector<Preserved> preserved;

  friend bool operator==(const Factored &, const Factored &) = default;
};

// The pipeline after Halide's rfactor: partial results in a func of their own, merged by the update
// that made them until now. Refuses what cannot be, naming func and reason.
Result<pipeline::PipelinePtr> addFactored(const pipeline::Pipeline &pipeline,
                                          const Factored &factored);

} // namespace tessera::schedule
