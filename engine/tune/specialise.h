// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/search_run.h"
#include "engine/base/result.h"
#include "engine/search/search.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tune {

// A pipeline opened for one set of sizes, and the schedule to start from.
struct SizedProblem {
  std::string name; // of the set of sizes: "720p"
  search::Problem problem;
};

// A schedule found for one of the sizes, and its predicted time at each of them.
struct AcrossSizes {
  schedule::Schedule schedule; // for the pipeline of one size
  std::size_t foundFor = 0;    // index of the size whose search found it
  // In the order of the problems; an error tells why it cannot be used at that size.
  std::vector<Result<double>> seconds;
  // True: the directives are the same at all sizes where it can be used, so one file is enough.
  bool isOneText = false;
};

// The best schedule for each size, the best for all, and how much better the specialised ones are.
struct Specialised {
  std::vector<SearchRun> runs; // in the order of the sizes
  // For each size, the best of all schedules, even of those found for another size. Each schedule
  // here is for the pipeline of its size.
  std::vector<AcrossSizes> best;
  // The schedule with the least geometric mean, over the sizes, of its time relative to the best at
  // that size. nullopt if no schedule can be used at all sizes with the same directives.
  std::optional<AcrossSizes> common;
  double worth = 1; // that geometric mean: with 1.1, the common schedule takes 10 % longer
  bool cancelled = false;
};

// Searches for each set of sizes, then predicts the time of each schedule at the other sizes.
// Blocks; run it as a job. If stopped, it compares what was found until then. There must be at
// least one problem.
Result<Specialised> specialise(std::string_view algorithm,
                               const std::vector<SizedProblem> &problems,
                               const std::stop_token &stop, const job::ProgressCallback &progress);

// Applies the schedule's calls to `pipeline`, which is the same pipeline opened for other sizes.
// Funcs and loops are matched by name. Fails, with the reason, if a func is missing or an
// assumption does not hold there: promised extents, bounds of outputs or of stored values. Legality
// is not checked.
Result<schedule::Schedule> carriedOver(const schedule::Schedule &schedule,
                                       const pipeline::PipelinePtr &pipeline);

} // namespace tessera::tune
