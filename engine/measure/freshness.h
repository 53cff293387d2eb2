// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/run_inputs.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::measure {

// What something that was found out by running is of. What nobody wrote down is taken for what
// there is now: a document of then had nothing else.
struct Basis {
  std::uint64_t scheduleHash = 0; // 0: of a document before this was kept
  std::string contentSha256;      // of the pipeline's (PipelineCopy); empty: nobody knew it yet
  RunInputs inputs;

  friend bool operator==(const Basis &, const Basis &) = default;
};

// Whether it says something of what is there now.
enum class Freshness : std::uint8_t {
  Fresh,
  OtherPipeline, // the pipeline, or its size, is another one by now
  OtherSchedule, // what is decided had to change to fit the pipeline
  OtherInputs    // by now the user wants it to be run on others
};
std::string_view name(Freshness freshness); // "fresh", "other pipeline"…
Freshness freshnessOf(const Basis &found, const Basis &now);

} // namespace tessera::measure
