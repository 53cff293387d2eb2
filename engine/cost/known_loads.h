// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/load_key.h"
#include "engine/cost/load/stage_load.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::cost {

// Loads of stages, by all that they depend on: schedules that differ have most of their stages in
// common. Forgets all when it is full.
class KnownLoads {
public:
  // None if unknown.
  const StageLoad *find(const LoadKey &key) const;
  // Not known so far. Stands until the next is added.
  const StageLoad &add(const LoadKey &key, const StageLoad &load);
  void clear();

private:
  struct Entry {
    LoadKey key;
    StageLoad load;
  };
  static constexpr std::size_t kMost = 1U << 15, kSlots = 2 * kMost;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Slot {
    std::uint32_t entry = kNone;
    std::uint32_t tag = 0; // of its key: most others are told apart without a look at them
  };
  static std::uint32_t tagOf(const LoadKey &key) { return static_cast<std::uint32_t>(key.high); }
  std::size_t slotOf(const LoadKey &key) const;

  std::vector<Slot> m_slots; // by key, the next free one taken
  std::vector<Entry> m_entries;
};

} // namespace tessera::cost
