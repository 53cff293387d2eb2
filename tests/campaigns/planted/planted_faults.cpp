// SPDX-License-Identifier: MIT
// Plants faults into pipelines and asks verify's judge whether the outputs are right. Each program
// is wrong by design, so the verdict has to be "different".
//
//   planted_faults [--count N] [--seed N] [--first N] [--log FILE] [--most-missed PERCENT]
//                  FILE.hlpipe…
//
// Case n takes one of the files and of the built-in pipelines of every type, and one of the listed
// faults (plant.h), all drawn from the seed and n. It runs at the size of `verify --small`. A
// program whose outputs are exactly right there is run at a larger size too; one that is right at
// both is left out as equivalent, and another is drawn. So is one that cannot run.
//
// Prints what was missed, and for each fault how much. The exit status is not 0 if more than the
// given share was missed (default: 1 %).

#include "engine/halide/capture.h"
#include "engine/halide/guard.h"
#include "engine/halide/verify/reference_run.h"
#include "engine/halide/verify/small_size.h"
#include "tests/campaigns/planted/plant.h"
#include "tests/campaigns/planted/typed_pipelines.h"
#include "tests/engine/halide/captured.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::halide;
using namespace tessera::halide::testing;
using report::Verdict;

struct Options {
  std::uint64_t count = 100, seed = 1, first = 0, mostMissed = 1;
  std::string log;
  std::vector<std::string> files;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto number = [&](std::uint64_t &value) {
      const std::string_view word = ++i < argc ? argv[i] : "";
      std::from_chars(word.data(), word.data() + word.size(), value);
    };
    if (argument == "--count")
      number(options.count);
    else if (argument == "--seed")
      number(options.seed);
    else if (argument == "--first")
      number(options.first);
    else if (argument == "--most-missed")
      number(options.mostMissed);
    else if (argument == "--log")
      options.log = ++i < argc ? argv[i] : "";
    else
      options.files.emplace_back(argument);
  }
  return options;
}

// A right program, and its references at the size that is judged and at a larger one.
struct Program {
  std::string name;
  ImportOptions import;
  std::shared_ptr<const PreparedPipeline> full;
  std::array<std::shared_ptr<ReferenceRun>, 2> at;

  // Returns null if there is no such reference.
  ReferenceRun *reference(int size) {
    if (at[static_cast<std::size_t>(size)]) return at[static_cast<std::size_t>(size)].get();
    const auto sized = shrunk(full, import, {}, size);
    if (!sized) return nullptr;
    const auto made = ReferenceRun::make(*sized, {import, 1, {}, false});
    if (!made) return nullptr;
    return (at[static_cast<std::size_t>(size)] = *made).get();
  }
};

struct Planted {
  std::string what;
  RunOutputs outputs;
};

// The same seed plants the same fault at every size. Returns nullopt if there is no place for it or
// if it does not run.
std::optional<Planted> runPlanted(const Program &program, const ReferenceRun &reference,
                                  Fault fault, std::uint64_t seed) {
  auto loaded = loadPipeline(program.import.path, program.import.sidecar);
  if (!loaded) return std::nullopt;
  Random random(seed);
  const auto made = guarded("a planted fault", [&]() -> Result<Planted> {
    const auto what = plant(loaded->pipeline, reference.prepared(), fault, random);
    if (!what) return Error{ErrorCode::InputRefused, "no place for it", ""};
    const ReferenceForm form;
    makeReference(loaded->pipeline, reference.prepared(), form);
    auto outputs = runPipeline(loaded->pipeline, reference.prepared(), reference.inputs(),
                               referenceTarget(Halide::get_host_target(), form));
    if (!outputs) return outputs.error();
    return Planted{*what, std::move(*outputs)};
  });
  return made ? std::optional(*made) : std::nullopt;
}

bool isExactlyRight(const ReferenceRun &reference, const RunOutputs &outputs) {
  for (std::size_t i = 0; i < outputs.buffers.size(); ++i) {
    const OwnedBuffer &right = reference.outputs().buffers[i], &found = outputs.buffers[i];
    if (std::memcmp(right.memory.get(), found.memory.get(), right.bytes) != 0) return false;
  }
  return true;
}

class Campaign {
public:
  explicit Campaign(const Options &options) : m_options(options) {
    if (!options.log.empty()) m_log.open(options.log);
  }

  bool open() {
    for (const auto &[name, pipeline] : typedPipelines()) {
      const std::string path = m_folder.file(name + ".hlpipe");
      if (!capturePipeline(pipeline, path) || !add(path)) return false;
    }
    for (const std::string &file : m_options.files)
      if (!add(file)) return false;
    return true;
  }

