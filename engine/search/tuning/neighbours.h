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

// Legal schedules a few random changes away from one that is known to be good: other tile factors,
// places, storages, orders, register caps. For tuning, where a measurement says what our model
// cannot. The same seed and calls give the same schedules.
class Neighbours {
public:
  Neighbours(machine::Machine machine, std::uint64_t seed);

  // The `most` that our model likes best of those that `tries` random walks come to. None has a
  // hash of `known`, nor a decision changed that is frozen. Perhaps none at all.
  std::vector<Candidate> around(const schedule::Schedule &start, std::size_t tries,
                                std::size_t most, const std::set<std::uint64_t> &known);

private:
  schedule::Schedule walked(const schedule::Schedule &start);
  bool change(schedule::Schedule &schedule);
  std::size_t below(std::size_t count); // random

  const machine::Machine m_machine;
  schedule::KnownLegality m_legality; // on that machine
  std::mt19937_64 m_random;
};

} // namespace tessera::search
