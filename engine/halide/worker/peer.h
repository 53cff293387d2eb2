// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

// What a "peer" request asks for: another autoscheduler's schedule of a pipeline.
struct PeerOptions {
  ImportOptions import;
  std::string library; // path of the autoscheduler's Halide plugin
  std::string name;    // the name that the plugin registers, such as "Li2018"
  std::vector<std::pair<std::string, std::string>> parameters;
  bool forHost = false;
  int capability = 86; // compute capability of the CUDA target (86: 8.6)
  std::string output;  // path of NAME.hlpipe; the sidecar is written beside it
};

struct PeerAnswer {
  double seconds = 0; // that the autoscheduler took
  // What it predicts, in a unit of its own. Anderson2021 says it where the environment variable
  // HL_DEBUG_AUTOSCHEDULE is 1.
  std::optional<double> cost;
};

Result<PeerOptions> peerOptionsFrom(const nlohmann::json &fields);

// Lets the autoscheduler schedule a fresh copy of the pipeline under the prepared estimates, and
// writes the result with capturePipeline().
Result<PeerAnswer> schedulePeer(const PreparedPipeline &prepared, const PeerOptions &options,
                                const PhaseCallback &phase = {});

} // namespace tessera::halide
