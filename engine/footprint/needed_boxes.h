// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera::footprint {

// The role of an entry in a kernel. The output owns the blocks. Members are computed in the loops
// of the output, inlined funcs in the expressions that read them. Inputs and funcs of other kernels
// are only read.
enum class Role : std::uint8_t { Output, Member, Inlined, Read };
std::string_view name(Role role); // "output", "member", "inlined", "read"

// The boxes of everything that one kernel needs for a tile of its output, through all of its
// members and through inlined funcs. As everywhere in the engine, they are not cut to the estimated
// sizes.
//
//   NeededBoxes needed(schedule, kernel);
//   needed.evaluate(tile, boxes); // many times
class NeededBoxes {
public:
  NeededBoxes(const schedule::Schedule &schedule, pipeline::StageId owner);

  struct Entry {
    pipeline::Producer producer;
    Role role = Role::Read;
    std::uint32_t firstDim = 0, dims = 0; // in the boxes

    std::span<const pipeline::Interval> boxIn(std::span<const pipeline::Interval> boxes) const {
      return boxes.subspan(firstDim, dims);
    }
  };
  // The output, then members and inlined funcs with consumers first, then what is only read.
  std::span<const Entry> entries() const { return m_entries; }
  // By dimension of the boxes: why the box does not follow the tile along this dimension, for
  // example because data choose the index. Empty if the box follows the tile.
  std::span<const std::string> reasons() const { return m_reasons; }

  // `loops` has the intervals of the owner's loops.
  void evaluate(std::span<const pipeline::Interval> loops,
                std::vector<pipeline::Interval> &boxes) const;

private:
  class Builder;
  struct Map {
    std::uint32_t target = 0; // dimension of the boxes
    pipeline::OneLoopMap oneLoop;
    const pipeline::IndexMap *map = nullptr; // used where oneLoop is empty; owned by the pipeline
  };
  struct Stage {
    pipeline::StageId id{};
    std::uint32_t entry = 0;
    std::uint32_t firstMap = 0, maps = 0;
  };

  pipeline::PipelinePtr m_pipeline;
  std::vector<Entry> m_entries;
  std::vector<Stage> m_stages; // readers before what they read; the owner first
  std::vector<Map> m_maps;
  std::vector<pipeline::Interval> m_whole; // by dimension of the boxes
  std::vector<std::string> m_reasons;
};

} // namespace tessera::footprint
