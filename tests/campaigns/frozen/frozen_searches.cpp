// SPDX-License-Identifier: MIT
// frozen_searches [--algorithm NAME [--param NAME=VALUE]…] [--count N] [--seed N] [--first N]:
// checks what a search keeps of a schedule that came from elsewhere. Each case takes a sample and
// one of its schedules (by hand, the default, what an algorithm found, any legal one), freezes some
// of it, and searches with a small budget. --algorithm and its parameters come first; without it,
// most cases are searched by auto.
// The result has to be legal and keep every frozen decision; with auto it must never be slower than
// the start. Each violation is printed with the case's number, for --first N --count 1.
#include "engine/cost/prediction.h"
#include "engine/document/schedule_source.h"
#include "engine/host/tools.h"
#include "engine/open/open.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/search/freezes.h"
#include "tests/engine/search/searched.h"
#include "tests/support/build_paths.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tessera;
using schedule::Schedule;
namespace fs = std::filesystem;

constexpr std::size_t kBudget = 400; // evaluations
constexpr std::size_t kByOthers = 5; // one case in this many is not searched by auto
constexpr std::size_t kOneAlone = 3; // one case in this many freezes a single decision
constexpr auto kOthers =
    std::to_array<const char *>({"autogpu", "mullapudi", "autogpu", "mullapudi-baseline", "autogpu",
                                 "polymage-like", "dp-fusion"});
constexpr auto kSamples = std::to_array<const char *>(
    {"blur", "harris", "hist", "unsharp", "mat_mul", "iir_blur", "bilateral_grid",
     "local_laplacian", "interpolate", "nl_means", "stencil_chain", "camera_pipe", "max_filter",
     "conv_layer", "tree_blur", "trig_stencil", "depthwise_separable_conv", "pyramid_blend"});
constexpr auto kSources =
    std::to_array<const char *>({"manual", "default", "auto", "autogpu", "autogpu-overlap",
                                 "autogpu-nofusion", "autogpu-nested-all", "mullapudi",
                                 "mullapudi-baseline", "polymage-like", "dp-fusion", "random"});

class Samples {
public:
  Samples() : m_opener(tools(), std::make_shared<host::TrustStore>(std::string())) {}

  // Returns nothing if the sample has no such schedule, or if decisions cannot express it.
  std::optional<Schedule> schedule(const std::string &sample, const std::string &source,
                                   schedule::testing::Random &random) {
    if (source == "random") {
      const auto start = known(sample, "default");
      return start ? std::optional(schedule::testing::randomSchedule(start->base(), {}, random))
                   : std::nullopt;
    }
    return known(sample, source);
  }

private:
  static host::ToolPaths tools() {
    host::ToolSearch search;
    search.programPath = tessera::test::binPath("tessera-cli");
    search.home = fs::temp_directory_path().string();
    return host::findTools(search);
  }

  const std::optional<Schedule> &known(const std::string &sample, const std::string &source) {
    const auto [at, isNew] = m_known.try_emplace({sample, source});
    if (isNew) at->second = made(sample, source);
    return at->second;
  }

  std::optional<Schedule> made(const std::string &sample, const std::string &source) {
    if (source != "default" && source != "manual") {
      const auto start = known(sample, "default");
      if (!start) return std::nullopt;
      return search::testing::searched({*start, {}}, source).best.schedule;
    }
    const open::OpenRequest request{.path =
                                        tessera::test::sharePath("samples/" + sample + ".hlpipe")};
    const auto opened = m_opener.open(request);
    if (!opened) return std::nullopt;
    auto found = document::scheduleFrom(source, request, *opened, m_opener);
    if (!found || !schedule::isLegal(found->schedule, {})) return std::nullopt;
    return std::move(found->schedule);
  }

  open::PipelineOpener m_opener;
  std::map<std::pair<std::string, std::string>, std::optional<Schedule>> m_known;
};

struct Tally {
  std::size_t searches = 0, faster = 0, decisions = 0, failures = 0;
};

