// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::search {

// A schedule that a search proposes. What it takes is always what our own model says of it
// (cost::predict), whatever the search itself goes by.
struct Candidate {
  schedule::Schedule schedule;
  double seconds = 0;
};

struct Problem {
  schedule::Schedule start; // legal; what is frozen in it stays as it is
  machine::Machine machine;
  std::uint64_t seed = 0;
  std::size_t evaluations = SIZE_MAX; // at most so many
  // Not empty: the start is good but for what has to do with these. An algorithm that can stays
  // near them, and leaves all other kernels as they are.
  std::vector<pipeline::FuncId> around = {};
};

// A search that somebody else drives, a few milliseconds at a time: no threads, no clocks. The same
// problem gives the same candidates.
class Search {
public:
  virtual ~Search() = default;

  // Goes on for a little; false: there is nothing more to do.
  virtual bool step() = 0;

  // The best so far, the start at first. Never worse than that, unless the search says so.
  virtual const Candidate &best() const = 0;
  // Each that was better than all before, since they were last taken.
  virtual std::vector<Candidate> takeCandidates() = 0;

  virtual std::string_view phase() const = 0; // "grouping"
  virtual double progress() const = 0;        // 0 to 1
  virtual std::size_t evaluations() const = 0;
};

} // namespace tessera::search
