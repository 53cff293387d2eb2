// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_parameters.h"
#include "engine/search/mullapudi/stage_work.h"
#include "engine/pipeline/footprint.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::search {

// A group of section 4.2 of Mullapudi et al. 2016: all members are computed within the loops of the
// output, one tile after the other.
struct MullapudiGroup {
  pipeline::FuncId output{};
  std::vector<pipeline::FuncId> members; // in ascending order, with the output
  std::vector<pipeline::FuncId> inlined; // in ascending order: what is inlined into members
};

// What a group needs to compute a region of its output.
struct MullapudiRegionCost {
  double arithmetic = 0;     // arith_cost of listing 2: operations of all members
  double loads = 0;          // group_tile_loads: elements that are loaded from outside of the group
  double footprintBytes = 0; // group_tile_footprint: what the members but the output are stored in
};

// The costs of one group for many regions of its output. The pipeline has to outlive it.
class MullapudiCost {
public:
  MullapudiCost(const pipeline::Pipeline &pipeline, const MullapudiGroup &group,
                const MullapudiParameters &parameters);

  MullapudiRegionCost of(std::span<const pipeline::Interval> region);

  // A tile of these sizes, from the middle of the output. At the border, clamping by a boundary
  // condition would make a tile's footprint smaller.
  std::vector<pipeline::Interval> tileBox(std::span<const std::int64_t> sizes) const;
  // num_tiles of listing 2. Sizes above the extent count as the extent.
  double tiles(std::span<const std::int64_t> sizes) const;

  // The costs of the whole output, as listing 2 adds them up for a group that is not merged: the
  // arithmetic of the whole, and the loads of all tiles. The first is of single elements
  // (SINGLE_ELEMENT_TILE).
  MullapudiRegionCost wholeInElements();
  MullapudiRegionCost wholeInTiles(std::span<const std::int64_t> sizes);

  // After of(): the threads of a block in which each point of each member has a thread. `threads`
  // says which dimensions of the output have threads.
  std::int64_t blockThreads(const std::vector<bool> &threads) const;
  // Section 4.1 by dimension of the output: the elements that two adjacent strips of the output
  // both need, of members, and of what the group reads.
  std::vector<double> reuse();

private:
  // A stage of a member. Entries are those of the plan.
  struct Member {
    const pipeline::Stage *stage = nullptr;
    std::size_t entry = 0;
    double operations = 0; // of one evaluation
    struct Loads {
      std::size_t entry = 0;
      double count = 0;
    };
    std::vector<Loads> loads;
  };

  void add(const pipeline::Stage &stage, std::size_t entry, double divisionCost);
  std::span<const pipeline::Interval> box(const pipeline::FootprintPlan::Entry &entry) const;
  double points(const Member &member) const;
  bool isProducer(const pipeline::FootprintPlan::Entry &entry) const;

  const pipeline::Pipeline &m_pipeline;
  const MullapudiGroup m_group;
  pipeline::FootprintPlan m_plan;
  std::vector<pipeline::Interval> m_boxes;
  std::vector<pipeline::Interval> m_region; // of the whole output
  std::vector<Member> m_members;
  std::vector<double> m_loadOps; // by entry, of the last region
};

} // namespace tessera::search
