// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/load_key.h"
#include "engine/cost/load/stage_load.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::cost {

// A hash table of the loads of stages. The key describes everything that a load depends on.
// Different schedules have most of their stages in common, so most loads are found here. When the
// table is full, all entries are dropped.
class KnownLoads {
public:
  // Returns null if the load is unknown.
  const StageLoad *find(const LoadKey &key) const;
  // The key must not be known yet. The reference is valid until the next add().
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
    std::uint32_t tag = 0; // part of the key: if it differs, the entry need not be read
  };
  static std::uint32_t tagOf(const LoadKey &key) { return static_cast<std::uint32_t>(key.high); }
  std::size_t slotOf(const LoadKey &key) const;

  std::vector<Slot> m_slots; // by key, with linear probing
  std::vector<Entry> m_entries;
};

} // namespace tessera::cost
