// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <vector>

namespace tessera::schedule {

// An array whose copies share items that have not changed, since a search copies a schedule for
// every candidate. A copy costs one pointer per chunk, and a change copies at most one chunk.
template <typename T>
class PersistentArray {
public:
  using Item = std::shared_ptr<T>;

  std::size_t size() const { return m_size; }
  const T &operator[](std::size_t i) const {
    assert(i < m_size);
    return *(*m_chunks[i / kChunk])[i % kChunk];
  }
  bool shares(std::size_t i, const PersistentArray &other) const {
    return &(*this)[i] == &other[i];
  }

  // Calls `function(i)`, in order, for each item that is not shared with `other`, an array of the
  // same size. Items that are not shared may still be equal.
  template <typename Function>
  void forEachNotShared(const PersistentArray &other, Function function) const {
    for (std::size_t c = 0; c < m_chunks.size(); ++c) {
      if (m_chunks[c] == other.m_chunks[c]) continue;
      for (std::size_t i = c * kChunk; i < std::min(m_size, (c + 1) * kChunk); ++i)
        if (!shares(i, other)) function(i);
    }
  }

  void set(std::size_t i, T value) {
    Item &item = ownItem(i);
    if (isOwn(item))
      *item = std::move(value);
    else
      item = std::make_shared<T>(std::move(value));
  }

  // A reference for changing the item in place. An item that another array shares is copied first.
  T &own(std::size_t i) {
    Item &item = ownItem(i);
    if (!isOwn(item)) item = std::make_shared<T>(*item);
    return *item;
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

  // Whether no other array shares `shared`, an item or a chunk, so that it may be changed in place.
  // The fence makes the last accesses of threads that have released it visible here.
  template <typename Shared>
  static bool isOwn(const std::shared_ptr<Shared> &shared) {
    if (shared.use_count() != 1) return false;
    std::atomic_thread_fence(std::memory_order_acquire);
    return true;
  }

  Item &ownItem(std::size_t i) {
    assert(i < m_size);
    auto &chunk = m_chunks[i / kChunk];
    if (!isOwn(chunk)) chunk = std::make_shared<Chunk>(*chunk);
    return (*chunk)[i % kChunk];
  }

  std::vector<std::shared_ptr<Chunk>> m_chunks;
  std::size_t m_size = 0;
};

} // namespace tessera::schedule
