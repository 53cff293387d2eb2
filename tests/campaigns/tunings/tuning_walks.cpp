// SPDX-License-Identifier: MIT
// tuning_walks [--count N] [--seed N] [--first N] [FILE.hlpipe…]: walks of what a tuning proposes,
// without compiling and without a GPU. Each case takes a sample, one of the files or a random
// sketch, and lets tune::TuneProposer learn a few schedules of it: the default, what auto found,
// the same with an added func that is inlined, or one with frozen decisions. Then it measures what
// is proposed with random times, late and in any order, and sometimes it fails. Every proposal has
// to be new and legal, and to keep what is frozen; no fault of the program may be met; and the same
// case gives the same proposals again. Each violation is printed with the case's number, for
// --first N --count 1.
#include "engine/cost/prediction.h"
#include "engine/host/tools.h"
#include "engine/open/open.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/search/kernels/group.h"
#include "engine/tune/tune_proposer.h"
#include "tests/campaigns/frames/campaign.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/search/freezes.h"
#include "tests/engine/search/searched.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace tessera;
using schedule::Schedule;
using schedule::testing::Random;
namespace fs = std::filesystem;

constexpr std::size_t kBudget = 400;   // evaluations of the search for what is known at first
constexpr std::size_t kMostKnown = 6;  // schedules that are known at first
constexpr std::size_t kSteps = 12;     // calls of around()
constexpr std::size_t kOneInFiles = 6; // one case in this many is a file, the others are sketches
constexpr std::size_t kOneAgain = 16;  // one case in this many is run twice
constexpr auto kSamples = std::to_array<const char *>(
    {"blur",           "harris",         "hist",      "unsharp",         "mat_mul",
     "iir_blur",       "bilateral_grid", "nl_means",  "stencil_chain",   "camera_pipe",
     "max_filter",     "conv_layer",     "tree_blur", "trig_stencil",    "depthwise_separable_conv",
     "two_stage_blur", "gradient",       "bgu",       "local_laplacian", "interpolate",
     "lens_blur",      "resnet_block",   "clahe"});

bool oneIn(std::size_t count, Random &random) { return random() % count == 0; }

// The schedule with a copy of a func that is inlined: the kernels stay the same, and the ids of
// funcs do not.
std::optional<Schedule> withInlinedCopy(const Schedule &schedule, Random &random) {
  const auto funcs = schedule.pipeline()->funcs();
  const std::string name = funcs[random() % funcs.size()].name;
  Schedule added = schedule;
  if (!added.add(schedule::Wrapper{name + "_copy", name, {}})) return std::nullopt;
  for (const pipeline::FuncId func : added.pipeline()->allFuncs())
    if (added.pipeline()->func(func).name == name + "_copy") {
      auto inlined = search::withInlined(added, func);
      if (inlined && schedule::isLegal(*inlined, {})) return inlined;
    }
  return std::nullopt;
}

// The schedules of one pipeline that a tuning may know at first: the default and what auto found.
std::vector<Schedule> knownOf(pipeline::PipelinePtr pipeline) {
  std::vector<Schedule> known{schedule::defaultSchedule(std::move(pipeline))};
  search::Problem problem{known.front(), {}};
  problem.evaluations = kBudget;
  auto found = search::testing::searched(problem);
  known.push_back(std::move(found.best.schedule));
  for (search::Candidate &candidate : found.candidates)
    known.push_back(std::move(candidate.schedule));
  return known;
}

class Pipelines {
public:
  explicit Pipelines(std::vector<std::string> files)
      : m_files(std::move(files)),
        m_opener(tools(), std::make_shared<host::TrustStore>(std::string())) {
    for (const char *sample : kSamples)
      m_files.push_back(tessera::test::sharePath("samples/" + std::string(sample) + ".hlpipe"));
  }

