// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/reads.h"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace tessera::cost {

// Remembers what the stages of a pipeline read. This depends on which funcs are inlined, so the
// results for the last kMost sets of inlined funcs are kept for each stage. A search returns to the
// same few sets again and again.
class KnownReads {
public:
  void clear(std::size_t stages) {
    m_known.clear();
    m_known.resize(stages);
  }
  // The reference is valid until kMost other sets of inlined funcs have been passed for the same
  // stage.
  const Reads &of(const schedule::Schedule &schedule, pipeline::StageId stage) {
    Ways &ways = m_known[index(stage)];
    for (const auto &reads : ways.reads)
      if (reads && reads->isOf(schedule)) return *reads;
    auto &oldest = ways.reads[ways.oldest];
    ways.oldest = (ways.oldest + 1) % kMost;
    oldest = std::make_unique<const Reads>(schedule, stage);
    return *oldest;
  }

private:
  static constexpr std::size_t kMost = 4;
  struct Ways {
    std::array<std::unique_ptr<const Reads>, kMost> reads;
    std::size_t oldest = 0;
  };
  std::vector<Ways> m_known; // by stage
};

} // namespace tessera::cost
