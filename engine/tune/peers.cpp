// SPDX-License-Identifier: MIT
#include "engine/tune/peers.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tessera::tune {

namespace {

// Anderson et al. 2021, section 5: "we sample 80 schedules", of which one is a beam search and the
// others are greedy ones that drop choices at random.
constexpr std::size_t kSamples = 80;

std::string kilobytes(std::int64_t bytes) { return std::to_string(bytes / 1024); }

// `plugin` is the name of the library; `word` may say more.
Peer peer(const host::ToolPaths &tools, const std::string &plugin, std::string word,
          const std::string &name, std::string title, PeerParameters parameters) {
  Peer made{std::move(word), name, name, std::move(title), {}, std::move(parameters)};
  made.library = tools.halideRoot + "/lib64/libautoschedule_" + plugin + ".so";
  return made;
}

// When it schedules for a GPU, this autoscheduler takes `last_level_cache_size` for the size of a
// block's shared memory, and `parallelism` for the least number of blocks of a kernel.
Peer mullapudi(const machine::Machine &machine, const host::ToolPaths &tools, std::string word,
               const std::string &parallelism) {
  return peer(
      tools, "mullapudi2016", std::move(word), "Mullapudi2016",
      "Mullapudi et al. 2016: greedy grouping and tiling, in its experimental GPU mode; at least " +
          parallelism + " blocks to a kernel",
      {{"parallelism", parallelism},
       {"last_level_cache_size", std::to_string(machine.limits.sharedBytesPerBlock)},
       {"balance", "20"},
       {"experimental_gpu_schedule", "1"}});
}

Peer anderson(const machine::Machine &machine, const host::ToolPaths &tools, std::string word,
              std::string title) {
  return peer(
      tools, "anderson2021", std::move(word), "Anderson2021", std::move(title),
      {{"parallelism", std::to_string(machine.multiprocessors)},
       {"shared_memory_limit_kb", kilobytes(machine.limits.sharedBytesPerBlock)},
       {"shared_memory_sm_limit_kb", kilobytes(machine.sm.sharedBytes)},
       {"active_block_limit", std::to_string(machine.sm.blocks)},
       {"active_warp_limit", std::to_string(machine.sm.threads / machine.limits.warpSize)}});
}

// Anderson et al. 2021, sections 3 and 4: what is inlined and what has a kernel of its own is
// decided first and frozen, and each stage is offered a random part of its tilings.
Peer sampledAnderson(const machine::Machine &machine, const host::ToolPaths &tools) {
  Peer made = anderson(machine, tools, "anderson2021",
                       "Anderson et al. 2021, as published: the best of 80 samples by its learned "
                       "cost model");
  made.parameters.emplace_back("freeze_inline_compute_root", "1");
  made.parameters.emplace_back("randomize_tilings", "1");
  made.samples = kSamples;
  return made;
}

} // namespace

std::vector<Peer> peersFor(const machine::Machine &machine, const host::ToolPaths &tools) {
  Peer wide = mullapudi(machine, tools, "mullapudi2016-4096", "4096");
  wide.label += ", 4096 blocks";
  Peer usual = anderson(machine, tools, "anderson2021-default",
                        "Anderson et al. 2021 with the plugin's defaults: one beam search, nothing "
                        "frozen");
  usual.label += ", defaults";
  std::vector<Peer> peers{
      peer(tools, "li2018", "li2018", "Li2018",
           "Li et al. 2018: no fusion; each func that is not inlined has its own kernel",
           {{"parallelism", std::to_string(machine.multiprocessors)}}),
      // Mullapudi et al. 2016, section 5.4, say 128. With more, it gives a right schedule for more
      // applications.
      mullapudi(machine, tools, "mullapudi2016", "128"), std::move(wide),
      sampledAnderson(machine, tools), std::move(usual),
      peer(tools, "adams2019", "adams2019", "Adams2019",
           "Adams et al. 2019: beam search with a learned cost model, for the CPU", {})};
  peers.back().forHost = true;
  return peers;
}

Result<std::vector<Peer>> chosenPeers(const std::vector<Peer> &peers,
                                      const std::vector<std::string> &words) {
  std::vector<Peer> chosen;
  for (const std::string &word : words) {
    const auto at = std::ranges::find(peers, word, &Peer::word);
    if (at == peers.end()) {
      std::string known;
      for (const Peer &one : peers)
        known += (known.empty() ? "" : ", ") + one.word;
      return Error{ErrorCode::Usage, "There is no autoscheduler '" + word + "'.",
                   "Known autoschedulers: " + known + "."};
    }
    if (std::ranges::find(chosen, word, &Peer::word) == chosen.end()) chosen.push_back(*at);
  }
  return chosen;
}

PeerParameters parametersOf(const Peer &peer, std::size_t sample) {
  PeerParameters parameters = peer.parameters;
  if (peer.samples == 1) return parameters;
  // The first sample is a beam search that drops nothing; the seed of 0 would be the time of day.
  const bool isBeam = sample == 0;
  parameters.emplace_back("beam_size", isBeam ? "32" : "1");
  parameters.emplace_back("random_dropout", isBeam ? "100" : "1");
  parameters.emplace_back("random_dropout_seed", std::to_string(sample + 1));
  return parameters;
}

std::string parameterText(const Peer &peer) {
  std::string text;
  for (const auto &[key, value] : peer.parameters)
    text += (text.empty() ? "" : " ") + key + "=" + value;
  if (peer.samples > 1) text += ", " + std::to_string(peer.samples) + " samples";
  return text;
}

} // namespace tessera::tune
