// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/measurement.h"
#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tessera::bench {

// A rate that a GPU reached in a kernel that does nothing else (device/ceiling_kernels.h).
struct CeilingRate {
  std::string name;     // "dram_read"
  std::string label;    // what was done, with sizes, for the user
  std::string unit;     // "bytes", "operations", "instructions"
  double perSecond = 0; // the highest of the samples
  double medianPerSecond = 0;
  int samples = 0;
  std::int64_t workingSet = 0; // bytes that were moved repeatedly; 0: none

  friend bool operator==(const CeilingRate &, const CeilingRate &) = default;
};

// The highest rates of one GPU, found in the way of the Empirical Roofline Tool. They are valid for
// this GPU and this driver.
struct MeasuredCeilings {
  std::string machine, uuid, driver, cudaVersion;
  std::string date, program; // when and by which program it was measured
  double seconds = 0;        // duration of the measuring
  DeviceState before, after;
  std::vector<CeilingRate> rates;

  double rate(std::string_view name) const; // 0: not measured
  friend bool operator==(const MeasuredCeilings &, const MeasuredCeilings &) = default;
};

nlohmann::ordered_json toJson(const MeasuredCeilings &ceilings);
Result<MeasuredCeilings> ceilingsFromJson(const nlohmann::json &document);

} // namespace tessera::bench
