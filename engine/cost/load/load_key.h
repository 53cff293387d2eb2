// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/machine/machine.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <bit>
#include <cstdint>
#include <span>

namespace tessera::cost {

// A 128-bit hash of everything that a load depends on. Hashes of whole schedules have 64 bits.
struct LoadKey {
  std::uint64_t low = 0, high = 0;

  friend bool operator==(const LoadKey &, const LoadKey &) = default;
};

// Hashes a sequence of words. The two halves are independent, so that the CPU can overlap their
// multiplications.
class LoadKeyMaker {
public:
  void add(std::uint64_t word) {
    constexpr int kTurn = 29, kOtherTurn = 37;
    m_key.low = std::rotl((m_key.low ^ word) * kOdd, kTurn);
    m_key.high = std::rotl((m_key.high + word) * kOther, kOtherTurn);
  }
  LoadKey key() const {
    constexpr int kTop = 32;
    return {m_key.low ^ m_key.low >> kTop, m_key.high};
  }

private:
  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15, kOther = 0xc2b2ae3d27d4eb4f;
  LoadKey m_key{kOdd, kOther};
};

// Everything that the load of a stage depends on, besides pipeline and machine. Equal keys mean
// equal loads, so everything that loadOf() looks at has to be included. `newParts` comes from the
// stage's LoadInputs.
LoadKey describe(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                 const machine::Machine &machine, const KernelRuns &runs, const Run &run,
                 std::span<const double> newParts);

} // namespace tessera::cost
