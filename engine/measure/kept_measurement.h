// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/freshness.h"
#include "engine/base/result.h"
#include "engine/bench/counters.h"
#include "engine/bench/measurement.h"
#include "engine/report/compile_report.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace tessera::measure {

// A measurement in a document: the times, and what was timed. `times` names the bundle by its
// checksum.
struct KeptMeasurement {
  bench::Measurement times;
  Basis of;
  report::CompileReport bundle;                 // kernels and allocations; see withoutTexts()
  std::optional<bench::CounterReport> counters; // nullopt: not counted

  bool hasBundle() const { return !bundle.kernels.empty(); }
  friend bool operator==(const KeptMeasurement &, const KeptMeasurement &) = default;
};

// The part of a bundle's report that a document needs: without the names of the bundle's text files
// and the line numbers in them.
report::CompileReport withoutTexts(report::CompileReport report);

// Adds a measurement to `object` as documents store it: `times` is under "measurement", as in the
// first version of the format; all other members are under "measured".
void addTo(nlohmann::ordered_json &object, const KeptMeasurement &measurement);
Result<KeptMeasurement> keptMeasurementFrom(const nlohmann::json &object);

} // namespace tessera::measure
