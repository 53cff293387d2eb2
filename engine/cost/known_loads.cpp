// SPDX-License-Identifier: MIT
#include "engine/cost/known_loads.h"

namespace tessera::cost {

std::size_t KnownLoads::slotOf(const LoadKey &key) const {
  std::size_t slot = key.low % kSlots;
  while (m_slots[slot].entry != kNone &&
         (m_slots[slot].tag != tagOf(key) || m_entries[m_slots[slot].entry].key != key))
    slot = (slot + 1) % kSlots;
  return slot;
}

const StageLoad *KnownLoads::find(const LoadKey &key) const {
  if (m_slots.empty()) return nullptr;
  const std::uint32_t entry = m_slots[slotOf(key)].entry;
  return entry == kNone ? nullptr : &m_entries[entry].load;
}

void KnownLoads::clear() {
  m_slots.clear();
  m_entries.clear();
}

const StageLoad &KnownLoads::add(const LoadKey &key, const StageLoad &load) {
  if (m_entries.size() == kMost) clear();
  if (m_slots.empty()) m_slots.resize(kSlots);
  m_slots[slotOf(key)] = {static_cast<std::uint32_t>(m_entries.size()), tagOf(key)};
  m_entries.push_back({key, load});
  return m_entries.back().load;
}

} // namespace tessera::cost
