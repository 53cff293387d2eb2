// SPDX-License-Identifier: MIT
// Compares our features of schedules with those that Halide's plugin found of the same schedules,
// one by one, and the costs that follow from both with the same weights. Needs no GPU.
//
//   compare_features baseline.weights MACHINE FOLDER SAMPLE.hlpipe…
//
// FOLDER is what the script `featurize` wrote of these samples. Prints a line for each feature: of
// how many stages both have the same, and the stage in which they differ most; then the costs of
// each stage.

#include "engine/document/schedule_source.h"
#include "engine/host/machines.h"
#include "engine/learn/algorithm_features.h"
#include "engine/learn/network.h"
#include "engine/learn/schedule_features.h"
#include "engine/learn/weights_file.h"
#include "engine/schedule/rules/legality.h"
#include "tests/campaigns/learned/featurization.h"
#include "tests/support/build_paths.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using learn::AlgorithmFeatures;
using learn::ScheduleFeatures;

constexpr double kSame = 1e-4;

double offBy(double theirs, double ours) {
  const double larger = std::max(std::abs(theirs), std::abs(ours));
  return larger == 0 ? 0 : std::abs(theirs - ours) / larger;
}

// How one feature compares over all stages.
struct Tally {
  std::size_t stages = 0, used = 0, same = 0; // used: not zero in both
  double worst = 0, theirs = 0, ours = 0;
  std::string where;

  void add(const std::string &stage, double plugin, double own) {
    ++stages;
    used += plugin != 0 || own != 0 ? 1 : 0;
    const double off = offBy(plugin, own);
    same += off <= kSame ? 1 : 0;
    if (off <= worst) return;
    worst = off;
    theirs = plugin;
    ours = own;
    where = stage;
  }
};

class Comparison {
public:
  Comparison(const learn::Weights &weights, machine::Machine machine, std::string folder,
             const host::ToolPaths &tools)
      : m_network(weights), m_machine(std::move(machine)), m_folder(std::move(folder)),
        m_opener(tools, std::make_shared<host::TrustStore>("")),
        m_algorithm(learn::kAlgorithmFeatures), m_schedule(learn::kScheduleFeatures) {}

  bool add(const std::string &sample) {
    const std::string name = std::filesystem::path(sample).stem().string();
    const auto original = m_opener.open({sample});
    const auto scheduled = m_opener.open({.path = m_folder + "/" + name + ".scheduled.hlpipe",
                                          .ownSchedule = open::OwnSchedule::Leave});
    if (!original || !scheduled)
      return said(name, original ? scheduled.error().message : original.error().message);
    const auto schedule = document::scheduleIn(*scheduled, *original, m_opener, {});
    if (!schedule) return said(name, schedule.error().message);
    if (!schedule::isSound(*schedule))
      return said(name, schedule::check(*schedule, m_machine).front().message);
    const auto plugin = learn::testing::featurizationIn(m_folder + "/" + name + ".featurization");
    std::istringstream names(learn::testing::contentOf(m_folder + "/" + name + ".stages"));
    const pipeline::Pipeline &pipeline = *schedule->pipeline();
    const std::vector<ScheduleFeatures> stages = learn::scheduleFeatures(*schedule, m_machine);
    const std::vector<AlgorithmFeatures> algorithm = learn::algorithmFeatures(pipeline);
    std::size_t at = 0;
    for (std::string stage; std::getline(names, stage); ++at) {
      std::size_t s = 0;
      while (s < stages.size() && pipeline.stageName(static_cast<pipeline::StageId>(s)) != stage)
        ++s;
      if (s == stages.size() || at == plugin.stages.size())
        return said(name, "the plugin has other stages: " + stage);
      add(name + " " + stage, plugin.algorithm[at], algorithm[s]);
      add(name + " " + stage, plugin.stages[at], stages[s]);
      ScheduleFeatures scalars = stages[s];
      scalars[learn::ScheduleFeature::Scalars] = plugin.stages[at][learn::ScheduleFeature::Scalars];
      addCost(name + " " + stage, costOf(plugin.algorithm[at], plugin.stages[at]),
              costOf(algorithm[s], stages[s]), costOf(algorithm[s], scalars));
    }
    return at == plugin.stages.size() || said(name, "a stage is missing");
  }

  void print() const {
    for (std::size_t f = 0; f < m_algorithm.size(); ++f)
      printLine(learn::algorithmFeatureName(f), m_algorithm[f]);
    for (std::size_t f = 0; f < m_schedule.size(); ++f)
      printLine(std::string(learn::name(static_cast<learn::ScheduleFeature>(f))), m_schedule[f]);
    std::printf("%s", m_costs.c_str());
  }

private:
  static bool said(const std::string &name, const std::string &why) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), why.c_str());
    return false;
  }

  void add(const std::string &stage, const AlgorithmFeatures &plugin,
           const AlgorithmFeatures &ours) {
    for (std::size_t f = 0; f < m_algorithm.size(); ++f)
      m_algorithm[f].add(stage, static_cast<double>(plugin.values[f]),
                         static_cast<double>(ours.values[f]));
  }
  void add(const std::string &stage, const ScheduleFeatures &plugin, const ScheduleFeatures &ours) {
    for (std::size_t f = 0; f < m_schedule.size(); ++f)
      m_schedule[f].add(stage, plugin.values[f], ours.values[f]);
  }
  double costOf(const AlgorithmFeatures &algorithm, const ScheduleFeatures &stage) const {
    return m_network.cost(m_network.embed(algorithm), stage, m_machine.multiprocessors);
  }
  // `scalars`: of our features, but for num_scalars, which the plugin counts in another way.
  void addCost(const std::string &stage, double plugin, double ours, double scalars) {
    constexpr std::size_t kLine = 256;
    char line[kLine];
    std::snprintf(line, kLine, "cost %s plugin %.6g ours %.6g off %.1e with its num_scalars %.6g\n",
                  stage.c_str(), plugin, ours, offBy(plugin, ours), scalars);
    m_costs += line;
  }

  static void printLine(const std::string &name, const Tally &tally) {
    if (tally.used == 0) return;
    std::printf("%-45s same %zu of %zu", name.c_str(), tally.same, tally.stages);
    if (tally.same < tally.stages)
      std::printf("  most in %s: plugin %.6g ours %.6g", tally.where.c_str(), tally.theirs,
                  tally.ours);
    std::printf("\n");
  }

  learn::Network m_network;
  machine::Machine m_machine;
  std::string m_folder;
  open::PipelineOpener m_opener;
  std::vector<Tally> m_algorithm, m_schedule; // by feature
  std::string m_costs;
};

} // namespace

int main(int argc, char **argv) {
  constexpr int kFirst = 4;
  if (argc <= kFirst) {
    std::fprintf(stderr, "usage: compare_features FILE.weights MACHINE FOLDER SAMPLE.hlpipe…\n");
    return 2;
  }
  host::ToolSearch search;
  search.programPath = test::binPath("tessera-cli");
  const host::ToolPaths tools = host::findTools(search);
  const auto weights = learn::weightsFrom(learn::testing::contentOf(argv[1]), argv[1]);
  const auto machine = host::machineFor(argv[2], tools);
  if (!weights || !machine) {
    std::fprintf(stderr, "%s\n", (weights ? machine.error() : weights.error()).message.c_str());
    return 2;
  }
  Comparison comparison(weights->weights, *machine, argv[3], tools);
  bool all = true;
  for (int i = kFirst; i < argc; ++i)
    all = comparison.add(argv[i]) && all;
  comparison.print();
  return all ? 0 : 1;
}
