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

// What one thread of a warp asks for in a request: the element, and its first byte. In global
// memory, bytes count from the start of the array. In shared memory, or if it is unknown where a
// row begins, they count from the first thread's element.
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
  bool isChosen = false;       // data choose the elements: the model uses pseudo-random ones
  bool startsAnywhere = false; // `load` has an average over all places where a row may begin
  std::vector<LaneAccess> lanes;

  // Whether there are addresses: an access of global or shared memory.
  bool isInMemory() const {
    return load.space == cost::MemorySpace::Global || load.space == cost::MemorySpace::Shared;
  }
  // The fraction of the bytes in all touched sectors that the warp asked for; 0: there are none.
  double efficiency() const;
  // For the addresses in `lanes`: the indices of the touched sectors and lines, in ascending order,
  // and how many different words each bank has to deliver.
  std::vector<std::int64_t> sectors() const { return units(cost::kSectorBytes); }
  std::vector<std::int64_t> lines() const { return units(cost::kLineBytes); }
  std::array<int, kBanks> banks() const;

private:
  std::vector<std::int64_t> units(double bytes) const;
};

// All loads and stores of a stage, the loads first, as counted for `machine`.
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
