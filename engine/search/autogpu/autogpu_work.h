// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/footprint.h"
#include "engine/pipeline/pipeline.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::search {

// What the cost of a group does not take from its tiles: which regions it needs, and the work of
// each stage at one point. It is found once for all tiles.
class AutoGpuWork {
public:
  AutoGpuWork(const pipeline::Pipeline &pipeline, pipeline::FuncId output,
              std::span<const pipeline::FuncId> members, std::span<const pipeline::FuncId> inlined);

  struct Load {
    std::size_t entry = 0; // of the plan: the buffer
    double bytes = 0;
  };
  // A stage of a member, with what is inlined into it.
  struct StageWork {
    pipeline::StageId stage{};
    std::size_t entry = 0; // of the plan: its func
    double operations = 0;
    std::vector<Load> loads;
  };

  const pipeline::FootprintPlan &plan() const { return m_plan; }
  std::span<const StageWork> stages() const { return m_stages; } // the output's come first

private:
  pipeline::FootprintPlan m_plan;
  std::vector<StageWork> m_stages;
};

} // namespace tessera::search
