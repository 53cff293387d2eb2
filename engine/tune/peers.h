// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/host/tools.h"
#include "engine/machine/machine.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tessera::tune {

using PeerParameters = std::vector<std::pair<std::string, std::string>>;

// An autoscheduler other than Tessera: a Halide plugin, with the parameters that describe the
// machine to it. The same plugin may be several peers, with other parameters.
struct Peer {
  std::string word;  // "li2018", as on the command line
  std::string name;  // "Li2018", as Halide registers it
  std::string label; // for the user, where the name is not enough: "Mullapudi2016, 4096 blocks"
  std::string title; // one line for the user
  std::string library;
  PeerParameters parameters;
  bool forHost = false; // schedules for the CPU, not for a GPU
  // How many schedules it makes, each by its own random choices. What counts is the one that the
  // peer itself predicts to be the fastest.
  std::size_t samples = 1;
};

// The autoschedulers that Halide ships, those for GPUs first.
std::vector<Peer> peersFor(const machine::Machine &machine, const host::ToolPaths &tools);
// The peers that `words` name, without duplicates. Refuses an unknown word.
Result<std::vector<Peer>> chosenPeers(const std::vector<Peer> &peers,
                                      const std::vector<std::string> &words);
// All parameters of one sample, from 0: those of the peer, and those that make the samples differ.
PeerParameters parametersOf(const Peer &peer, std::size_t sample);
// The parameters as words: "parallelism=128 balance=20, 80 samples".
std::string parameterText(const Peer &peer);

} // namespace tessera::tune
