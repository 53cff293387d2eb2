// SPDX-License-Identifier: MIT
#include "app/cli_peers.h"

#include "app/cli_machine.h"
#include "app/cli_open.h"
#include "app/cli_source.h"
#include "app/cli_table.h"
#include "app/cli_text.h"
#include "engine/cost/prediction.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/tune/peer_run.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using nlohmann::ordered_json;
using tune::Peer;
using tune::PeerRun;
using tune::PeerStatus;

struct PeersOptions {
  FileOptions file;
  std::vector<std::string> only;
  std::string machine = host::kDefaultMachine;
  std::string output;
  int timeout = 120; // seconds for each peer
  tune::PeerSampling sampling;
  bool list = false, json = false;
};

ordered_json toJson(const Peer &peer) {
  ordered_json parameters = ordered_json::object();
  for (const auto &[key, value] : peer.parameters)
    parameters[key] = value;
  std::error_code ignored;
  return {{"peer", peer.word},
          {"name", peer.name},
          {"title", peer.title},
          {"target", peer.forHost ? "host" : "cuda"},
          {"plugin", peer.library},
          {"installed", std::filesystem::exists(peer.library, ignored)},
          {"parameters", std::move(parameters)},
          {"samples", peer.samples}};
}

void listPeers(const std::vector<Peer> &peers, bool json) {
  if (json) {
    ordered_json list = ordered_json::array();
    for (const Peer &peer : peers)
      list.push_back(toJson(peer));
    std::cout << list.dump(2) << "\n";
    return;
  }
  Table table{{{"peer"}, {"about"}, {"options"}}, {}};
  for (const Peer &peer : peers)
    table.rows.push_back({peer.word, peer.title, tune::parameterText(peer)});
  std::cout << table;
}

// The cost model's prediction; nullopt if there is no schedule for a GPU.
std::optional<cost::Prediction> predicted(const PeerRun &run, const machine::Machine &machine) {
  if (!run.schedule || run.peer.forHost) return std::nullopt;
  return cost::predict(*run.schedule, machine);
}

ordered_json toJson(const PeerRun &run, const machine::Machine &machine) {
  ordered_json document = toJson(run.peer);
  document["status"] = tune::name(run.status);
  document["seconds"] = run.seconds;
  document["made"] = run.made;
  document["memory_limit_bytes"] = run.memoryLimit;
  if (!run.weights.empty()) document["weights"] = run.weights;
  if (const auto prediction = predicted(run, machine)) {
    document["predicted_ms"] = prediction->milliseconds();
    document["kernels"] = prediction->kernels.size();
  }
  if (!run.why.empty()) document["why"] = run.why;
  if (!run.remark.empty()) document["remark"] = run.remark;
  return document;
}

std::vector<std::string> rowOf(const PeerRun &run, const machine::Machine &machine) {
  const auto prediction = predicted(run, machine);
  // A reason may have several lines; the table takes the first.
  return {run.peer.word,
          std::string(tune::name(run.status)),
          fixedText(run.seconds, 3),
          prediction ? fixedText(prediction->milliseconds(), 4) : "-",
          prediction ? std::to_string(prediction->kernels.size()) : "-",
          run.why.substr(0, run.why.find('\n'))};
}

class Peers {
public:
  Peers(const PeersOptions &options, const Invocation &invocation)
      : m_options(options), m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_opener(options.file, invocation) {}

