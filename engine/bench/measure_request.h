// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/report/given_tolerance.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench {

// What a "measure" request asks for.
struct MeasureOptions {
  std::string bundle;               // path of a folder
  std::string reference;            // folder made by "reference"; empty: no comparison
  std::string inputs;               // folder of the user's inputs (input_folder.h); empty: none
  report::GivenTolerance tolerance; // what the user allows
  std::uint64_t seed = 1;           // for all other inputs
  int batches = 11;                 // samples of the back-to-back time
  double batchSeconds = 3e-3;
  double longSeconds = 0.1; // a longer run is a batch by itself, and two samples suffice
  double warmUpSeconds = 1; // maximum
  double slowSeconds = 0;   // a slower run gets only a rough time, from two batches; 0: never
  int singles = 21;         // samples of one run with a synchronisation; 0: none
  int coldSamples = 11;     // samples after overwriting the L2 cache; 0: none
  int tracedRuns = 7;       // runs in which each kernel is timed; 0: none
  bool allocating = true;   // also time runs that do not keep allocations
  bool graph = true;        // also time as a CUDA graph, if the run can be captured
  bool useProfiler = true;  // use CUPTI if it is available
  bool hashOutputs = true;
  // Uses ptxas's machine code, if the bundle has some for this GPU, instead of compiling in the
  // driver, which takes longer than measuring.
  bool useAssembled = false;

  friend bool operator==(const MeasureOptions &, const MeasureOptions &) = default;
};

// What an "interleave" request asks for. Several bundles of one pipeline are timed in turns, with
// one batch of each in every round, so that a falling clock affects all of them alike.
struct InterleaveOptions {
  std::vector<std::string> bundles; // folders
  std::string reference;            // for all bundles; empty: no comparison
  std::string inputs;               // as for "measure"
  report::GivenTolerance tolerance; // as for "measure"
  std::uint64_t seed = 1;
  int rounds = 21;
  double batchSeconds = 3e-3;
  double longSeconds = 0.1; // a longer run is a batch by itself
  double warmUpSeconds = 1; // for all bundles together; at least two rounds

  friend bool operator==(const InterleaveOptions &, const InterleaveOptions &) = default;
};

// What a "reference" request asks for: runs of host bundles, compiled as references.
struct ReferenceOptions {
  std::string bundle;
  std::string output; // folder; created if missing
  std::string inputs; // as for "measure"
  std::uint64_t seed = 1;
  std::string loose; // a bundle that rounds otherwise and sums in another order; empty: none

  friend bool operator==(const ReferenceOptions &, const ReferenceOptions &) = default;
};

// What a "count" request asks for: hardware counters of a bundle's kernels.
struct CountOptions {
  std::string bundle; // a folder
  std::string inputs; // as for "measure"
  std::uint64_t seed = 1;

  friend bool operator==(const CountOptions &, const CountOptions &) = default;
};

nlohmann::json toJson(const MeasureOptions &options);
nlohmann::json toJson(const InterleaveOptions &options);
nlohmann::json toJson(const CountOptions &options);
nlohmann::json toJson(const ReferenceOptions &options);
// Fails for an unknown member and for a number out of range; the error names the member.
Result<MeasureOptions> measureOptionsFromJson(const nlohmann::json &fields);
Result<InterleaveOptions> interleaveOptionsFromJson(const nlohmann::json &fields);
Result<CountOptions> countOptionsFromJson(const nlohmann::json &fields);
Result<ReferenceOptions> referenceOptionsFromJson(const nlohmann::json &fields);

} // namespace tessera::bench
