// SPDX-License-Identifier: MIT
// Runs random schedules through Halide. A schedule that the rules call legal has to compile, run
// and give the reference's result.
//
//   random_schedules [--count N] [--seed N] [--first N] [--refused] [--bundles DIR] [--log FILE]
//                    [--unasked N] [--jobs N] [--target opencl|host|cuda|lowered] [--seconds N]
//                    FILE.hlpipe…
//
// Case n is a schedule of file n mod (number of files), verified at a small size. A refused
// schedule that is right there is also verified at the full size.
//   --target    opencl, host (which checks all bounds), cuda where there is a GPU, or lowered (the
//               code for CUDA in an interpreter, which also finds races)
//   --seconds   time limit of one case
//   --refused   tries schedules that the rules refuse, to count how many are right after all
//   --unasked   with --refused: how many changes are made in a row before the rules are checked (1)
//   --reduce    reduces a wrong schedule: as many funcs as possible get their default schedule
//   --save      keeps each schedule as DIR/CASE.json, for `tessera-cli … --schedule`
//   --known     runs the schedules of a file such as results/known.jsonl that the rules accept
//   --apart     with --known: each kernel of such a schedule alone, all else as in the default
//   --list      only makes the schedules: for --save, and to see why they are refused
//   --bundles   compiles for CUDA into DIR, to be launched on a GPU, instead of verifying
//   --small     makes bundles of the smallest sizes that their tiles fit in, for a sanitizer
// The log has one JSON object per case. It includes the directives wherever a case went wrong.

#include "engine/measure/compile.h"
#include "engine/open/open.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace {

using namespace tessera;
using schedule::Schedule;
namespace fs = std::filesystem;

struct Options {
  std::uint64_t count = 100, seed = 1, first = 0, jobs = 2, seconds = 120, unasked = 1;
  measure::GpuApi target = measure::GpuApi::OpenCl;
  bool refused = false, reduce = false, list = false, small = false, apart = false;
  std::string bundles, known, log, save;
  std::vector<std::string> files;
};

measure::GpuApi targetOf(std::string_view name) {
  if (name == "cuda") return measure::GpuApi::Cuda;
  if (name == "lowered") return measure::GpuApi::Lowered;
  return name == "host" ? measure::GpuApi::Host : measure::GpuApi::OpenCl;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto text = [&] { return std::string(++i < argc ? argv[i] : ""); };
    const auto number = [&](std::uint64_t &value) {
      const std::string word = text();
      std::from_chars(word.data(), word.data() + word.size(), value);
    };
    if (argument == "--count")
      number(options.count);
    else if (argument == "--seed")
      number(options.seed);
    else if (argument == "--first")
      number(options.first);
    else if (argument == "--jobs")
      number(options.jobs);
    else if (argument == "--seconds")
      number(options.seconds);
    else if (argument == "--target")
      options.target = targetOf(text());
    else if (argument == "--refused")
      options.refused = true;
    else if (argument == "--unasked")
      number(options.unasked);
    else if (argument == "--reduce")
      options.reduce = true;
    else if (argument == "--list")
      options.list = true;
    else if (argument == "--apart")
      options.apart = true;
    else if (argument == "--small")
      options.small = true;
    else if (argument == "--known")
      options.known = text();
    else if (argument == "--bundles")
      options.bundles = text();
    else if (argument == "--save")
      options.save = text();
    else if (argument == "--log")
      options.log = text();
    else
      options.files.emplace_back(argument);
  }
  return options;
}

struct Case {
  std::uint64_t number = 0;
  std::string file;
  pipeline::PipelinePtr pipeline;
  std::string run; // the run in which a known schedule was recorded
};

struct Known {
  std::size_t file = 0;
  std::uint64_t number = 0;
  std::string run;
  Schedule schedule;
};

// The result of a case.
struct Verdict {
  Outcome outcome = Outcome::ProtocolError;
  std::string message, rule, why; // rule and why are those of a refusal
  std::size_t fused = 0, stages = 0;
  double seconds = 0;
  std::vector<schedule::Directive> directives;
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
        std::fprintf(stderr, "%s\n", opened.error().message.c_str());
        return false;
      }
      m_pipelines.push_back(opened->pipeline);
    }
    if (!m_options.known.empty()) readKnown();
    return !m_pipelines.empty();
  }

  int run() {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < m_options.jobs; ++t)
      threads.emplace_back([this] {
        for (std::uint64_t n = m_next++; n < m_options.count; n = m_next++)
          if (m_options.known.empty())
            one(m_options.first + n);
          else if (m_options.first + n < m_known.size())
            again(m_known[m_options.first + n]);
      });
    threads.clear();
    print();
    return m_wrong == 0 ? 0 : 1;
  }

