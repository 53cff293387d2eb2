// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/dp_fusion/alignment.h"
#include "engine/search/dp_fusion/dp_parameters.h"
#include "engine/search/dp_fusion/stage_inputs.h"
#include "engine/search/dp_fusion/tile_geometry.h"
#include "engine/pipeline/footprint.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::search {

// The funcs that one kernel computes. All but the output are read inside of the group alone.
struct DpGroup {
  pipeline::FuncId output{};
  std::vector<pipeline::FuncId> members; // in ascending order, with the output

  friend bool operator==(const DpGroup &, const DpGroup &) = default;
};

// What the argmin of section 6 chooses for a group.
struct DpSizes {
  Sides tile{1, 1, 1};        // points of a thread
  Sides block{32, 1, 1};      // threads of a block
  double inRegisters = 0;     // fracRegTile
  int transactionBytes = 128; // GLMemTxSz: 128 for the first-level cache, 32 for the second

  friend bool operator==(const DpSizes &, const DpSizes &) = default;
};

// The seven parts of a cost, and what they follow from. Numbers are lines of algorithm 2.
struct DpTerms {
  double sharedBytes = 0;       // 10: shMemPerTB
  double transactions = 0;      // 17: totalGLMemTxs
  double blocksPerSm = 0;       // 18: maxTBPerSM
  double registers = 0;         // 20: regPerTh
  double occupancy = 0;         // 24
  double memorySeconds = 0;     // 26: memTime
  double computeSeconds = 0;    // 28: computeTime
  double unallocatedShared = 0; // 30: unallocatedShMem
  double unusedRegisters = 0;   // 32: unusedReg
  double overlap = 0;           // 33: fracOverlap
  double extraBlocks = 0;       // 34: extraTBs
  double cost = 0;              // 35
};

// What is known of all funcs before any is fused.
struct StageInputs {
  StageMeasures measures;
  std::map<pipeline::FuncId, std::vector<ProducerLoads>> loads;
};

// The dimensions of a func that have threads: the first three of more than one point.
std::vector<std::size_t> threadDimsOf(const pipeline::Func &func);

// The cost function of Jangda and Guha 2020 (algorithm 2) for one group, of many sizes. The
// schedule, the inputs and the machine have to outlive it.
class DpCost {
public:
  DpCost(const schedule::Schedule &schedule, const StageInputs &inputs, const DpGroup &group,
         const machine::Machine &machine, const DpParameters &parameters, TilePer per);

  // Line 2: whether all dependence vectors are constants. If not, no sizes have a finite cost.
  bool isConstant() const { return m_isConstant; }
  DpTerms of(const DpSizes &sizes);
  // At most the cost of these sizes, and of all with a longer tile: what is known without volumes.
  double leastOf(const DpSizes &sizes);

  // Extents of the output along x, y and z. 1 where there is no such dimension.
  const Sides &extents() const { return m_extents; }

private:
  static constexpr std::size_t kNoLoop = SIZE_MAX;
  // What one member needs of a tile that is equally long along x, y and z, as factors of a volume.
  struct Share {
    using Factors = std::array<double, 4>;      // along x, y and z, and along all other dimensions
    Factors whole{1, 1, 1, 1}, own{1, 1, 1, 1}; // with and without what other tiles compute too
  };
  struct Member {
    pipeline::FuncId func{};
    double bytes = 4;
    // The dimensions of the func that lie along x, y and z.
    std::array<std::size_t, 3> loops{kNoLoop, kNoLoop, kNoLoop};
  };
  // Of all members but the output, in one tile.
  struct Volumes {
    double bytes = 0, overlapping = 0;
  };

  void addMember(pipeline::FuncId func);
  std::size_t threadOf(const std::optional<AlignedDim> &dim) const;
  void measure(std::int64_t side);
  Share shareOf(const Member &member, std::int64_t side) const;
  Volumes volumesOf(const Sides &sides);
  double transactionsPerPoint(const Sides &warp, int bytes);
  double countTransactions(const Sides &warp, int bytes) const;
  void addUse(DpTerms &terms, double warpsPerTb) const;
  void addTimes(DpTerms &terms, const DpSizes &sizes);
  double extraBlocksOf(const DpSizes &sizes, double blocksPerSm) const;
  double memoryByCompute(const DpTerms &terms) const;
  double weighted(const DpTerms &terms) const;

  const schedule::Schedule &m_schedule;
  const StageInputs &m_inputs;
  const DpGroup m_group;
  const machine::Machine &m_machine;
  const DpParameters m_parameters;
  const TilePer m_per;
  std::map<pipeline::FuncId, Alignment> m_alignments;
  bool m_isConstant = false;
  std::vector<std::size_t> m_threadDims; // of the output
  Sides m_extents{1, 1, 1};
  double m_pointsBeside = 1; // of the output along dimensions without threads
  std::vector<Member> m_members;
  double m_registers = 0, m_secondsPerPoint = 0;
  std::unique_ptr<const pipeline::FootprintPlan> m_plan; // of a group of several funcs
  std::vector<pipeline::Interval> m_boxes;
  std::vector<std::vector<Share>> m_shares; // by size of the tile along x, y or z, as asked for
  std::map<std::pair<Sides, int>, double> m_transactions;
};

} // namespace tessera::search
