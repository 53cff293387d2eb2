// SPDX-License-Identifier: MIT
// Changes exported schedules in one place. What is left has to be refused with a message, or to be
// right: it compiles, runs and gives the outputs of the pipeline without a schedule.
//
//   mutants [--count N] [--seed N] [--first N] [--jobs N] [--target lowered|host|opencl|cuda]
//           [--seconds N] [--within N] [--compile N] [--log FILE] FILE.hlpipe…
//
// Case n is a mutant of a random legal schedule of one file. Sixteen cases in a row are of the same
// schedule, and take turns in being written as C++ and as JSON.
//   --target    lowered interprets the code for CUDA thread by thread (the default); host runs all
//               loops in turn and checks all bounds
//   --compile   of so many accepted mutants one is also compiled for CUDA (0: none)
//   --seconds   time limit of one run
//   --within    no mutant is made after so many seconds (0: no such limit)
// The log has a JSON object for each mutant that is accepted and not right.

#include "engine/measure/compile.h"
#include "engine/open/open.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/cpp_parser.h"
#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/text/schedule_text.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/campaigns/mutants/mutate.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace tessera;
using schedule::Directive;
using schedule::Schedule;
using test::Operator;
namespace fs = std::filesystem;

// So many cases in a row are of one schedule, and so many schedules in a row of one file: making
// the schedule and the reference takes as long as judging several mutants.
constexpr std::uint64_t kMutantsOfOne = 16, kSchedulesOfOne = 4;

struct Options {
  std::uint64_t count = 1000, seed = 1, first = 0, jobs = 2, seconds = 60, within = 0, compile = 0;
  measure::GpuApi target = measure::GpuApi::Lowered;
  std::string log;
  std::vector<std::string> files;
};

std::optional<Options> parse(int argc, char **argv) {
  Options options;
  const std::map<std::string_view, std::uint64_t *> numbers{
      {"--count", &options.count},    {"--seed", &options.seed},
      {"--first", &options.first},    {"--jobs", &options.jobs},
      {"--within", &options.within},  {"--seconds", &options.seconds},
      {"--compile", &options.compile}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto number = numbers.find(argument);
    if (!argument.starts_with("--")) {
      options.files.emplace_back(argument);
      continue;
    }
    if (++i >= argc) return std::nullopt;
    const std::string_view value = argv[i];
    if (number != numbers.end())
      std::from_chars(value.data(), value.data() + value.size(), *number->second);
    else if (argument == "--log")
      options.log = value;
    else if (argument == "--target" && value == "cuda")
      options.target = measure::GpuApi::Cuda;
    else if (argument == "--target" && value == "opencl")
      options.target = measure::GpuApi::OpenCl;
    else if (argument == "--target" && value == "host")
      options.target = measure::GpuApi::Host;
    else if (argument != "--target" || value != "lowered")
      return std::nullopt;
  }
  if (options.files.empty()) return std::nullopt;
  return options;
}

// What became of a mutant. Undecided: it took too long, or the run found no memory.
enum class Fate : std::uint8_t { Refused, Right, Wrong, DoesNotCompile, DoesNotRun, Undecided };
constexpr std::array<const char *, 6> kFates{"refused",          "right",        "wrong",
                                             "does not compile", "does not run", "undecided"};

struct Verdict {
  Fate fate = Fate::Refused;
  std::string message;
};

Fate fateOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Ok:
    return Fate::Right;
  case Outcome::WrongOutput:
    return Fate::Wrong;
  case Outcome::CompileError:
    return Fate::DoesNotCompile;
  case Outcome::LaunchError:
  case Outcome::Crashed:
    return Fate::DoesNotRun;
  default:
    return Fate::Undecided;
  }
}

// A legal schedule of one of the files, and how it runs.
struct Base {
  std::uint64_t number = 0;
  std::size_t file = 0;
  std::optional<Schedule> schedule;
  Verdict verdict;
};

class CampaignRun {
public:
  explicit CampaignRun(const Options &options)
      : m_options(options), m_machine(machineFor(options)), m_compiler(tools(), options.jobs) {
    if (!options.log.empty()) m_log.open(options.log);
  }

  bool open() {
    open::PipelineOpener opener(tools(), std::make_shared<host::TrustStore>(""));
    for (const std::string &file : m_options.files) {
      auto opened = opener.open({file});
      if (!opened) {
        std::fprintf(stderr, "%s: %s\n", file.c_str(), opened.error().message.c_str());
        return false;
      }
      m_pipelines.push_back(opened->pipeline);
    }
    return true;
  }

