// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/plan.h"

#include <cstdint>
#include <string_view>

namespace tessera::schedule {

// The hash depends on the order in which values are added, but not on the platform or the run.
class Hasher {
public:
  Hasher &operator<<(std::uint64_t value) {
    m_state = (m_state ^ mixed(value)) * 0x9fb21c651e98df25U + 0x632be59bd9b4e019U;
    return *this;
  }
  std::uint64_t value() const { return mixed(m_state); }

private:
  // Finaliser of MurmurHash3.
  static std::uint64_t mixed(std::uint64_t v) {
    v = (v ^ (v >> 33)) * 0xff51afd7ed558ccdU;
    v = (v ^ (v >> 33)) * 0xc4ceb9fe1a85ec53U;
    return v ^ (v >> 33);
  }
  std::uint64_t m_state = 0;
};

std::uint64_t textHash(std::string_view text);

// `depth` as in Schedule::hash(). `kindAt` is the kind of the loop that the func is computed at.
std::uint64_t planHash(const FuncPlan &plan, int depth, LoopKind kindAt);

} // namespace tessera::schedule
