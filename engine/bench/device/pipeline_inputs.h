// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/pipeline_buffer.h"
#include "engine/bench/input_folder.h"

#include <cstdint>
#include <string>

namespace tessera::bench {

// The inputs of a run: files that the user gave, and seeded random numbers for all other inputs.
class PipelineInputs {
public:
  // `folder` was written by writeInputs(); if it is empty, all inputs are random.
  PipelineInputs(std::uint64_t seed, const std::string &folder);

  // Fails if the given elements have another type or size.
  void fill(PipelineBuffer &buffer) const;
  // Fails if a given input has no buffer of its name.
  void checkAllTaken(const std::vector<PipelineBuffer> &buffers) const;

  std::uint64_t seed() const { return m_seed; }
  // The range of the random inputs: the usual one unless a reference was made with another.
  pipeline::Drawing drawing() const { return m_drawing; }
  void draw(pipeline::Drawing drawing) { m_drawing = drawing; }
  const std::string &sha256() const { return m_given.sha256; } // empty: all inputs are random

private:
  std::uint64_t m_seed;
  pipeline::Drawing m_drawing = pipeline::Drawing::Usual;
  std::string m_folder;
  InputFolder m_given;
};

} // namespace tessera::bench
