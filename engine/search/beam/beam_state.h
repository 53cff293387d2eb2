// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_tiles.h"
#include "engine/search/beam/structural_hash.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::search {

// A state of the beam search (section 6 of Anderson et al. 2021): the schedule with what has been
// decided so far. Each func that is not decided yet is a kernel with one warp in a block, so the
// schedule is whole and legal, and costs and bounds can be asked for.
struct BeamState {
  static constexpr std::uint32_t kUntiled = UINT32_MAX;

  schedule::Schedule schedule;
  std::vector<pipeline::FuncId> kernels; // by func: the output of its kernel
  std::vector<double> costs;             // by output: the cost of its kernel; 0 if not decided
  std::vector<std::uint32_t> tiles;      // by func: which of its kernel's tiles was chosen
  HashTerms hash{};
  double cost = 0; // the sum of `costs`
  std::shared_ptr<const BeamState> parent = nullptr;

  // The funcs of a kernel that are not inlined, in ascending order.
  std::vector<pipeline::FuncId> funcsOf(pipeline::FuncId output) const;
  void sumCosts();                       // all anew, so that no rounding piles up
  std::uint64_t hashAt(int depth) const; // depths beyond the last are the last
};

using BeamStatePtr = std::shared_ptr<const BeamState>;

// One choice for a func: where it is computed, with its serial loops if that is in a block; or the
// tile of its kernel.
struct BeamOption {
  enum class Phase : std::uint8_t { Place, Tile };
  Phase phase = Phase::Place;
  BeamPlace place = BeamPlace::Root;
  BeamSizes serial = {};                    // for Block
  std::uint32_t tile = BeamState::kUntiled; // for Phase::Tile: which of the func's tiles
  FuncShape shape = {};                     // what the hash sees of it
};

} // namespace tessera::search
