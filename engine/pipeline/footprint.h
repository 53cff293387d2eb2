// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::pipeline {

// What one stage needs of a producer when its loops run over `loops`.
Box footprint(const Edge &edge, std::span<const Interval> loops);

// Boxes of all members of a group for one tile of its output, and of everything the group reads.
//
// A plan is made once per group and evaluated for many tiles: it flattens the index maps of all
// edges inside the group into arrays, so that an evaluation touches no allocation, no string and no
// virtual call. The members are walked from the output to its producers; a func's region is the hull
// of what its consumers in the group need, and what its own updates touch, clipped to nothing:
// producers may be asked for more than their estimated region (overlapped tiles are).
class FootprintPlan {
public:
  // `members` in any order; `output` is one of them.
  FootprintPlan(const Pipeline &pipeline, std::span<const FuncId> members, FuncId output);

  struct Entry {
    Producer producer;
    bool member = false;
    std::uint32_t firstDim = 0; // into the array of boxes
    std::uint32_t dims = 0;
  };
  // Output first, then the members in consumer-to-producer order, then what the group reads.
  std::span<const Entry> entries() const { return m_entries; }
  std::size_t boxDims() const { return m_boxDims; }

  // `tile` has one interval per dimension of the output; `boxes` has room for boxDims() intervals
  // and receives, entry by entry, the box of each.
  void evaluate(std::span<const Interval> tile, std::span<Interval> boxes) const;

private:
  struct FlatTerm {
    std::uint32_t loop;
    std::int64_t coefficient;
  };
  struct FlatAtom {
    std::int64_t scale, offsetMin, offsetMax, divisor, clampMin, clampMax;
    std::uint32_t firstTerm, terms;
  };
  struct FlatMap {
    std::uint32_t firstAtom, atoms;
    std::int64_t offsetMin, offsetMax;
    std::uint32_t target; // into the array of boxes
  };
  // One stage of a member: fill its loops from the func's box, then apply its maps.
  struct FlatStage {
    std::uint32_t firstLoop, loops;
    std::uint32_t firstMap, maps;
  };
  struct FlatLoop {
    bool pure;
    std::uint32_t source;      // into the array of boxes when pure
    std::int64_t min, max;     // of the reduction domain otherwise
  };

  std::vector<Entry> m_entries;
  std::size_t m_boxDims = 0;
  std::size_t m_maxLoops = 0;
  std::vector<FlatStage> m_stages;
  std::vector<FlatLoop> m_loops;
  std::vector<FlatMap> m_maps;
  std::vector<FlatAtom> m_atoms;
  std::vector<FlatTerm> m_terms;
  std::vector<Interval> m_wholeRegion; // of every entry, for maps that know nothing better
};

} // namespace tessera::pipeline
