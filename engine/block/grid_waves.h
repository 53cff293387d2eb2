// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"
#include "engine/machine/machine.h"
#include "engine/schedule/bounds/bounds.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::block {

// The blocks of a launch, and how the multiprocessors run them: as many at a time as they hold, one
// wave after the other. The last wave may be incomplete, with places for blocks that stay empty;
// it is then called the tail.
//
// The blocks are those that Halide launches. The cost model counts the dimensions of a fused loop
// one by one. So if such a loop is split, the model's number of blocks may differ.
struct GridWaves {
  // The blocks along one block loop.
  struct Side {
    std::string loop;        // its name in directives: "x_block"
    std::int64_t blocks = 1; // along it
    std::int64_t covers = 1; // iterations of its dimension in one block; 0: fused from several
    std::int64_t extent = 1; // of the dimension
    std::int64_t last() const { return covers == 0 ? 0 : extent - (blocks - 1) * covers; }
  };
  std::vector<Side> sides; // x first
  std::array<std::int64_t, 3> blocks{1, 1, 1};
  double launches = 1;
  std::int64_t multiprocessors = 1;
  machine::BlockUse use; // what a block needs
  machine::Occupancy occupancy;
  double modelWaves = 1; // in the cost model: waves of the busiest multiprocessor

  std::int64_t all() const { return blocks[0] * blocks[1] * blocks[2]; }
  std::int64_t resident() const { return occupancy.blocks > 0 ? occupancy.blocks : 1; }
  std::int64_t perWave() const { return resident() * multiprocessors; }
  std::int64_t waves() const { return (all() + perWave() - 1) / perWave(); }
  std::int64_t fullWaves() const { return all() / perWave(); }
  std::int64_t tail() const { return all() % perWave(); } // blocks of the last wave; 0: it is full
  // The fraction of the places for blocks, in all waves together, that are occupied.
  double filled() const {
    return static_cast<double>(all()) / static_cast<double>(waves() * perWave());
  }
  std::int64_t waveOf(std::int64_t block) const { return block / perWave(); }
};

GridWaves gridWavesOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                      const machine::Machine &machine, const cost::Prediction::Kernel &kernel);

} // namespace tessera::block
