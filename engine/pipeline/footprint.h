// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::pipeline {

// The region of a producer that one stage needs when its loops run over `loops`.
Box footprint(const Edge &edge, std::span<const Interval> loops);

// The boxes of all members of a group for one tile of its output, and of everything that the group
// reads.
//
// A plan is made once for each group and evaluated for many tiles. It flattens the index maps of
// all edges in the group into arrays. So an evaluation uses no strings and no virtual calls, and
// does not allocate for up to 16 loops in a stage. Members are visited from the output to its
// producers. A func's box is the hull of what its consumers in the group need and of what its own
// updates access. It is not limited to the func's estimated region, since overlapped tiles reach
// beyond it.
class FootprintPlan {
public:
  // `members` may be in any order and have to include `output`.
  FootprintPlan(const Pipeline &pipeline, std::span<const FuncId> members, FuncId output);

  struct Entry {
    Producer producer;
    bool member = false;
    std::uint32_t firstDim = 0; // index of its first interval in the array of boxes
    std::uint32_t dims = 0;
  };
  // Output first, then the members in consumer-to-producer order, then what the group reads.
  std::span<const Entry> entries() const { return m_entries; }
  std::size_t boxDims() const { return m_boxDims; }

  // `tile` has one interval per dimension of the output; `boxes` has room for boxDims() intervals
  // and receives the box of each entry, in the order of entries().
  void evaluate(std::span<const Interval> tile, std::span<Interval> boxes) const;

private:
  class Builder;

  struct FlatTerm {
    std::uint32_t loop;
    std::int64_t coefficient;
  };
  struct FlatAtom {
    Interval offset, clamp;
    std::int64_t scale, divisor;
    std::uint32_t firstTerm, terms;
  };
  struct FlatMap {
    std::uint32_t firstAtom, atoms;
    std::int32_t shiftOf; // the loop, if the map is that loop plus `offset`; -1: use the atoms
    Interval offset;
    std::uint32_t target; // index in the array of boxes
  };
  // One stage of a member. evaluate() fills its loops from the func's box, then applies its maps.
  struct FlatStage {
    std::uint32_t firstLoop, loops;
    std::uint32_t firstMap, maps;
  };
  struct FlatLoop {
    bool pure;
    std::uint32_t source;  // if pure: index in the array of boxes
    std::int64_t min, max; // otherwise: the reduction domain
  };

  Interval evaluateMap(const FlatMap &map, const Interval *loops) const;
  void evaluateStage(const FlatStage &stage, Interval *loops, std::span<Interval> boxes) const;

  std::vector<Entry> m_entries;
  std::size_t m_boxDims = 0;
  std::size_t m_maxLoops = 0;
  std::vector<FlatStage> m_stages;
  std::vector<FlatLoop> m_loops;
  std::vector<FlatMap> m_maps;
  std::vector<FlatAtom> m_atoms;
  std::vector<FlatTerm> m_terms;
  std::vector<Interval> m_wholeRegion; // by box dimension, for unbounded maps
};

} // namespace tessera::pipeline
