// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::machine {

// The format of the files in resources/machines: a title, the sources, and each number with the
// name of its source.
//
//   { "name": "h200", "title": "NVIDIA H200", "api": "cuda", "compute_capability": [9, 0],
//     "sources": { "driver": "reported by driver 580.159.04", … },
//     "values": { "multiprocessors": { "value": 132, "source": "driver" }, … } }
nlohmann::ordered_json toJson(const Machine &machine);

// Every number has to be present and to have a source. It must be positive; only
// shared_reserved_bytes may be 0. Unknown members are errors, which say the line and column in the
// file `path`.
Result<Machine> machineFromJson(const std::string &text, const std::string &path);

} // namespace tessera::machine