private:
  static host::ToolPaths tools() {
    host::ToolSearch search;
    search.programPath = tessera::test::binPath("tessera-cli");
    const char *path = std::getenv("PATH");
    search.searchPath = path ? path : "";
    return host::findTools(search);
  }

  void readKnown() {
    std::ifstream file(m_options.known);
    for (std::string text; std::getline(file, text);) {
      const auto line = nlohmann::json::parse(text);
      const auto of = std::ranges::find(m_pipelines, line.at("pipeline").get<std::string>(),
                                        [](const auto &pipeline) { return pipeline->name(); });
      if (of == m_pipelines.end()) continue;
      auto schedule = schedule::scheduleFromJson(*of, line.at("schedule"));
      if (!schedule || !schedule::isLegal(*schedule, m_machine)) continue;
      const Known known{static_cast<std::size_t>(of - m_pipelines.begin()), line.at("case"),
                        line.at("run"), std::move(*schedule)};
      if (m_options.apart)
        takeApart(known);
      else
        m_known.push_back(known);
    }
  }

  // Finds which kernel of a schedule is wrong. Each kernel becomes a case of its own, in which the
  // funcs of all other kernels have their default plans. Its number is 1000 * CASE plus the index
  // of the func that the kernel computes.
  void takeApart(const Known &known) {
    const Schedule plain = schedule::defaultSchedule(known.schedule.base());
    const schedule::Bounds bounds(known.schedule);
    const auto isInKernel = [&](std::uint32_t func, std::uint32_t root) {
      const pipeline::FuncId id{func};
      return !known.schedule.plan(id).isInline() && bounds.of(id).kernel == pipeline::FuncId{root};
    };
    const auto funcs = static_cast<std::uint32_t>(plain.pipeline()->funcs().size());
    for (std::uint32_t root = 0; root < funcs; ++root) {
      if (!isInKernel(root, root)) continue;
      Known alone = known;
      alone.number = known.number * 1000 + root;
      for (std::uint32_t f = 0; f < funcs; ++f)
        if (const pipeline::FuncId id{f};
            !known.schedule.plan(id).isInline() && !isInKernel(f, root))
          alone.schedule.set(id, plain.plan(id));
      if (schedule::isLegal(alone.schedule, m_machine)) m_known.push_back(std::move(alone));
    }
  }

  void again(const Known &known) {
    const Case work{known.number, m_options.files[known.file], m_pipelines[known.file], known.run};
    judge(work, known.schedule, {});
  }

  void one(std::uint64_t number) {
    const std::size_t which = number % m_options.files.size();
    const Case work{number, m_options.files[which], m_pipelines[which], {}};
    std::seed_seq mixed{m_options.seed, number};
    schedule::testing::Random random(mixed);
    Schedule schedule = schedule::testing::randomSchedule(work.pipeline, m_machine, random);
    Verdict verdict;
    if (m_options.refused) {
      auto refused =
          schedule::testing::randomRefused(schedule, m_machine, random, m_options.unasked);
      if (!refused) return;
      schedule = std::move(refused->schedule);
      verdict.rule = name(refused->violations.front().rule);
      for (const schedule::Violation &one : refused->violations)
        verdict.why += std::string(name(one.rule)) + ": " + one.message + "; ";
    }
    judge(work, std::move(schedule), std::move(verdict));
  }

  void judge(const Case &work, Schedule schedule, Verdict verdict) {
    verdict.directives = schedule::lower(schedule);
    if (!m_options.list) attempt(work, schedule, verdict);
    // After a compile time-out nothing is reduced: smaller schedules mostly time out, too.
    const bool late = verdict.outcome == Outcome::CompileTimeout;
    if (m_options.reduce && isWrong(verdict) && !late) reduce(work, schedule, verdict);
    save(work, schedule);
    report(work, verdict);
  }

  void save(const Case &work, const Schedule &schedule) const {
    if (m_options.save.empty()) return;
    std::ofstream(m_options.save + "/" + std::to_string(work.number) + ".json")
        << schedule::toJson(schedule).dump(1) << "\n";
  }

  bool isWrong(const Verdict &verdict) const {
    return (verdict.outcome == Outcome::Ok) == m_options.refused;
  }

  void attempt(const Case &work, const Schedule &schedule, Verdict &verdict) {
    verdict.fused = schedule::testing::fusedFuncs(schedule);
    verdict.stages = work.pipeline->stages().size();
    verdict.directives = schedule::lower(schedule);
    const auto start = std::chrono::steady_clock::now();
    m_options.bundles.empty() ? verify(work, verdict, true) : compile(work, verdict);
    // A schedule that is right for a small picture may be wrong for a large one, so it is verified
    // at the full size as well.
    if (m_options.refused && m_options.bundles.empty() && verdict.outcome == Outcome::Ok)
      verify(work, verdict, false);
    verdict.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  // Resets one func after the other to the default, as long as the outcome stays the same.
  void reduce(const Case &work, Schedule &schedule, Verdict &verdict) {
    const Schedule plain = schedule::defaultSchedule(work.pipeline);
    for (std::size_t f = 0; f < work.pipeline->funcs().size(); ++f) {
      const auto func = static_cast<pipeline::FuncId>(f);
      for (const schedule::FuncPlan &plan : simpler(schedule.plan(func), plain.plan(func))) {
        Schedule smaller = schedule;
        smaller.set(func, plan);
        if (plan == schedule.plan(func) || !schedule::isLegal(smaller, m_machine)) continue;
        Verdict again;
        again.rule = verdict.rule;
        again.why = verdict.why;
        attempt(work, smaller, again);
        if (again.outcome != verdict.outcome) continue;
        schedule = std::move(smaller);
        verdict = std::move(again);
        save(work, schedule); // saved at once, because reducing may never end
        break;
      }
    }
  }

  static std::vector<schedule::FuncPlan> simpler(const schedule::FuncPlan &plan,
                                                 const schedule::FuncPlan &plain) {
    std::vector<schedule::FuncPlan> simpler{plain, plan};
    simpler[1].storage = schedule::Storage::Auto;
    if (plan.stages.size() == 1)
      simpler.push_back({.compute = schedule::Place::inlined(), .stages = plain.stages});
    return simpler;
  }

  // These directives are removed for the target Host. The loops that they would give to a GPU then
  // run one iteration after the other.
  static bool isOfGpus(const schedule::Directive &directive) {
    using schedule::Verb;
    static const std::set<Verb> verbs{Verb::GpuBlocks, Verb::GpuThreads, Verb::GpuLanes,
                                      Verb::GpuSingleThread, Verb::StoreIn};
    return verbs.contains(directive.verb);
  }

  void verify(const Case &work, Verdict &verdict, bool small) {
    measure::VerifyRequest request;
    request.pipeline.file = work.file;
    request.pipeline.directives = verdict.directives;
    if (m_options.target == measure::GpuApi::Host)
      std::erase_if(request.pipeline.directives, isOfGpus);
    request.small = small;
    request.target = m_options.target;
    request.timeout = std::chrono::seconds(m_options.seconds);
    const auto answer = m_compiler.verify(request);
    verdict.outcome = answer.outcome;
    verdict.message = answer.error.message;
    if (answer.outcome == Outcome::WrongOutput)
      verdict.message = "worst error " + std::to_string(answer.report.worstError());
    if (answer.driverAtFault) verdict.message += " (right where the driver does not optimise)";
  }

  void compile(const Case &work, Verdict &verdict) {
    measure::CompileRequest request;
    request.pipeline.file = work.file;
    request.pipeline.directives = verdict.directives;
    request.output = m_options.bundles + "/" + std::to_string(work.number);
    request.small = m_options.small;
    request.timeout = std::chrono::seconds(m_options.seconds);
    const auto answer = m_compiler.compile(request);
    verdict.outcome = answer.outcome;
    verdict.message = answer.error.message;
    for (const report::KernelReport &kernel : answer.report.kernels)
      if (!fits(kernel)) {
        verdict.outcome = Outcome::LaunchError;
        verdict.message += kernel.name + " asks for more than a launch may have; ";
      }
  }

  // Checks the limits that the driver would check at the launch.
  bool fits(const report::KernelReport &kernel) const {
    std::int64_t threads = 1;
    for (std::size_t d = 0; d < kernel.threads.size(); ++d) {
      threads *= kernel.threads[d];
      if (kernel.threads[d] > m_machine.limits.blockDims[d]) return false;
    }
    return threads <= m_machine.limits.threadsPerBlock &&
           kernel.sharedBytes <= m_machine.limits.sharedBytesPerBlock;
  }

  void report(const Case &work, const Verdict &verdict) {
    const std::lock_guard lock(m_mutex);
    ++m_outcomes[std::string(name(verdict.outcome)) +
                 (verdict.rule.empty() ? "" : " though refused by " + verdict.rule)];
    m_grouped += verdict.fused >= 2;
    m_large += verdict.stages >= 20;
    ++m_cases;
    m_seconds += verdict.seconds;
    const bool wrong = isWrong(verdict);
    m_wrong += wrong;
    if (wrong && !m_options.refused)
      std::printf("case %llu, %s: %s %s\n", static_cast<unsigned long long>(work.number),
                  work.pipeline->name().c_str(), std::string(name(verdict.outcome)).c_str(),
                  verdict.message.substr(0, 500).c_str());
    std::fflush(stdout);
    if (!m_log.is_open()) return;
    nlohmann::ordered_json line{{"case", work.number},
                                {"pipeline", work.pipeline->name()},
                                {"outcome", name(verdict.outcome)},
                                {"fused", verdict.fused},
                                {"stages", verdict.stages},
                                {"seconds", verdict.seconds}};
    if (!work.run.empty()) line["run"] = work.run;
    if (!verdict.rule.empty()) line["rule"] = verdict.rule;
    if (!verdict.why.empty()) line["why"] = verdict.why;
    if (!verdict.message.empty()) line["message"] = verdict.message;
    if (wrong) line["directives"] = schedule::toJson(verdict.directives);
    // The message of a compiler may hold bytes that are not UTF-8.
    m_log << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n"
          << std::flush;
  }

  void print() const {
    std::printf(
        "seed %llu, cases %llu: %llu not as our rules say; two or more fused funcs in %llu, "
        "20 or more stages in %llu; %.2f s a case\n",
        static_cast<unsigned long long>(m_options.seed), static_cast<unsigned long long>(m_cases),
        static_cast<unsigned long long>(m_wrong), static_cast<unsigned long long>(m_grouped),
        static_cast<unsigned long long>(m_large),
        m_cases ? m_seconds / static_cast<double>(m_cases) : 0);
    for (const auto &[outcome, count] : m_outcomes)
      std::printf("  %6llu %s\n", static_cast<unsigned long long>(count), outcome.c_str());
  }

  // PoCL keeps the private storage of all threads of a block on one stack.
  static machine::Machine machineFor(const Options &options) {
    machine::Machine machine;
    if (options.target != measure::GpuApi::OpenCl || !options.bundles.empty()) return machine;
    machine.name = "PoCL";
    machine.limits.localBytesPerThread = 16 * 1024;
    machine.limits.vectorsTakenApart = false;
    return machine;
  }

  const Options &m_options;
  const machine::Machine m_machine;
  measure::ScheduleCompiler m_compiler;
  std::vector<pipeline::PipelinePtr> m_pipelines;
  std::vector<Known> m_known;
  std::atomic<std::uint64_t> m_next{0};
  std::mutex m_mutex; // guards all members below
  std::ofstream m_log;
  std::map<std::string, std::uint64_t> m_outcomes;
  std::uint64_t m_cases = 0, m_wrong = 0, m_grouped = 0, m_large = 0;
  double m_seconds = 0;
};

} // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  if (options.files.empty()) {
    std::fprintf(stderr, "usage: random_schedules [--count N] [--seed N] [--first N] [--refused] "
                         "[--bundles DIR] [--log FILE] [--jobs N] "
                         "[--target opencl|host|cuda|lowered] [--seconds N] FILE.hlpipe…\n");
    return 2;
  }
  CampaignRun run(options);
  return run.open() ? run.run() : 1;
}
