// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/parameters.h"
#include "engine/search/trace.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::search {

// A schedule that a search or tuning proposes. In a search, `seconds` is always the prediction of
// the cost model (cost::predict), whatever cost the search itself uses. Tuning may correct the
// prediction by measured times.
struct Candidate {
  schedule::Schedule schedule;
  double seconds = 0;
};

struct Problem {
  schedule::Schedule start; // legal; its frozen decisions are kept
  machine::Machine machine;
  std::uint64_t seed = 0;
  std::size_t evaluations = SIZE_MAX; // upper limit
  // If not empty, the start is already good except for these funcs. An algorithm that supports this
  // changes no kernels except those that these funcs concern.
  std::vector<pipeline::FuncId> around = {};
  ParameterValues parameters = {}; // of the algorithm; see algorithms.h
  // At most so many rows of Search::trace(). 0: nothing is recorded, which costs nothing.
  std::size_t traceRows = 0;
};

// What the cost model of an algorithm says of one kernel of its result, term by term.
struct KernelCost {
  std::string kernel;                                     // its output func
  std::vector<std::pair<std::string_view, double>> terms; // such as {"occupancy", 0.5}
};

// A search that its caller drives, a few milliseconds at a time. It has no threads and no clocks.
// The same problem gives the same candidates.
class Search {
public:
  virtual ~Search() = default;

  // Continues for a short time. Returns false when the search is finished.
  virtual bool step() = 0;

  // The best candidate so far, at first the start. It is never worse than the start, unless the
  // algorithm says otherwise.
  virtual const Candidate &best() const = 0;
  // The candidates since the last call. Each was better than all earlier candidates.
  virtual std::vector<Candidate> takeCandidates() = 0;

  virtual std::string_view phase() const = 0; // "grouping"
  virtual double progress() const = 0;        // 0 to 1
  virtual std::size_t evaluations() const = 0;
  // What the user should know about the result, such as where the algorithm's choice is not legal.
  virtual std::vector<std::string> remarks() const { return {}; }
  // At the end, if the algorithm has costs of its own. `seconds` of a candidate are not of these.
  virtual std::vector<KernelCost> kernelCosts() const { return {}; }
  // What was decided and tried so far, if Problem::traceRows asks for it. Recording it does not
  // change what is found.
  virtual Trace trace() const { return {}; }
};

} // namespace tessera::search