  struct Chosen {
    std::string name;
    std::vector<Schedule> known; // empty: the file cannot be opened
  };
  Chosen choose(Random &random) {
    if (!oneIn(kOneInFiles, random)) {
      const std::string text = schedule::testing::randomSketch(random, 2 + random() % 6);
      return {"a sketch", knownOf(pipeline::test::sketch(text))};
    }
    const std::string &file = m_files[random() % m_files.size()];
    return {fs::path(file).stem(), knownOfFile(file)};
  }

private:
  static host::ToolPaths tools() {
    host::ToolSearch search;
    search.programPath = tessera::test::binPath("tessera-cli");
    search.home = fs::temp_directory_path().string();
    return host::findTools(search);
  }

  const std::vector<Schedule> &knownOfFile(const std::string &file) {
    const auto [at, isNew] = m_known.try_emplace(file);
    if (!isNew) return at->second;
    if (auto opened = m_opener.open({.path = file}))
      at->second = knownOf(opened->pipeline);
    else
      std::printf("%s: %s\n", file.c_str(), opened.error().message.c_str());
    return at->second;
  }

  std::vector<std::string> m_files;
  open::PipelineOpener m_opener;
  std::map<std::string, std::vector<Schedule>> m_known;
};

// A run of one proposer.
class Walk {
public:
  Walk(const std::vector<Schedule> &known, std::uint64_t seed)
      : m_random(seed), m_request{.start = startOf(known), .plain = {}, .machine = {}},
        m_proposer(request(seed), stored()) {}

  void run() {
    for (const Schedule &schedule : m_atFirst)
      measure({schedule, 0});
    for (std::size_t step = 0; step < kSteps; ++step) {
      for (tune::TuneWork &work : m_proposer.around(1 + m_random() % 4))
        take(std::move(work.candidate));
      while (m_underWay.size() > m_random() % 4) {
        const std::size_t next = m_random() % m_underWay.size();
        const search::Candidate candidate = m_underWay[next];
        m_underWay.erase(m_underWay.begin() + static_cast<std::ptrdiff_t>(next));
        if (oneIn(5, m_random))
          m_proposer.fail(candidate.schedule.hash());
        else
          measure(candidate);
      }
    }
    for (const std::string &cause : m_proposer.causesOfDropped())
      m_wrong.push_back(cause);
  }

  const std::vector<std::uint64_t> &proposed() const { return m_proposed; } // hashes
  const std::vector<std::string> &wrong() const { return m_wrong; }

private:
  // Chooses what is known at first. Its last schedule is the start.
  Schedule startOf(const std::vector<Schedule> &known) {
    if (oneIn(4, m_random)) {
      m_atFirst.push_back(known[m_random() % known.size()]);
      search::testing::freezeSome(m_atFirst.back(), m_random);
      m_isFrozen = true;
      return m_atFirst.back();
    }
    const std::size_t count = 1 + m_random() % kMostKnown;
    while (m_atFirst.size() < count) {
      const Schedule &one = known[m_random() % known.size()];
      auto copied = oneIn(2, m_random) ? withInlinedCopy(one, m_random) : std::nullopt;
      m_atFirst.push_back(copied ? std::move(*copied) : one);
    }
    return Schedule(known.front().base());
  }

  const tune::TuneRequest &request(std::uint64_t seed) {
    m_request.seed = seed;
    return m_request;
  }

  // An earlier run of the tuning has measured one of the schedules.
  std::vector<tune::TunedCandidate> stored() const {
    const Schedule &schedule = m_atFirst.front();
    tune::TunedCandidate one;
    one.hash = schedule.hash();
    one.origin = m_request.algorithm;
    one.schedule = schedule::toJson(schedule).dump();
    one.attempts = 1;
    one.outcome = Outcome::Ok;
    one.seconds = cost::predict(schedule, {}).seconds;
    return {one};
  }

  double noise() { return std::exp(std::normal_distribution<double>(0, 0.5)(m_random)); }

