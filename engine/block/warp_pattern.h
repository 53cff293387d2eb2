// SPDX-License-Identifier: MIT
#pragma once

#include "engine/block/thread_block.h"
#include "engine/cost/load/access_load.h"
#include "engine/cost/load/load_scratch.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::block {

inline constexpr std::size_t kBanks = 32; // of shared memory, each 4 bytes wide

// What one thread of a warp asks for in a request: the element, and its first byte. Bytes count
// from the start of the array; in shared memory, and where it is not known where a row begins, from
// the first thread.
struct LaneAccess {
  int lane = 0;
  ThreadPlace thread{};
  std::vector<std::int64_t> at; // element, by dimension of the array
  std::int64_t byte = 0;
};

// One load or store of a stage: the numbers that the cost model counts, and the addresses that the
// first warp of the block asks for.
struct WarpPattern {
  cost::AccessLoad load;
  std::string array;                   // name of the input or func
  std::vector<std::string> dims;       // its dimensions
  std::vector<std::uint16_t> order;    // of the dimensions in memory, the innermost first
  std::vector<pipeline::Interval> box; // all elements of the array
  std::vector<std::int64_t> strides;   // bytes between neighbours along each dimension
  std::int64_t elementBytes = 4;
  bool isChosen = false;       // data choose the places: the model takes them as if by chance
  bool startsAnywhere = false; // `load` has an average over all places where a row may begin
  std::vector<LaneAccess> lanes;

  // Whether there are addresses: an access of global or shared memory.
  bool isInMemory() const {
    return load.space == cost::MemorySpace::Global || load.space == cost::MemorySpace::Shared;
  }
  // The part of the bytes in the sectors that the warp asked for; 0: no sectors are touched.
  double efficiency() const;
  // Of the drawn addresses: the numbers of the sectors and lines, by rising number, and the words
  // that each bank is asked for.
  std::vector<std::int64_t> sectors() const { return units(cost::kSectorBytes); }
  std::vector<std::int64_t> lines() const { return units(cost::kLineBytes); }
  std::array<int, kBanks> banks() const;

private:
  std::vector<std::int64_t> units(double bytes) const;
};

// All loads and stores of a stage, the loads first. `machine` is the one that the load was counted
// for.
class WarpPatterns {
public:
  WarpPatterns(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
               const cost::KernelRuns &runs, const machine::Machine &machine);

  std::vector<WarpPattern> of(pipeline::StageId stage);

private:
  WarpPattern patternOf(const cost::Run &run, const cost::AccessLoad &load);
  void addLanes(const cost::Run &run, WarpPattern &pattern);
  std::vector<pipeline::Interval> boxOf(const cost::Run &run, const cost::AccessLoad &load,
                                        const std::vector<pipeline::Interval> &loops);

  const schedule::Schedule &m_schedule;
  const schedule::Bounds &m_bounds;
  const cost::KernelRuns &m_runs;
  const machine::Machine &m_machine;
  cost::LoadScratch m_scratch;
  std::vector<pipeline::Interval> m_boxes;
};

} // namespace tessera::block
