// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/halide_abi.h"
#include "engine/pipeline/random_number.h"
#include "engine/report/compile_report.h"
#include "engine/report/element_layout.h"
#include "engine/report/promise.h"

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace tessera::bench {

// An input or output of a bundle, in memory of its own, laid out as the bundle's promises require.
class PipelineBuffer {
public:
  PipelineBuffer(const report::PipelineArgument &argument,
                 const std::vector<report::Promise> &promises);
  PipelineBuffer(PipelineBuffer &&) noexcept = default;
  PipelineBuffer &operator=(PipelineBuffer &&) = delete;

  const report::PipelineArgument &argument() const { return m_argument; }
  const std::string &name() const { return m_argument.name; }
  // Whether a buffer made from these arguments would differ from this one only in its content.
  bool isFor(const report::PipelineArgument &argument,
             const std::vector<report::Promise> &promises) const;
  bool isInput() const { return m_argument.kind == report::PipelineArgument::Kind::Input; }
  HalideBuffer *raw() { return &m_raw; }
  std::size_t bytes() const { return m_bytes; }

  // Fills with values that depend only on the seed, the name and the position (random_number.h).
  void fillRandom(std::uint64_t seed, pipeline::Drawing drawing = pipeline::Drawing::Usual);
  // Moves about half of the floats by their last bit.
  void moveLastBits(std::uint64_t seed);
  // `elements` has no gaps, and the first dimension is the fastest. Returns false if their number
  // is wrong.
  bool fillFrom(std::span<const std::uint8_t> elements);
  void fillWith(std::uint8_t byte);

  // A copy of the elements without gaps, the first dimension fastest.
  std::vector<std::uint8_t> elements() const;
  // Whether the buffer contains exactly these elements, bit for bit.
  bool holds(std::span<const std::uint8_t> elements) const;

  // Must be called when the device memory has been freed: from then on, the host's content counts.
  void leaveDevice();

private:
  struct FreeAligned {
    std::align_val_t alignment;
    void operator()(std::uint8_t *memory) const { ::operator delete(memory, alignment); }
  };
  std::uint64_t elementCount() const;
  report::ElementLayout layout() const;
  template <typename Visit> // visit(address of the run, its ElementRun)
  void forEachRun(const Visit &visit) const;

  report::PipelineArgument m_argument;
  std::vector<report::Promise> m_promises; // promises about this buffer
  std::vector<HalideDimension> m_dims;
  std::size_t m_bytes = 0;
  std::unique_ptr<std::uint8_t, FreeAligned> m_memory;
  HalideBuffer m_raw;
};

} // namespace tessera::bench
