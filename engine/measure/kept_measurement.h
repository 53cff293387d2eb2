// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/counters.h"
#include "engine/bench/measurement.h"
#include "engine/report/compile_report.h"
#include "engine/measure/freshness.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace tessera::measure {

// A measurement as a document keeps it: the times, and what they are times of. `times` names the
// bundle by its checksum.
struct KeptMeasurement {
  bench::Measurement times;
  Basis of;
  report::CompileReport bundle; // kernels and allocations; without the texts it speaks of
  std::optional<bench::CounterReport> counters; // none: nobody counted

  bool hasBundle() const { return !bundle.kernels.empty(); }
  friend bool operator==(const KeptMeasurement &, const KeptMeasurement &) = default;
};

// What a document needs of a bundle's report.
report::CompileReport withoutTexts(report::CompileReport report);

// In the form of a document: the members of the measurement itself are under "measurement", as in
// the first format, the others under "measured".
void addTo(nlohmann::ordered_json &object, const KeptMeasurement &measurement);
Result<KeptMeasurement> keptMeasurementFrom(const nlohmann::json &object);

} // namespace tessera::measure
