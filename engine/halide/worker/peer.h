// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

// What a "peer" request asks for: another autoscheduler's schedule of a pipeline.
struct PeerOptions {
  ImportOptions import;
  std::string library; // Halide's plugin, a file
  std::string name;    // that it registers: "Li2018"
  std::vector<std::pair<std::string, std::string>> parameters;
  bool forHost = false;
  int capability = 86; // of the CUDA target it is told
  std::string output;  // NAME.hlpipe, with the sidecar beside it
};

Result<PeerOptions> peerOptionsFrom(const nlohmann::json &fields);

// Has the peer schedule a fresh copy of the pipeline under its estimates, and writes it with that
// schedule as the plugin writes captured ones. Returns the seconds that the peer took.
Result<double> schedulePeer(const PreparedPipeline &prepared, const PeerOptions &options,
                            const PhaseCallback &phase = {});

} // namespace tessera::halide
