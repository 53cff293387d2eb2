// SPDX-License-Identifier: MIT
#include "engine/bench/device_state_json.h"

#include "engine/bench/json_reader.h"

namespace tessera::bench {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json toJson(const DeviceState &state) {
  return {{"multiprocessor_mhz", state.multiprocessorMhz},
          {"memory_mhz", state.memoryMhz},
          {"celsius", state.celsius},
          {"watts", state.watts},
          {"throttled", state.throttled}};
}

DeviceState deviceStateFrom(const json &value) {
  ObjectReader reader(value, "the state of a device");
  DeviceState state;
  state.multiprocessorMhz = reader.number<int>("multiprocessor_mhz");
  state.memoryMhz = reader.number<int>("memory_mhz");
  state.celsius = reader.number<int>("celsius");
  state.watts = reader.number<double>("watts");
  state.throttled = reader.words("throttled");
  reader.refuseOthers();
  return state;
}

} // namespace tessera::bench
