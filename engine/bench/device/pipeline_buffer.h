// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/halide_abi.h"
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

// An input or output of a bundle in memory of its own, laid out as the bundle's promises say.
class PipelineBuffer {
public:
  PipelineBuffer(const report::PipelineArgument &argument,
                 const std::vector<report::Promise> &promises);
  PipelineBuffer(PipelineBuffer &&) noexcept = default;
  PipelineBuffer &operator=(PipelineBuffer &&) = delete;

  const report::PipelineArgument &argument() const { return m_argument; }
  const std::string &name() const { return m_argument.name; }
  // Whether one made from these would be the same but for what it holds.
  bool isFor(const report::PipelineArgument &argument,
             const std::vector<report::Promise> &promises) const;
  bool isInput() const { return m_argument.kind == report::PipelineArgument::Kind::Input; }
  HalideBuffer *raw() { return &m_raw; }
  std::size_t bytes() const { return m_bytes; }

  // Values that depend on the seed, the name and the place alone: floats in [0, 1), those of 16
  // bits in [0.5, 1), integers of 8 and 16 bits over their whole range, wider ones in [0, 1024),
  // since pipelines use those as indices and add them up.
  void fillRandom(std::uint64_t seed);
  // Elements without gaps, the first dimension fastest. False where there are more or fewer.
  bool fillFrom(std::span<const std::uint8_t> elements);
  void fillWith(std::uint8_t byte);

  // The elements without gaps, the first dimension fastest.
  std::vector<std::uint8_t> elements() const;
  // Whether these are its elements, bit for bit.
  bool holds(std::span<const std::uint8_t> elements) const;

  // Its memory on a device was freed: what the host has counts.
  void leaveDevice();

private:
  struct FreeAligned {
    std::align_val_t alignment;
    void operator()(std::uint8_t *memory) const { ::operator delete(memory, alignment); }
  };
  std::uint64_t elementCount() const;
  report::ElementLayout layout() const;
  template <typename Visit> // address, run
  void forEachRun(const Visit &visit) const;

  report::PipelineArgument m_argument;
  std::vector<report::Promise> m_promises; // of it
  std::vector<HalideDimension> m_dims;
  std::size_t m_bytes = 0;
  std::unique_ptr<std::uint8_t, FreeAligned> m_memory;
  HalideBuffer m_raw;
};

} // namespace tessera::bench
