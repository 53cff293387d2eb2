// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/search/search.h"
#include "engine/tune/search_run.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tune {

// A pipeline as it was opened for one set of sizes, and the schedule to start from.
struct SizedProblem {
  std::string name; // of the sizes: "720p"
  search::Problem problem;
};

// A schedule that was found for one of the sizes, and what it takes at each of them.
struct AcrossSizes {
  schedule::Schedule schedule; // on the pipeline of one size
  std::size_t foundFor = 0;    // by the search for that one
  // In the order of the problems; where it cannot be used at a size, why.
  std::vector<Result<double>> seconds;
  // Halide is told the same at all of them, so that one file does for all.
  bool isOneText = false;
};

// What is best for each size, what is best for all, and how much better the first is.
struct Specialised {
  std::vector<SearchRun> runs; // by size, as the next
  // Of all that was found, also for another size: on the pipeline of this one.
  std::vector<AcrossSizes> best;
  // The one of which the geometric mean, over the sizes, of its time as a multiple of the best
  // there is least; none where nothing that was found can be used at all of them.
  std::optional<AcrossSizes> common;
  double worth = 1; // that mean: 1.1 is a tenth longer for all sizes with one schedule
  bool cancelled = false;
};

// Searches for each set of sizes, then asks our model what each of the schedules would take at the
// others. Blocks; run it as a job. Stopped, it compares what was found until then. There has to be
// a problem.
Result<Specialised> specialise(std::string_view algorithm,
                               const std::vector<SizedProblem> &problems,
                               const std::stop_token &stop, const job::ProgressCallback &progress);

// The same calls on the pipeline as it was opened for other sizes, by the names of funcs and loops.
// Refused, with the reason, where it has no such func, and where what it relies on does not hold
// there: promised extents, bounds of what is kept. Not checked for legality otherwise.
Result<schedule::Schedule> carriedOver(const schedule::Schedule &schedule,
                                       const pipeline::PipelinePtr &pipeline);

} // namespace tessera::tune
