// SPDX-License-Identifier: MIT
// The samples' own schedules as values: raised, found legal, lowered, raised again, and lowered by
// Halide once more.   campaign_experts FOLDER NAME…
#include "engine/halide/apply.h"
#include "engine/halide/found_schedule.h"
#include "engine/halide/import.h"
#include "engine/schedule/call_text.h"
#include "engine/schedule/default_schedule.h"
#include "engine/schedule/found_factored.h"
#include "engine/schedule/legality.h"
#include "engine/schedule/lower.h"
#include "engine/schedule/raise.h"

#include <cstdio>
#include <iostream>
#include <string>

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

int checkExpert(const std::string &folder, const std::string &name, bool byDefault) {
  const std::string path = folder + "/" + name + ".hlpipe";
  auto pipeline = import(path);
  if (!pipeline) return fail(name, pipeline.error().message);

  std::optional<schedule::Schedule> schedule;
  if (byDefault) {
    schedule = schedule::defaultSchedule(*pipeline);
  } else {
    auto manual = halide::loadPipeline(folder + "/" + name + ".manual.hlpipe", "");
    if (!manual) return fail(name, manual.error().message);
    const auto found = halide::foundSchedule(manual->pipeline);
    for (const std::string &other : found.others)
      fail(name, "cannot be said: " + other);
    auto after = import(folder + "/" + name + ".manual.hlpipe");
    if (!after) return fail(name, after.error().message);
    auto directives = schedule::foundFactored(**pipeline, **after);
    directives.insert(directives.end(), found.directives.begin(), found.directives.end());
    auto raised = schedule::raise(*pipeline, directives);
    if (!raised) return fail(name, "raise: " + raised.error().message);
    schedule = std::move(*raised);
  }
  int wrong = 0;
  for (const schedule::Violation &violation : schedule::check(*schedule, {}))
    wrong += fail(name, std::string(schedule::name(violation.rule)) + ": " + violation.message +
                            " [allowed: " + violation.allowed + "]");
  const auto directives = schedule::lower(*schedule);
  auto again = schedule::raise(*pipeline, directives);
  if (!again) return wrong + fail(name, "raise again: " + again.error().message);
  if (!(*again == *schedule)) wrong += fail(name, "lowering and raising changed it");
  auto fresh = halide::loadPipeline(path, "");
  auto applied = halide::applyDirectives(fresh->pipeline, directives);
  if (!applied) return wrong + fail(name, "apply: " + applied.error().message);
  try {
    const Halide::Target target("x86-64-linux-cuda-cuda_capability_86-no_runtime");
    fresh->pipeline.compile_to_module(fresh->pipeline.infer_arguments(), name, target);
  } catch (const Halide::Error &e) {
    wrong += fail(name, std::string("compile: ") + e.what());
  }
  std::cout << name << (wrong ? ": wrong\n" : ": right\n");
  return wrong;
}

} // namespace

int main(int argc, char **argv) {
  int wrong = 0;
  Halide::set_compiler_stack_size(256 << 20);
  const bool byDefault = argc > 2 && std::string(argv[2]) == "--default";
  for (int i = byDefault ? 3 : 2; i < argc; ++i)
    Halide::Internal::run_with_large_stack(
        [&] { wrong += checkExpert(argv[1], argv[i], byDefault); });
  std::cout << std::flush;
  std::_Exit(wrong ? 1 : 0);
}
