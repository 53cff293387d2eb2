// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench {

// What a "measure" request asks for.
struct MeasureOptions {
  std::string bundle;     // a folder
  std::string reference;  // a folder that "reference" made; empty: nothing is compared
  std::string inputs;     // a folder of those that the user gave (input_folder.h); empty: none
  std::uint64_t seed = 1; // of the other inputs
  int batches = 11;       // samples of the time back to back
  double batchSeconds = 3e-3;
  double longSeconds = 0.1; // from here on a run is a batch, and two are enough
  double warmUpSeconds = 1; // at most
  double slowSeconds = 0;   // from here on a rough time will do, of two batches; 0: never
  int singles = 21;         // samples with synchronisation; 0: none
  int coldSamples = 11;     // samples after the L2 was overwritten; 0: none
  int tracedRuns = 7;       // for the times of single kernels; 0: none
  bool allocating = true;   // also without keeping allocations
  bool graph = true;        // also as a CUDA graph, where the run can be one
  bool useProfiler = true;  // CUPTI, where it can be had
  bool hashOutputs = true;
  // ptxas's machine code, where the bundle has some for this GPU, instead of the driver compiling:
  // that takes longer than measuring.
  bool useAssembled = false;

  friend bool operator==(const MeasureOptions &, const MeasureOptions &) = default;
};

// What an "interleave" request asks for: several bundles of one pipeline timed in turns, a batch of
// each in every round, so that a clock that falls is nobody's alone.
struct InterleaveOptions {
  std::vector<std::string> bundles; // folders
  std::string reference;            // of all of them; empty: nothing is compared
  std::string inputs;               // as for "measure"
  std::uint64_t seed = 1;
  int rounds = 21;
  double batchSeconds = 3e-3;
  double longSeconds = 0.1; // from here on a run is a batch
  double warmUpSeconds = 1; // at most, of all together

  friend bool operator==(const InterleaveOptions &, const InterleaveOptions &) = default;
};

// What a "reference" request asks for: a bundle for the host, run once.
struct ReferenceOptions {
  std::string bundle;
  std::string output; // a folder; made if it is not there
  std::string inputs; // as for "measure"
  std::uint64_t seed = 1;
  bool floatsDecideIntegers = false; // some float has a say in what integers come out

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
// Unknown members are refused by name, numbers beyond reason too.
Result<MeasureOptions> measureOptionsFromJson(const nlohmann::json &fields);
Result<InterleaveOptions> interleaveOptionsFromJson(const nlohmann::json &fields);
Result<CountOptions> countOptionsFromJson(const nlohmann::json &fields);
Result<ReferenceOptions> referenceOptionsFromJson(const nlohmann::json &fields);

} // namespace tessera::bench