  // Each thread takes all mutants of one schedule, so that the schedule is made and run once.
  int run() {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < m_options.jobs; ++t)
      threads.emplace_back([this] {
        for (std::uint64_t b = m_next++; b * kMutantsOfOne < m_options.count && !isOver();
             b = m_next++)
          mutantsOf(m_options.first / kMutantsOfOne + b);
      });
    threads.clear();
    print();
    return m_bad == 0 ? 0 : 1;
  }

private:
  bool isOver() const {
    return m_options.within > 0 &&
           std::chrono::steady_clock::now() - m_began > std::chrono::seconds(m_options.within);
  }

  static host::ToolPaths tools() {
    host::ToolSearch search;
    search.programPath = tessera::test::binPath("tessera-cli");
    const char *path = std::getenv("PATH");
    search.searchPath = path ? path : "";
    return host::findTools(search);
  }

  static schedule::testing::Random randomFor(std::uint64_t seed, std::uint64_t number,
                                             std::uint32_t purpose) {
    std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(number),
                        static_cast<std::uint32_t>(number >> 32), purpose};
    return schedule::testing::Random(mixed);
  }

  void mutantsOf(std::uint64_t number) {
    Base base{number, number / kSchedulesOfOne % m_pipelines.size(), {}, {}};
    auto random = randomFor(m_options.seed, number, 0);
    base.schedule = schedule::testing::randomSchedule(m_pipelines[base.file], m_machine, random);
    base.verdict = run(base, *base.schedule, false);
    if (base.verdict.fate != Fate::Right) {
      note(base, base.number * kMutantsOfOne, "none", base.verdict,
           schedule::lower(*base.schedule));
      return;
    }
    for (std::uint64_t m = 0; m < kMutantsOfOne && !isOver(); ++m)
      mutant(base, number * kMutantsOfOne + m);
  }

  // Draws until a change makes a difference.
  void mutant(const Base &base, std::uint64_t number) {
    auto random = randomFor(m_options.seed, number, 1);
    constexpr int kTries = 50;
    for (int tries = 0; tries < kTries; ++tries) {
      const auto op =
          static_cast<Operator>(random() % static_cast<std::uint64_t>(test::kOperators));
      std::vector<Directive> directives = schedule::lower(*base.schedule);
      if (!test::mutate(directives, op, random)) continue;
      const Result<Schedule> read =
          number % 2 ? throughJson(base, directives) : throughCpp(base, directives);
      if (read && *read == *base.schedule) continue;
      return judge(base, number, op, directives, read);
    }
  }

  Result<Schedule> throughCpp(const Base &base, std::span<const Directive> directives) const {
    const auto text = schedule::cppText(
        {schedule::headerOf(*base.schedule), {directives.begin(), directives.end()}});
    if (!text) return text.error();
    return schedule::scheduleFromCpp(m_pipelines[base.file], *text);
  }

  Result<Schedule> throughJson(const Base &base, std::span<const Directive> directives) const {
    nlohmann::json document = schedule::toJson(*base.schedule);
    document["directives"] = schedule::toJson(directives);
    return schedule::scheduleFromJson(m_pipelines[base.file], document);
  }

  void judge(const Base &base, std::uint64_t number, Operator op,
             const std::vector<Directive> &directives, const Result<Schedule> &read) {
    Verdict verdict;
    if (!read) {
      verdict.message = read.error().message;
    } else if (const auto violations = schedule::check(*read, m_machine); !violations.empty()) {
      verdict.message = violations.front().message;
    } else {
      verdict = run(base, *read, m_options.compile > 0 && number % m_options.compile == 0);
    }
    if (verdict.fate == Fate::Refused && verdict.message.empty())
      verdict = {Fate::Wrong, "it is refused without a message"};
    note(base, number, test::name(op), verdict, directives);
  }

  // These directives are removed for the target Host. The loops that they would give to a GPU then
  // run one iteration after the other.
  static bool isOfGpus(const Directive &directive) {
    using schedule::Verb;
    static const std::set<Verb> verbs{Verb::GpuBlocks, Verb::GpuThreads, Verb::GpuLanes,
                                      Verb::GpuSingleThread, Verb::StoreIn};
    return verbs.contains(directive.verb);
  }

  Verdict run(const Base &base, const Schedule &schedule, bool compiles) {
    measure::VerifyRequest request;
    request.pipeline.file = m_options.files[base.file];
    request.pipeline.directives = schedule::lower(schedule);
    if (compiles)
      if (const Verdict compiled = compile(request.pipeline); compiled.fate != Fate::Right)
        return compiled;
    if (m_options.target == measure::GpuApi::Host)
      std::erase_if(request.pipeline.directives, isOfGpus);
    request.small = true;
    request.target = m_options.target;
    request.timeout = std::chrono::seconds(m_options.seconds);
    const auto answer = m_compiler.verify(request);
    return {fateOf(answer.outcome), answer.error.message};
  }

  Verdict compile(const measure::ScheduledPipeline &pipeline) {
    measure::CompileRequest request;
    request.pipeline = pipeline;
    request.output = (fs::temp_directory_path() /
                      ("mutant-" + std::to_string(::getpid()) + "-" + std::to_string(m_bundles++)))
                         .string();
    request.timeout = std::chrono::seconds(m_options.seconds);
    const auto answer = m_compiler.compile(request);
    fs::remove_all(request.output);
    return {fateOf(answer.outcome), answer.error.message};
  }

  void note(const Base &base, std::uint64_t number, std::string_view op, const Verdict &verdict,
            const std::vector<Directive> &directives) {
    const std::lock_guard lock(m_mutex);
    ++m_fates[std::string(op)][static_cast<std::size_t>(verdict.fate)];
    ++m_cases;
    const bool isGood = verdict.fate == Fate::Refused || verdict.fate == Fate::Right;
    if (!isGood && verdict.fate != Fate::Undecided && op != "none") ++m_bad;
    if (isGood || !m_log.is_open()) return;
    m_log << nlohmann::json{{"case", number},
                            {"file", m_options.files[base.file]},
                            {"operator", std::string(op)},
                            {"fate", kFates[static_cast<std::size_t>(verdict.fate)]},
                            {"message", verdict.message},
                            {"directives", schedule::toJson(directives)}}
                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
          << "\n"
          << std::flush;
  }

  void print() const {
    std::printf("seed %llu, %llu mutants of %zu files: %llu accepted and not right\n",
                static_cast<unsigned long long>(m_options.seed),
                static_cast<unsigned long long>(m_cases), m_options.files.size(),
                static_cast<unsigned long long>(m_bad));
    std::printf("| operator |");
    for (const char *fate : kFates)
      std::printf(" %s |", fate);
    std::printf("\n|---|---|---|---|---|---|---|\n");
    for (const auto &[op, counts] : m_fates) {
      std::printf("| %s |", op == "none" ? "(schedules that were left out)" : op.c_str());
      for (const std::uint64_t count : counts)
        std::printf(" %llu |", static_cast<unsigned long long>(count));
      std::printf("\n");
    }
  }

  // OpenCL has whole vectors, and PoCL keeps the private storage of a block on one stack.
  static machine::Machine machineFor(const Options &options) {
    machine::Machine machine;
    if (options.target != measure::GpuApi::OpenCl) return machine;
    machine.name = "PoCL";
    machine.limits.localBytesPerThread = 16 * 1024;
    machine.limits.vectorsTakenApart = false;
    return machine;
  }

  const Options &m_options;
  const std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
  const machine::Machine m_machine;
  measure::ScheduleCompiler m_compiler;
  std::vector<pipeline::PipelinePtr> m_pipelines;
  std::atomic<std::uint64_t> m_next{0}, m_bundles{0};
  std::mutex m_mutex; // guards all members below
  std::ofstream m_log;
  std::map<std::string, std::array<std::uint64_t, kFates.size()>> m_fates; // by operator
  std::uint64_t m_cases = 0, m_bad = 0;
};

} // namespace

int main(int argc, char **argv) {
  const auto options = parse(argc, argv);
  if (!options) {
    std::fprintf(stderr, "usage: mutants [--count N] [--seed N] [--first N] [--jobs N] "
                         "[--target lowered|host|opencl|cuda] [--seconds N] [--within N] "
                         "[--compile N] [--log FILE] FILE.hlpipe…\n");
    return 2;
  }
  CampaignRun run(*options);
  return run.open() ? run.run() : 1;
}