  // Some kernels have no time of their own, as on a GPU.
  void measure(const search::Candidate &candidate) {
    tune::TuneLesson lesson{candidate, {}};
    lesson.candidate.seconds = 0;
    for (const auto &kernel : cost::predict(candidate.schedule, {}).kernels) {
      const double seconds = kernel.time.seconds * noise();
      lesson.candidate.seconds += seconds;
      if (!oneIn(16, m_random))
        lesson.kernels.push_back(
            {candidate.schedule.pipeline()->stage(kernel.load.stage).func, seconds});
    }
    m_proposer.learn(lesson);
  }

  void take(search::Candidate candidate) {
    const Schedule &schedule = candidate.schedule;
    for (const schedule::Violation &violation : schedule::check(schedule, {}))
      m_wrong.push_back(violation.message);
    if (m_isFrozen)
      for (std::string &changed : search::testing::changedFrozen(m_atFirst.back(), schedule))
        m_wrong.push_back(std::move(changed));
    if (std::ranges::find(m_proposed, schedule.hash()) != m_proposed.end())
      m_wrong.emplace_back("a schedule was proposed twice");
    m_proposed.push_back(schedule.hash());
    m_underWay.push_back(std::move(candidate));
  }

  Random m_random;
  std::vector<Schedule> m_atFirst;
  bool m_isFrozen = false;
  tune::TuneRequest m_request;
  tune::TuneProposer m_proposer;
  std::vector<search::Candidate> m_underWay;
  std::vector<std::uint64_t> m_proposed;
  std::vector<std::string> m_wrong;
};

struct Tally {
  std::size_t walks = 0, proposals = 0, failures = 0;
};

void judge(const Pipelines::Chosen &chosen, std::uint64_t seed, bool isAgain,
           const std::string &name, Tally &tally) {
  Walk walk(chosen.known, seed);
  std::vector<std::string> wrong;
  try {
    walk.run();
    wrong = walk.wrong();
    if (isAgain) {
      Walk again(chosen.known, seed);
      again.run();
      if (again.proposed() != walk.proposed())
        wrong.emplace_back("the same case proposes something else");
    }
  } catch (const std::exception &fault) {
    wrong.emplace_back(fault.what());
  }
  for (const std::string &one : wrong)
    std::printf("%s: %s\n", name.c_str(), one.c_str());
  ++tally.walks;
  tally.proposals += walk.proposed().size();
  tally.failures += wrong.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // a campaign may end the program
  std::vector<std::string> files;
  while (argc > 1 && std::string_view(argv[argc - 1]).ends_with(".hlpipe"))
    files.emplace_back(argv[--argc]);
  const auto campaign = test::campaignFromArguments(argc, argv, 200);
  Pipelines pipelines(std::move(files));
  std::map<std::string, Tally> tallies; // by pipeline
  for (std::uint64_t index = campaign.first; index < campaign.first + campaign.count; ++index) {
    auto random = campaign.random(index);
    const Pipelines::Chosen chosen = pipelines.choose(random);
    if (chosen.known.empty()) return 1;
    // Said before the case, so that it can be run again if it takes the program with it.
    std::fprintf(stderr, "\rcase %llu, %s          ", static_cast<unsigned long long>(index),
                 chosen.name.c_str());
    judge(chosen, random(), oneIn(kOneAgain, random),
          "case " + std::to_string(index) + ", " + chosen.name, tallies[chosen.name]);
  }
  std::fprintf(stderr, "\n");
  Tally all;
  for (const auto &[name, tally] : tallies) {
    std::printf("%-26s %5zu walks, %7zu proposals, %zu failures\n", name.c_str(), tally.walks,
                tally.proposals, tally.failures);
    all.walks += tally.walks;
    all.proposals += tally.proposals;
    all.failures += tally.failures;
  }
  std::printf("seed %llu: %zu walks, %zu proposals, %zu failures, %.1f s of one core\n",
              static_cast<unsigned long long>(campaign.seed), all.walks, all.proposals,
              all.failures, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return all.failures == 0 && all.walks == campaign.count ? 0 : 1;
}