  int run() {
    const auto machine = host::machineFor(m_options.machine, m_opener.tools());
    if (!machine) return report(machine.error(), m_style);
    auto peers = tune::peersFor(*machine, m_opener.tools());
    if (!m_options.only.empty()) {
      auto chosen = tune::chosenPeers(peers, m_options.only);
      if (!chosen) return report(chosen.error(), m_style);
      peers = std::move(*chosen);
    }
    if (m_options.list) {
      listPeers(peers, m_options.json);
      return outputDone();
    }
    if (m_options.file.file.empty())
      return report(
          {ErrorCode::Usage, "No pipeline to schedule was given.", "Give a file, or use --list."},
          m_style);
    const auto request = m_opener.request();
    if (!request) return report(request.error(), m_style);
    const auto opened = m_opener.open(*request);
    if (!opened) return report(opened.error(), m_style);
    return runAll(peers, *opened, *machine);
  }

private:
  int runAll(const std::vector<Peer> &peers, const open::OpenedPipeline &opened,
             const machine::Machine &machine) {
    const auto scratch = host::ScratchFolder::create(m_opener.tools().cacheDir);
    if (!scratch) return report(scratch.error(), m_style);
    const std::string folder = m_options.output.empty() ? scratch->path() : m_options.output;
    std::vector<PeerRun> runs;
    for (const Peer &peer : peers) {
      const tune::PeerRequest request{peer,
                                      opened,
                                      machine,
                                      folder,
                                      std::chrono::seconds(m_options.timeout),
                                      0,
                                      m_options.sampling};
      runs.push_back(tune::runPeer(request, m_opener.tools(), m_opener.opener(), m_opener.stop(),
                                   terminalProgress()));
      clearProgress();
      if (runs.back().fault) return report(*runs.back().fault, m_style);
      if (m_opener.stop().stop_requested()) break;
      if (m_options.output.empty()) continue;
      if (const Status written = writeText(runs.back(), machine); !written)
        return report(written.error(), m_style);
    }
    print(runs, opened, machine);
    const int done = outputDone();
    return done == kOk && m_opener.stop().stop_requested() ? static_cast<int>(kCancelled) : done;
  }

  // Writes the schedule beside the peer's file, in a form that --schedule accepts.
  Status writeText(const PeerRun &run, const machine::Machine &machine) const {
    if (!run.schedule) return Done{};
    const auto prediction = predicted(run, machine);
    const auto text = scheduleText(
        *run.schedule, "h", machine,
        prediction ? std::optional(prediction->milliseconds()) : std::optional<double>(),
        {"by " + run.peer.name + ", with " + tune::parameterText(run.peer)});
    if (!text) return text.error();
    return host::writeFile(m_options.output + "/" + run.peer.word + ".schedule.h", *text);
  }

  void print(const std::vector<PeerRun> &runs, const open::OpenedPipeline &opened,
             const machine::Machine &machine) const {
    if (m_options.json) {
      ordered_json document{{"pipeline", opened.pipeline->name()}, {"machine", machine.name}};
      document["peers"] = ordered_json::array();
      for (const PeerRun &run : runs)
        document["peers"].push_back(toJson(run, machine));
      std::cout << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
      return;
    }
    constexpr auto kRight = Table::Align::Right;
    Table table{{{"peer"},
                 {"status"},
                 {"seconds", kRight},
                 {"predicted ms", kRight},
                 {"kernels", kRight},
                 {"why"}},
                {}};
    for (const PeerRun &run : runs)
      table.rows.push_back(rowOf(run, machine));
    std::cout << table;
  }

  const PeersOptions &m_options;
  ReportStyle m_style;
  FileOpener m_opener;
};

} // namespace

void addPeerSampling(CLI::App &command, tune::PeerSampling &sampling) {
  command
      .add_option("--peer-weights", sampling.weights,
                  "A folder with weights of Anderson2021's cost model, one file NAME.weights for "
                  "the pipeline of each name, such as Halide's "
                  "src/autoschedulers/anderson2021/weights; it uses its own where there is none")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""));
  command
      .add_option("--peer-jobs", sampling.jobs,
                  "How many samples of an autoscheduler are made at a time; 0: as many as there "
                  "are processors")
      ->type_name("N")
      ->check(CLI::Range(0, 1024).description(""))
      ->capture_default_str();
}

void addPeers(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<PeersOptions>();
  CLI::App *command = cli.add_subcommand(
      "peers", "Let Halide's own autoschedulers schedule a pipeline, for comparison");
  addFileOptions(*command, options->file);
  command->get_option("FILE")->required(false);
  command->add_option("--only", options->only, "Run only these autoschedulers, named as in --list")
      ->type_name("A,B")
      ->delimiter(',');
  command->add_flag("--list", options->list, "Only list the autoschedulers and their parameters");
  addMachineOption(*command, options->machine);
  addTimeout(*command, options->timeout);
  command->get_option("--timeout")->description("Stop an autoscheduler after this many seconds");
  addPeerSampling(*command, options->sampling);
  command
      ->add_option("-o,--output", options->output,
                   "Keep the schedules in this folder: NAME.schedule.h, and NAME.hlpipe, the "
                   "pipeline with that schedule, even where Tessera's decisions cannot express it; "
                   "all samples of an autoscheduler that makes several are in NAME.samples")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return Peers(*options, invocation).run(); };
  });
}

} // namespace tessera::app
