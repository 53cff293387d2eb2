// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/run_inputs.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::measure {

// What a stored result belongs to. In old documents these values may be missing; then the result is
// taken to belong to the current pipeline, since such a document had no other.
struct Basis {
  std::uint64_t scheduleHash = 0; // 0: the document is older than these hashes
  std::string contentSha256;      // of the pipeline's files (PipelineCopy); empty: unknown
  RunInputs inputs;

  friend bool operator==(const Basis &, const Basis &) = default;
};

// Whether a stored result still applies to the current state.
enum class Freshness : std::uint8_t {
  Fresh,
  OtherPipeline, // the pipeline or its size has changed
  OtherSchedule, // the schedule had to change to fit the pipeline
  OtherInputs    // the user has chosen other inputs since then
};
std::string_view name(Freshness freshness); // "fresh", "other pipeline"…
Freshness freshnessOf(const Basis &found, const Basis &now);

} // namespace tessera::measure
