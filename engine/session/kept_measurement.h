// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/counters.h"
#include "engine/bench/measurement.h"
#include "engine/schedule/compile_report.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::session {

// A measurement as a document keeps it: the times, and what they are times of. `times` names the
// bundle by its checksum.
struct KeptMeasurement {
  bench::Measurement times;
  std::uint64_t scheduleHash = 0; // that was measured; 0: of a document before this was kept
  std::string contentSha256;      // of the pipeline's (PipelineCopy); empty: as above
  schedule::CompileReport bundle; // kernels and allocations; without the texts it speaks of
  std::optional<bench::CounterReport> counters; // none: nobody counted

  bool hasBundle() const { return !bundle.kernels.empty(); }
  friend bool operator==(const KeptMeasurement &, const KeptMeasurement &) = default;
};

// What a document needs of a bundle's report.
schedule::CompileReport withoutTexts(schedule::CompileReport report);

// Whether it says something of what is there now.
enum class Freshness : std::uint8_t {
  Fresh,
  OtherPipeline, // the pipeline, or its size, is another one by now
  OtherSchedule  // what is decided had to change to fit the pipeline
};
std::string_view name(Freshness freshness); // "fresh", "other pipeline", "other schedule"
Freshness freshnessOf(const KeptMeasurement &measurement, std::uint64_t scheduleHash,
                      std::string_view contentSha256);
// Of what was found out of that content and those decisions; none of them: fresh.
Freshness freshnessOf(std::string_view ofContent, std::uint64_t ofSchedule,
                      std::uint64_t scheduleHash, std::string_view contentSha256);

// In the form of a document: the members of the measurement itself are under "measurement", as in
// the first format, the others under "measured".
void addTo(nlohmann::ordered_json &object, const KeptMeasurement &measurement);
Result<KeptMeasurement> keptMeasurementFrom(const nlohmann::json &object);

} // namespace tessera::session
