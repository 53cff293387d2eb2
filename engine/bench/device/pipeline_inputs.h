// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/pipeline_buffer.h"
#include "engine/bench/input_folder.h"

#include <cstdint>
#include <string>

namespace tessera::bench {

// What a bundle is run on: files that the user gave, and for the other inputs numbers of a seed.
class PipelineInputs {
public:
  // `folder`: as writeInputs() leaves it; empty: all are random.
  PipelineInputs(std::uint64_t seed, const std::string &folder);

  // Refuses elements of another type or size.
  void fill(PipelineBuffer &buffer) const;
  // That every given one is there, by name.
  void checkAllTaken(const std::vector<PipelineBuffer> &buffers) const;

  std::uint64_t seed() const { return m_seed; }
  const std::string &sha256() const { return m_given.sha256; } // empty: all are random

private:
  std::uint64_t m_seed;
  std::string m_folder;
  InputFolder m_given;
};

} // namespace tessera::bench
