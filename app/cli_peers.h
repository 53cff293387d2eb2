// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"
#include "engine/tune/peer_samples.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// --peer-weights and --peer-jobs.
void addPeerSampling(CLI::App &command, tune::PeerSampling &sampling);

// The command `peers FILE`: the schedules of other autoschedulers for a pipeline.
void addPeers(CLI::App &cli, Command &run);

} // namespace tessera::app
