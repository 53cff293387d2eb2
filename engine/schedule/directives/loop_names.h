// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"
#include "engine/schedule/loop_nest.h"
#include "engine/schedule/words/directive.h"

#include <set>
#include <string>
#include <vector>

namespace tessera::schedule {

// The names of a nest's loops in directives, made of the dimension and of what the loop becomes
// ("x_block", "x_thread", "r_outer"). A dimension that is neither split nor fused keeps its name.
// The names follow from the nest alone.
class LoopNames {
public:
  LoopNames(const pipeline::Stage &stage, const LoopNest &nest);

  const LoopName &of(LoopRef ref) const { return m_parts[ref.axis][ref.part]; }
  // The name of the intermediate loop that is later split into this part and all parts inside of
  // it.
  const LoopName &from(LoopRef ref) const { return m_rests[ref.axis][ref.part]; }
  // The name of the first `count` sources of a fused axis, fused into one loop; `count` ≥ 2.
  const LoopName &fused(std::uint16_t axis, std::size_t count) const {
    return m_fused[axis][count - 2];
  }

private:
  void nameAxis(std::uint16_t axis, const std::string &base, bool reduction, const LoopNest &nest);
  LoopName unique(std::string wanted, bool reduction);

  std::string m_suffix;
  std::set<std::string> m_taken;
  std::vector<std::vector<LoopName>> m_parts, m_rests, m_fused;
};

} // namespace tessera::schedule