  int run() {
    for (std::uint64_t n = 0; n < m_options.count; ++n)
      one(m_options.first + n);
    return print();
  }

private:
  struct Tally {
    int judged = 0, missed = 0;
  };

  bool add(const std::string &path) {
    Program program;
    program.name = std::filesystem::path(path).stem().string();
    program.import.path = path;
    auto prepared = preparePipeline(program.import);
    if (!prepared) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), prepared.error().message.c_str());
      return false;
    }
    program.full = std::make_shared<const PreparedPipeline>(std::move(*prepared));
    m_programs.push_back(std::move(program));
    return true;
  }

  // Draws faults until one of them is wrong. A program that no fault changes gives no case.
  void one(std::uint64_t number) {
    constexpr int kMostDraws = 40;
    std::seed_seq mixed{m_options.seed, number};
    Random random(mixed);
    Program &program = m_programs[random() % m_programs.size()];
    ReferenceRun *const reference = program.reference(0);
    if (!reference) return;
    for (int draw = 0; draw < kMostDraws; ++draw) {
      const Fault fault = kFaults[random() % kFaults.size()];
      const std::uint64_t seed = random();
      const auto planted = runPlanted(program, *reference, fault, seed);
      if (!planted) continue;
      if (isExactlyRight(*reference, planted->outputs) && isRightWhenLarger(program, fault, seed)) {
        ++m_equivalent;
        continue;
      }
      return judge(number, program, *reference, fault, *planted);
    }
    ++m_without;
  }

  static bool isRightWhenLarger(Program &program, Fault fault, std::uint64_t seed) {
    const ReferenceRun *const larger = program.reference(1);
    const auto planted = larger ? runPlanted(program, *larger, fault, seed) : std::nullopt;
    return !planted || isExactlyRight(*larger, planted->outputs);
  }

  void judge(std::uint64_t number, const Program &program, ReferenceRun &reference, Fault fault,
             const Planted &planted) {
    const auto report = reference.judge(planted.outputs);
    if (!report) return;
    const bool isMissed = report->verdict() != Verdict::Different;
    Tally &tally = m_tallies[std::string(name(fault))];
    ++tally.judged;
    tally.missed += isMissed;
    m_outputsOfType[typeOf(reference)] += 1;
    if (isMissed)
      std::printf("case %llu: %s, %s: %s\n", static_cast<unsigned long long>(number),
                  program.name.c_str(), planted.what.c_str(),
                  std::string(name(report->verdict())).c_str());
    std::fflush(stdout);
    if (!m_log.is_open()) return;
    nlohmann::ordered_json line{{"case", number},
                                {"program", program.name},
                                {"fault", planted.what},
                                {"verdict", name(report->verdict())}};
    if (isMissed) line["report"] = report::toJson(*report);
    m_log << line.dump() << "\n" << std::flush;
  }

  static std::string typeOf(const ReferenceRun &reference) {
    return pipeline::toString(layoutOf(reference.outputs().buffers[0].buffer).type);
  }

  int print() const {
    Tally all;
    for (const auto &[fault, tally] : m_tallies) {
      std::printf("  %-6s %5d wrong programs, %d missed\n", fault.c_str(), tally.judged,
                  tally.missed);
      all.judged += tally.judged;
      all.missed += tally.missed;
    }
    for (const auto &[type, count] : m_outputsOfType)
      std::printf("  %5d with outputs of %s\n", count, type.c_str());
    std::printf("seed %llu, from %llu: %d wrong programs of %zu pipelines, %d missed; left out: %d "
                "equivalent ones; %d cases without a fault\n",
                static_cast<unsigned long long>(m_options.seed),
                static_cast<unsigned long long>(m_options.first), all.judged, m_programs.size(),
                all.missed, m_equivalent, m_without);
    const bool isGood =
        all.judged > 0 && 100 * static_cast<std::uint64_t>(all.missed) <=
                              m_options.mostMissed * static_cast<std::uint64_t>(all.judged);
    return isGood ? 0 : 1;
  }

  const Options &m_options;
  const TemporaryFolder m_folder;
  std::vector<Program> m_programs;
  std::map<std::string, Tally> m_tallies;
  std::map<std::string, int> m_outputsOfType;
  int m_equivalent = 0, m_without = 0;
  std::ofstream m_log;
};

} // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  Campaign campaign(options);
  int status = 1;
  Halide::Internal::run_with_large_stack([&] { status = campaign.open() ? campaign.run() : 1; });
  return status;
}
