// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_parameters.h"
#include "engine/search/beam/beam_state.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace tessera::search {

// Random numbers that are the same on every platform.
class BeamRandom {
public:
  explicit BeamRandom(std::uint64_t seed) : m_engine(seed) {}

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(m_engine() % count); }
  // From 0 to 1.
  double fraction() { return static_cast<double>(m_engine() >> 11) * 0x1p-53; }

private:
  std::mt19937_64 m_engine;
};

// Options that look alike, in random order, and how many of them are evaluated.
struct BeamBucket {
  std::vector<std::size_t> options;
  std::size_t wanted = 1;
};

// Section 3: of a bucket of B options log2(B) are drawn, one at least.
std::size_t representatives(std::size_t bucketSize);

// The options of a func by their structural hash up to a depth. The rest of a state is the same for
// all of them, so their own terms tell them apart.
std::vector<BeamBucket> bucketsOf(pipeline::FuncId func, std::span<const BeamOption> options,
                                  int depth, BeamSampling sampling, BeamRandom &random);

} // namespace tessera::search
