// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/search/search.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace tessera::search {

// Legal schedules that differ from a known good one by a few random changes: other tile factors,
// places, storages, orders and register caps. Used for tuning, where measurements can show what the
// cost model cannot. The same seed and calls give the same schedules.
class Neighbours {
public:
  Neighbours(machine::Machine machine, std::uint64_t seed);

  // The results of `tries` random walks: at most `most`, those with the best predictions. Schedules
  // whose hash is in `known` are left out, and frozen decisions are kept. May be empty.
  std::vector<Candidate> around(const schedule::Schedule &start, std::size_t tries,
                                std::size_t most, const std::set<std::uint64_t> &known);

private:
  schedule::Schedule walked(const schedule::Schedule &start);
  bool change(schedule::Schedule &schedule);
  std::size_t below(std::size_t count); // a random number less than `count`

  const machine::Machine m_machine;
  schedule::KnownLegality m_legality; // legality on m_machine
  std::mt19937_64 m_random;
};

} // namespace tessera::search
