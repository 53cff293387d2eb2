// SPDX-License-Identifier: MIT
#include "engine/bench/device_description.h"

#include "engine/bench/json_reader.h"

namespace tessera::bench {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json toJson(const DeviceDescription &description) {
  return {{"name", description.name},
          {"uuid", description.uuid},
          {"driver", description.driver},
          {"cuda_version", description.cudaVersion},
          {"compute_capability", {description.major, description.minor}},
          {"memory_bytes", description.memoryBytes},
          {"memory_clock_hz", description.memoryClockHz},
          {"memory_bus_bits", description.memoryBusBits},
          {"values", description.values},
          {"profiler", description.profiler},
          {"absent", description.absent}};
}

Result<DeviceDescription> deviceDescriptionFromJson(const json &document) {
  return readOr(ErrorCode::WorkerFailed, "", [&] {
    ObjectReader reader(document, "the description of a device");
    DeviceDescription result;
    result.name = reader.word("name");
    result.uuid = reader.word("uuid");
    result.driver = reader.word("driver");
    result.cudaVersion = reader.word("cuda_version");
    const auto capability =
        reader.list<int>("compute_capability", [](const json &part) { return part.get<int>(); });
    if (capability.size() != 2) throw Malformed("'compute_capability' is not a pair");
    result.major = capability[0];
    result.minor = capability[1];
    result.memoryBytes = reader.number<std::int64_t>("memory_bytes");
    result.memoryClockHz = reader.number<double>("memory_clock_hz");
    result.memoryBusBits = reader.number<std::int64_t>("memory_bus_bits");
    result.values = reader.at("values").get<std::map<std::string, double>>();
    result.profiler = reader.word("profiler");
    result.absent = reader.words("absent");
    reader.refuseOthers();
    return result;
  });
}

} // namespace tessera::bench
