// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::schedule {

// Memory for plain values that are all released at once. A cleared arena uses its memory again, so
// measuring a candidate of a search allocates nothing.
class Arena {
public:
  // The smallest size of a new piece of memory.
  void setLeast(std::size_t bytes) { m_least = bytes; }
  void clear() {
    m_next = 0;
    m_free = {};
  }

  // The size of all pieces that are full or in use.
  std::size_t bytes() const {
    std::size_t bytes = 0;
    for (std::size_t p = 0; p < m_next; ++p)
      bytes += m_pieces[p].size;
    return bytes;
  }

  // Uninitialised memory for `count` values, which the caller fills in.
  template <typename T>
  std::span<T> room(std::size_t count) {
    static_assert(alignof(T) <= kUnit && std::is_trivially_destructible_v<T>);
    const std::size_t bytes = (count * sizeof(T) + kUnit - 1) / kUnit * kUnit;
    while (m_free.size() < bytes)
      m_free = nextPiece(bytes);
    auto *items = reinterpret_cast<T *>(m_free.data());
    m_free = m_free.subspan(bytes);
    return {items, count};
  }

private:
  static constexpr std::size_t kUnit = alignof(std::int64_t);
  struct Piece {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  std::span<std::byte> nextPiece(std::size_t bytes) {
    if (m_next == m_pieces.size()) {
      const std::size_t size = std::max(bytes, m_least);
      m_pieces.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
    }
    const Piece &piece = m_pieces[m_next++];
    return {piece.bytes.get(), piece.size};
  }

  std::vector<Piece> m_pieces;
  std::size_t m_next = 0; // next piece to fill
  std::size_t m_least = 0;
  std::span<std::byte> m_free; // unused rest of the current piece
};

} // namespace tessera::schedule
