// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <vector>

namespace tessera::schedule {

// An array of shared values whose copies share all that is equal: a copy costs a pointer for each
// chunk, a change a chunk. A search copies a schedule for every candidate.
template <typename T>
class PersistentArray {
public:
  using Item = std::shared_ptr<const T>;

  std::size_t size() const { return m_size; }
  const Item &operator[](std::size_t i) const {
    assert(i < m_size);
    return (*m_chunks[i / kChunk])[i % kChunk];
  }

  void set(std::size_t i, Item item) {
    assert(i < m_size);
    auto &chunk = m_chunks[i / kChunk];
    auto changed = std::make_shared<Chunk>(*chunk);
    (*changed)[i % kChunk] = std::move(item);
    chunk = std::move(changed);
  }

  void assign(const std::vector<Item> &items) {
    m_size = items.size();
    m_chunks.clear();
    for (std::size_t begin = 0; begin < items.size(); begin += kChunk) {
      auto chunk = std::make_shared<Chunk>();
      const std::size_t end = std::min(begin + kChunk, items.size());
      std::copy(items.begin() + static_cast<std::ptrdiff_t>(begin),
                items.begin() + static_cast<std::ptrdiff_t>(end), chunk->begin());
      m_chunks.push_back(std::move(chunk));
    }
  }

private:
  static constexpr std::size_t kChunk = 16;
  using Chunk = std::array<Item, kChunk>;

  std::vector<std::shared_ptr<const Chunk>> m_chunks;
  std::size_t m_size = 0;
};

} // namespace tessera::schedule
