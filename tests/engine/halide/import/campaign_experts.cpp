// SPDX-License-Identifier: MIT
// Takes schedules that Tessera did not make. Each is turned into directives, raised, found legal,
// lowered, raised again, and compiled by Halide.
//   campaign_experts manual|default|li2018|mullapudi2016|anderson2021 FOLDER NAME…
#include "engine/halide/import/found_schedule.h"
#include "engine/halide/import/import.h"
#include "engine/halide/compile/apply.h"
#include "engine/schedule/directives/found_calls.h"
#include "engine/schedule/directives/found_factored.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/call_text.h"
#include "tests/engine/halide/captured.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace tessera;

int fail(const std::string &name, const std::string &what) {
  std::cout << name << ": " << what << "\n";
  return 1;
}

Result<pipeline::PipelinePtr> import(const std::string &path) {
  halide::ImportOptions options;
  options.path = path;
  auto prepared = halide::preparePipeline(options);
  if (!prepared) return prepared.error();
  auto parts = halide::partsOf(*prepared, options);
  if (!parts) return parts.error();
  return pipeline::Pipeline::create(std::move(*parts));
}

// Returns the schedule in a file, which Tessera did not make, as directives for the pipeline
// without a schedule.
Result<std::vector<schedule::Directive>>
directivesOf(const std::string &name, const std::string &plain, const Halide::Pipeline &scheduled,
             const pipeline::Pipeline &before, const pipeline::Pipeline &after) {
  const auto unscheduled = halide::loadPipeline(plain, "");
  if (!unscheduled) return unscheduled.error();
  const auto found = schedule::beyond(halide::foundSchedule(unscheduled->pipeline),
                                      halide::foundSchedule(scheduled));
  for (const schedule::OtherCall &other : found.others)
    fail(name, "cannot be said: " + other.text);
  auto directives = schedule::foundFactored(before, after);
  directives.insert(directives.end(), found.directives.begin(), found.directives.end());
  return directives;
}

Result<std::vector<schedule::Directive>> manualDirectives(const std::string &name,
                                                          const std::string &plain,
                                                          const std::string &path,
                                                          const pipeline::Pipeline &before) {
  auto manual = halide::loadPipeline(path, "");
  if (!manual) return manual.error();
  auto after = import(path);
  if (!after) return after.error();
  return directivesOf(name, plain, manual->pipeline, before, **after);
}

// Runs one of Halide's own autoschedulers with the parameters of a large GPU.
Result<std::vector<schedule::Directive>> peerDirectives(const std::string &name,
                                                        const std::string &path,
                                                        const std::string &peer,
                                                        const pipeline::Pipeline &before) {
  auto loaded = halide::loadPipeline(path, "");
  if (!loaded) return loaded.error();
  Halide::load_plugin("autoschedule_" + peer);
  Halide::AutoschedulerParams parameters;
  if (peer == "li2018") parameters = {"Li2018", {{"parallelism", "132"}}};
  if (peer == "mullapudi2016")
    parameters = {"Mullapudi2016",
                  {{"experimental_gpu_schedule", "1"},
                   {"parallelism", "132"},
                   {"last_level_cache_size", "49152"},
                   {"balance", "20"}}};
  if (peer == "anderson2021") parameters = {"Anderson2021", {{"parallelism", "132"}}};
  loaded->pipeline.apply_autoscheduler(Halide::Target("x86-64-linux-cuda-cuda_capability_86"),
                                       parameters);
  auto parts = halide::testing::roundTrip(loaded->pipeline);
  if (!parts) return parts.error();
  auto after = pipeline::Pipeline::create(std::move(*parts));
  if (!after) return after.error();
  return directivesOf(name, path, loaded->pipeline, before, **after);
}

int compileAgain(const std::string &name, const std::string &path,
                 const std::vector<schedule::Directive> &directives) {
  auto fresh = halide::loadPipeline(path, "");
  auto applied = halide::applyDirectives(fresh->pipeline, directives);
  if (!applied) return fail(name, "apply: " + applied.error().message);
  const Halide::Target target("x86-64-linux-cuda-cuda_capability_86-no_runtime");
  fresh->pipeline.compile_to_module(fresh->pipeline.infer_arguments(), name, target);
  return 0;
}

int checkOne(const std::string &source, const std::string &folder, const std::string &name) {
  const std::string path = folder + "/" + name + ".hlpipe";
  auto pipeline = import(path);
  if (!pipeline) return fail(name, pipeline.error().message);
  auto schedule = [&]() -> Result<schedule::Schedule> {
    if (source == "default") return schedule::defaultSchedule(*pipeline);
    auto directives =
        source == "manual"
            ? manualDirectives(name, path, folder + "/" + name + ".manual.hlpipe", **pipeline)
            : peerDirectives(name, path, source, **pipeline);
    if (!directives) return directives.error();
    return schedule::raise(*pipeline, *directives);
  }();
  if (!schedule) return fail(name, "raise: " + schedule.error().message);
  int wrong = 0;
  for (const schedule::Violation &violation : schedule::check(*schedule, {}))
    wrong += fail(name, std::string(schedule::name(violation.rule)) + ": " + violation.message +
                            " [allowed: " + violation.allowed + "]");
  const auto directives = schedule::lower(*schedule);
  auto again = schedule::raise(*pipeline, directives);
  if (!again) return wrong + fail(name, "raise again: " + again.error().message);
  if (!(*again == *schedule)) wrong += fail(name, "lowering and raising changed it");
  return wrong + compileAgain(name, path, directives);
}

int guarded(const std::string &source, const std::string &folder, const std::string &name) {
  int wrong = 0;
  Halide::Internal::run_with_large_stack([&] {
    try {
      wrong = checkOne(source, folder, name);
    } catch (const Halide::Error &e) {
      wrong = fail(name, std::string("Halide: ") + e.what());
    } catch (const std::exception &e) {
      wrong = fail(name, e.what());
    }
  });
  std::cout << name << (wrong ? ": wrong\n" : ": right\n") << std::flush;
  return wrong;
}

} // namespace

// Each pipeline runs in a process of its own, as an autoscheduler may crash or never end.
int main(int argc, char **argv) {
  constexpr unsigned kSeconds = 180;
  int wrong = 0;
  for (int i = 3; i < argc; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(kSeconds);
      Halide::set_compiler_stack_size(256 << 20);
      std::_Exit(guarded(argv[1], argv[2], argv[i]) ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) fail(argv[i], "ended by signal " + std::to_string(WTERMSIG(status)));
    wrong += status != 0;
  }
  return wrong ? 1 : 0;
}
