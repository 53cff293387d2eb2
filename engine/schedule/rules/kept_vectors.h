// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/kept_storage.h"

#include <cstdint>
#include <vector>

namespace tessera::schedule {

// Halide 21's widest access has kOneAccess bytes. It makes such accesses only for elements of
// kOneAccessElement bytes, and in dot products.
inline constexpr std::int64_t kOneAccess = 16, kOneAccessElement = 4;

// The vectors in which a stage stores to, or loads from, a func that is stored inside of a kernel.
class KeptVectors {
public:
  KeptVectors(const Schedule &schedule, const Bounds &bounds, const KeptStorage &kept);

  // The bytes of the widest single access, or the alignment that Halide knows, if that is less.
  // With `inPieces`, vectors that Halide takes apart count, too.
  std::int64_t bytes(pipeline::StageId stage, pipeline::FuncId accessed, bool inPieces) const;
  // Like bytes(), for stores with an unrolled loop between the elements of a vector: these stores
  // are joined to one access.
  std::int64_t joinedBytes(pipeline::FuncId func) const;
  std::int64_t elementBytes(pipeline::FuncId func) const;
  // Whether there are any vectors if neighbouring elements are `apart` elements apart in memory.
  bool isAny(pipeline::StageId stage, pipeline::FuncId accessed, std::int64_t apart) const;

private:
  // How to count vectors that a guard always cuts: they are never whole, but LLVM may access two
  // elements at once.
  enum class Cuts : std::uint8_t { ElementByElement, InPieces };

  // The vectors in which a stage accesses a func and whose elements are so close that Halide
  // accesses everything between them at once.
  struct Vectors {
    std::int64_t lanes = 1;
    std::size_t loops = 0; // number of loops that are vectorised together
    bool reduces = false;
    std::vector<std::int64_t> distances; // in elements, along the last of these loops
  };

  Vectors vectorsOf(pipeline::StageId stage, pipeline::FuncId accessed, Cuts cuts,
                    std::int64_t apart = 1) const;
  static bool isOneAccess(const Vectors &vectors, std::int64_t bytes);
  bool isReduction(pipeline::StageId stage, LoopRef ref) const;
  bool isAlwaysCut(pipeline::StageId stage, std::size_t loop) const;
  std::int64_t alignmentOf(pipeline::StageId stage, pipeline::FuncId accessed) const;
  std::vector<std::int64_t> movesOf(pipeline::StageId stage, LoopRef ref,
                                    pipeline::FuncId accessed) const;
  void addThroughOthers(std::vector<std::int64_t> &moves, pipeline::StageId stage, LoopRef ref,
                        pipeline::FuncId accessed) const;
  bool followInlined(std::vector<bool> &moved, pipeline::StageId stage,
                     const std::vector<std::uint16_t> &loops, pipeline::FuncId accessed) const;
  void addMoved(std::vector<std::uint16_t> &further, pipeline::StageId read,
                const pipeline::Edge &edge, const std::vector<std::uint16_t> &loops) const;
  std::vector<std::int64_t> distancesOf(pipeline::StageId stage, LoopRef ref,
                                        const pipeline::Edge &edge,
                                        const std::vector<std::int64_t> &strides) const;
  std::int64_t stepOf(pipeline::StageId stage, LoopRef ref, const pipeline::IndexMap &map) const;
  std::vector<std::int64_t> stridesOf(pipeline::FuncId func) const;

  const Schedule &m_schedule;
  const pipeline::Pipeline &m_pipeline;
  const Bounds &m_bounds;
  const KeptStorage &m_kept;
};

} // namespace tessera::schedule
