// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::bench {

// What the driver and NVML tell about the GPU of the worker's machine: the reply to "describe".
struct DeviceDescription {
  std::string name;        // "NVIDIA H200"
  std::string uuid;        // identifies this individual GPU
  std::string driver;      // "580.159.04"; empty: unknown
  std::string cudaVersion; // version that the driver supports: "13.0"
  int major = 0, minor = 0;
  std::int64_t memoryBytes = 0;
  double memoryClockHz = 0;             // 0: unknown
  std::int64_t memoryBusBits = 0;       // 0: unknown
  std::map<std::string, double> values; // values of a machine, by field name (machine/fields.h)
  std::string profiler;                 // CUPTI's library and version; empty: none
  std::vector<std::string> absent;      // what is unavailable and why, for the user

  friend bool operator==(const DeviceDescription &, const DeviceDescription &) = default;
};

nlohmann::ordered_json toJson(const DeviceDescription &description);
Result<DeviceDescription> deviceDescriptionFromJson(const nlohmann::json &document);

} // namespace tessera::bench
