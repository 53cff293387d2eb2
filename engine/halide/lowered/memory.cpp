// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/memory.h"

#include <cstring>

namespace tessera::halide::lowered {

namespace {

// What memory holds that nothing has written: a large float, and never a small number.
constexpr std::uint8_t kStale = 0x7e;

} // namespace

Memory::Memory(std::size_t bytes, std::uint32_t copies)
    : m_bytes(bytes), m_copies(copies), m_own(bytes * copies, kStale), m_data(m_own.data()),
      m_known(bytes * copies, 0) {}

Memory::Memory(std::uint8_t *bytes, std::size_t count, bool isKnown)
    : m_bytes(count), m_copies(1), m_data(bytes), m_known(count, isKnown ? 1 : 0) {}

std::optional<std::size_t> Memory::find(std::uint32_t copy, std::int64_t index,
                                        std::size_t size) const {
  const auto count = static_cast<std::int64_t>(m_bytes / size);
  if (index < 0 || index >= count) return std::nullopt;
  return copy * m_bytes + static_cast<std::size_t>(index) * size;
}

bool Memory::isKnown(std::size_t byte, std::size_t size) const {
  for (std::size_t i = 0; i < size; ++i)
    if (!m_known[byte + i]) return false;
  return true;
}

bool Memory::holds(std::size_t byte, const std::uint8_t *bytes, std::size_t size,
                   bool areKnown) const {
  return isKnown(byte, size) == areKnown && std::memcmp(m_data + byte, bytes, size) == 0;
}

void Memory::write(std::size_t byte, const std::uint8_t *bytes, std::size_t size, bool isKnown) {
  std::memcpy(m_data + byte, bytes, size);
  std::memset(m_known.data() + byte, isKnown ? 1 : 0, size);
}

} // namespace tessera::halide::lowered
