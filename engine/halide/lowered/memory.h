// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/races.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::halide::lowered {

// The memory of one allocation. Where each thread, or each block, makes an allocation of its own,
// it has as many copies, in the order of the grid. It knows which of its bytes have been written.
class Memory {
public:
  Memory(std::size_t bytes, std::uint32_t copies);
  // Memory of somebody else, such as an input, whose bytes are known.
  Memory(std::uint8_t *bytes, std::size_t count, bool isKnown);

  std::uint32_t copies() const { return m_copies; }
  std::size_t bytes() const { return m_bytes; } // of one copy

  // Where the element is among all copies; nullopt: outside of its copy.
  std::optional<std::size_t> find(std::uint32_t copy, std::int64_t index, std::size_t size) const;

  const std::uint8_t *at(std::size_t byte) const { return m_data + byte; }
  bool isKnown(std::size_t byte, std::size_t size) const;
  // Whether these bytes are there already, and are as known as these.
  bool holds(std::size_t byte, const std::uint8_t *bytes, std::size_t size, bool areKnown) const;
  void write(std::size_t byte, const std::uint8_t *bytes, std::size_t size, bool isKnown);

  Races races;

private:
  std::size_t m_bytes;
  std::uint32_t m_copies;
  std::vector<std::uint8_t> m_own;
  std::uint8_t *m_data;
  std::vector<std::uint8_t> m_known; // for each byte: 1 or 0
};

} // namespace tessera::halide::lowered
