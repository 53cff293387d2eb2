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
  std::string library; // path of Halide's plugin
  std::string name;    // the name that the plugin registers, such as "Li2018"
  std::vector<std::pair<std::string, std::string>> parameters;
  bool forHost = false;
  int capability = 86; // compute capability of the CUDA target that the peer is given
  std::string output;  // path of NAME.hlpipe; the sidecar is written beside it
};

Result<PeerOptions> peerOptionsFrom(const nlohmann::json &fields);

// Lets the peer schedule a fresh copy of the pipeline under its estimates, and writes the result in
// the form in which the plugin writes captured pipelines. Returns the seconds that the peer took.
Result<double> schedulePeer(const PreparedPipeline &prepared, const PeerOptions &options,
                            const PhaseCallback &phase = {});

} // namespace tessera::halide
