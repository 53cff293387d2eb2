// SPDX-License-Identifier: MIT
#include "app/cli_footprint.h"

#include "app/cli_machine.h"
#include "app/cli_source.h"
#include "app/cli_table.h"
#include "engine/footprint/footprint_json.h"
#include "engine/host/machines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using footprint::Entry;
using footprint::Footprints;
using footprint::KernelFootprint;
using footprint::Level;
using footprint::LevelBox;
using nlohmann::ordered_json;
using pipeline::StageId;

struct FootprintOptions {
  ScheduleOptions schedule;
  std::string machine = host::kDefaultMachine;
  std::string kernel, level; // empty: all
  std::vector<std::string> at;
  bool sizes = false, json = false;
};

std::optional<std::int64_t> numberOf(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (wrong != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// --- output as text

std::string extentText(const LevelBox &box) {
  std::string text;
  for (const footprint::BoxSide &side : box.sides)
    text += (text.empty() ? "" : "×") +
            (side.range.bounded() ? std::to_string(side.range.extent()) : std::string("?"));
  return text.empty() ? "scalar" : text;
}

// "y −2 +2": how far the box reaches beyond the tile.
std::string haloText(const Entry &entry, const LevelBox &box) {
  std::string text;
  for (std::size_t d = 0; d < box.sides.size(); ++d) {
    const footprint::BoxSide &side = box.sides[d];
    if (!entry.chosenBy[d].empty()) {
      text += std::string(text.empty() ? "" : ", ") + "all of " + entry.dims[d];
    } else if (side.before != 0 || side.after != 0) {
      text += (text.empty() ? "" : ", ") + entry.dims[d] + (side.before < 0 ? " +" : " −") +
              std::to_string(std::abs(side.before)) + (side.after < 0 ? " −" : " +") +
              std::to_string(std::abs(side.after));
    }
  }
  return text;
}

std::string percentText(double fraction) { return fixedText(fraction * 100, 1) + " %"; }

// What all tiles read, as a table, is shared by thousands of them: a percentage of seven digits
// says less than the number of tiles that each point serves.
std::string sharedText(const LevelBox &box) {
  if (box.shared() < footprint::kManyShared) return percentText(box.shared());
  return fixedText(box.shared() + 1, 0) + " tiles";
}

std::vector<std::string> rowOf(const Entry &entry, Level level) {
  const LevelBox &box = entry.at(level);
  return {entry.name,
          std::string(name(entry.role)),
          entry.memory ? std::string(name(*entry.memory)) : std::string(),
          extentText(box),
          haloText(entry, box),
          sharedText(box),
          entry.redundancy ? percentText(*entry.redundancy) : std::string(),
          entry.memory ? std::to_string(box.bytes) : std::string()};
}

std::string tileText(const KernelFootprint &kernel, Level level) {
  std::string text;
  std::int64_t points = 1;
  for (const footprint::Tile::Side &side : kernel.tile(level).sides) {
    text += (text.empty() ? "" : "×") + std::to_string(side.range.extent());
    points *= side.range.extent();
  }
  return text.empty() ? "1 point" : text + (points == 1 ? " point" : " points");
}

void print(const KernelFootprint &kernel, Level level) {
  constexpr auto kRight = Table::Align::Right;
  Table table{{{"func or input"},
               {"role"},
               {"memory"},
               {"box", kRight},
               {"halo"},
               {"shared", kRight},
               {"redundant", kRight},
               {"bytes", kRight}},
              {}};
  for (const Entry &entry : kernel.entries)
    table.rows.push_back(rowOf(entry, level));
  const footprint::BytesBySpace &bytes = kernel.bytesAt(level);
  std::cout << "\n"
            << kernel.name << ", " << name(level) << ": " << tileText(kernel, level)
            << "; bytes: " << bytes.registers << " in registers, " << bytes.shared
            << " in shared memory, " << bytes.local << " in local memory, " << bytes.global
            << " in global memory\n"
            << table;
}

void print(const footprint::TileEdge &edge, std::span<const footprint::TileSize> sizes) {
  std::cout << "  " << edge.name << ", now " << edge.size << ": ";
  if (!edge.isMovable()) {
    std::cout << edge.whyNot << "\n";
    return;
  }
  std::cout << "legal sizes";
  for (const footprint::TileSize &size : sizes)
    if (size.isLegal()) std::cout << " " << size.size;
  std::cout << "\n";
  for (const footprint::TileSize &size : sizes)
    if (!size.isLegal())
      std::cout << "    " << size.size << " is not legal: " << size.refusal << "\n";
}

class FootprintCommand {
public:
  FootprintCommand(const FootprintOptions &options, const Invocation &invocation)
      : m_options(options), m_opener(options.schedule.file, invocation) {}

  int run() {
    const auto machine = host::machineFor(m_options.machine, m_opener.tools());
    if (!machine) return fail(machine.error());
    const auto opened = openLegal(m_opener, m_options.schedule.schedule, *machine);
    if (!opened) return fail(opened.error());
    const schedule::Schedule &schedule = opened->sourced.schedule;
    const Footprints footprints(schedule, *machine);
    const auto kernels = wanted(footprints, *schedule.pipeline());
    if (!kernels) return fail(kernels.error());
    std::vector<KernelFootprint> found;
    for (const StageId kernel : *kernels) {
      const auto at = places(schedule.pipeline()->stage(kernel));
      if (!at) return fail(at.error());
      found.push_back(footprints.of(kernel, *at));
    }
    if (m_options.json)
      printJson(schedule, *machine, found);
    else
      printText(schedule, *machine, found);
    return outputDone();
  }

private:
  int fail(const Error &error) const {
    return report(error, m_options.json ? ReportStyle::Json : ReportStyle::Text);
  }

  // The kernel that --kernel gives by the name of the stage that owns its blocks, or by its number
  // from 1; without --kernel, all kernels.
  Result<std::vector<StageId>> wanted(const Footprints &footprints,
                                      const pipeline::Pipeline &pipeline) const {
    const auto all = footprints.kernels();
    if (m_options.kernel.empty()) return std::vector<StageId>(all.begin(), all.end());
    const auto number = numberOf(m_options.kernel);
    std::string names;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string name = pipeline.stageName(all[k]);
      if (name == m_options.kernel || (number && *number == static_cast<std::int64_t>(k) + 1))
        return std::vector{all[k]};
      names += (names.empty() ? "" : ", ") + name;
    }
    return Error{ErrorCode::InputRefused, "the schedule has no kernel '" + m_options.kernel + "'",
                 "the kernels are: " + names};
  }

  // The index that --at LOOP=INDEX gives for each loop of the stage; -1: none. Other names of loops
  // are ignored, since the loops of another kernel may have them.
  Result<std::vector<std::int64_t>> places(const pipeline::Stage &stage) const {
    std::vector<std::int64_t> at(stage.loops.size(), -1);
    for (const std::string &wish : m_options.at) {
      const std::size_t equals = wish.find('=');
      const auto index = equals == std::string::npos
                             ? std::nullopt
                             : numberOf(std::string_view(wish).substr(equals + 1));
      if (!index)
        return Error{ErrorCode::InputRefused, "'" + wish + "' does not have the form LOOP=INDEX",
                     "write for example --at c=1"};
      const auto loop =
          std::ranges::find(stage.loops, wish.substr(0, equals), &pipeline::LoopDim::name);
      if (loop != stage.loops.end())
        at[static_cast<std::size_t>(loop - stage.loops.begin())] = *index;
    }
    return at;
  }

  std::optional<Level> level() const { return footprint::levelFromName(m_options.level); }

  template <typename Visit>
  void visitEdges(const schedule::Schedule &schedule, const machine::Machine &machine,
                  StageId kernel, const Visit &visit) const {
    for (const Level of : footprint::kAllLevels) {
      if (level() ? of != *level() : of != Level::Block && of != Level::Thread) continue;
      for (const footprint::TileEdge &edge : tileEdges(schedule, machine, kernel, of))
        visit(edge, tileSizes(schedule, edge, machine));
    }
  }

  void printJson(const schedule::Schedule &schedule, const machine::Machine &machine,
                 const std::vector<KernelFootprint> &kernels) const {
    auto array = ordered_json::array();
    for (const KernelFootprint &kernel : kernels) {
      array.push_back(toJson(kernel, level()));
      if (!m_options.sizes) continue;
      auto &edges = array.back()["edges"] = ordered_json::array();
      visitEdges(schedule, machine, kernel.owner, [&](const auto &edge, const auto &sizes) {
        edges.push_back(toJson(edge, sizes));
      });
    }
    std::cout << ordered_json{{"pipeline", schedule.base()->name()},
                              {"machine", machine.name},
                              {"kernels", std::move(array)}}
                     .dump(2)
              << "\n";
  }

  void printText(const schedule::Schedule &schedule, const machine::Machine &machine,
                 const std::vector<KernelFootprint> &kernels) const {
    std::cout << schedule.base()->name() << " on " << machine.title << "\n";
    for (const KernelFootprint &kernel : kernels) {
      for (const Level of : footprint::kAllLevels)
        if (!level() || *level() == of) print(kernel, of);
      if (!m_options.sizes) continue;
      std::cout << "\ntile sizes of " << kernel.name << "\n";
      visitEdges(schedule, machine, kernel.owner,
                 [&](const auto &edge, const auto &sizes) { print(edge, sizes); });
    }
  }

  const FootprintOptions &m_options;
  FileOpener m_opener;
};

} // namespace

void addFootprint(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<FootprintOptions>();
  CLI::App *command = cli.add_subcommand(
      "footprint", "Show what a thread, a warp, a block and the grid of each kernel need of each "
                   "func and input: the box and its halo, the part shared with neighbours, "
                   "redundant computation, and bytes");
  addScheduleOptions(*command, options->schedule);
  addMachineOption(*command, options->machine);
  command
      ->add_option(
          "--kernel", options->kernel,
          "Show only this kernel, given by its number or by the stage that owns its blocks")
      ->type_name("K");
  command->add_option("--level", options->level, "Show only this level")
      ->type_name("thread|warp|block|grid")
      ->check(CLI::IsMember({"thread", "warp", "block", "grid"}).description(""));
  command
      ->add_option("--at", options->at,
                   "Index of the tile to show along a loop of the output; without this option, a "
                   "tile in the middle")
      ->type_name("LOOP=INDEX");
  command->add_flag("--sizes", options->sizes,
                    "Also list the legal sizes of the tile, and why other sizes are not legal");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) {
      return FootprintCommand(*options, invocation).run();
    };
  });
}

} // namespace tessera::app