void judge(const Schedule &start, const std::string &algorithm,
           const search::ParameterValues &parameters, const std::string &name, Tally &tally) {
  const bool isAuto = algorithm == "auto";
  search::Problem problem{start, {}};
  problem.evaluations = kBudget;
  problem.parameters = parameters;
  const auto found = search::testing::searched(problem, algorithm);
  std::vector<std::string> wrong = search::testing::changedFrozen(start, found.best.schedule);
  for (const search::Candidate &candidate : found.candidates)
    for (std::string &one : search::testing::changedFrozen(start, candidate.schedule))
      wrong.push_back(std::move(one));
  for (const schedule::Violation &violation : schedule::check(found.best.schedule, {}))
    wrong.push_back(violation.message);
  if (isAuto && found.best.seconds > found.startSeconds) wrong.emplace_back("it is slower");
  if (!search::testing::hasMarksOf(found.best.schedule, start))
    wrong.emplace_back("marks are lost");
  for (const std::string &one : wrong)
    std::printf("%s: %s\n", name.c_str(), one.c_str());
  ++tally.searches;
  tally.decisions += start.marks().size();
  tally.faster += found.best.seconds < found.startSeconds ? 1 : 0;
  tally.failures += wrong.empty() ? 0 : 1;
}

// What all cases are searched by; empty: most by auto.
struct Only {
  std::string algorithm;
  search::ParameterValues parameters;
};

// Takes these options from the front of the arguments.
Only onlyFrom(int &argc, char **&argv) {
  Only only;
  std::vector<std::pair<std::string, std::string>> given;
  while (argc > 2 && (argv[1] == std::string("--algorithm") || argv[1] == std::string("--param"))) {
    const std::string value = argv[2];
    if (argv[1] == std::string("--algorithm"))
      only.algorithm = value;
    else
      given.emplace_back(value.substr(0, value.find('=')), value.substr(value.find('=') + 1));
    argv[2] = argv[0];
    argc -= 2;
    argv += 2;
  }
  const auto values =
      search::parameterValues(search::parametersOf(only.algorithm), only.algorithm, given);
  if (!values) throw std::invalid_argument(values.error().message);
  only.parameters = *values;
  return only;
}

} // namespace

int main(int argc, char **argv) {
  const Only only = onlyFrom(argc, argv);
  const auto campaign = test::campaignFromArguments(argc, argv, 200);
  Samples samples;
  std::map<std::string, Tally> tallies; // for each source
  Tally all;
  for (std::uint64_t index = campaign.first; index < campaign.first + campaign.count; ++index) {
    auto random = campaign.random(index);
    const std::string sample = kSamples[random() % kSamples.size()];
    std::string source = kSources[random() % kSources.size()];
    auto start = samples.schedule(sample, source, random);
    if (!start) start = samples.schedule(sample, source = "default", random);
    if (!start) {
      std::printf("%s cannot be opened\n", sample.c_str());
      return 1;
    }
    start->setMarks({});
    if (random() % kOneAlone == 0) {
      const auto decisions = search::testing::decisionsOf(*start);
      search::testing::freeze(*start, decisions[random() % decisions.size()]);
    } else {
      search::testing::freezeSome(*start, random);
    }
    std::string algorithm = random() % kByOthers != 0 ? "auto" : kOthers[random() % kOthers.size()];
    if (!only.algorithm.empty()) algorithm = only.algorithm;
    judge(*start, algorithm, only.parameters,
          "case " + std::to_string(index) + ", " + sample + " " + source + ", " + algorithm,
          tallies[source]);
  }
  for (const auto &[source, tally] : tallies) {
    std::printf("%-20s %5zu searches, %7zu frozen decisions, %5zu faster, %zu failures\n",
                source.c_str(), tally.searches, tally.decisions, tally.faster, tally.failures);
    all.searches += tally.searches;
    all.failures += tally.failures;
  }
  std::printf("%zu searches, %zu failures, %.1f s of one core\n", all.searches, all.failures,
              static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return all.failures == 0 && all.searches == campaign.count ? 0 : 1;
}
