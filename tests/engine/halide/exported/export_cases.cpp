// SPDX-License-Identifier: MIT
// export_cases SAMPLES OUT COUNT SAMPLE…: writes schedules as NAME.schedule.h, NAME.py and
// NAME.json, a table of them as cases.txt (a line is NAME SAMPLE and "cpp" or "python"), and all
// headers with a table as all_schedules.h. The schedules are, for each sample, the hand-written
// ones, its default, its own and COUNT random legal ones. Half of the random ones have promises and
// are in C++ only, as Python cannot pass promises to Halide. The table also has random directives,
// which no pipeline could perform, but which must compile.
#include "engine/halide/compile/apply.h"
#include "engine/halide/import/found_schedule.h"
#include "engine/halide/import/import.h"
#include "engine/report/promise.h"
#include "engine/schedule/directives/found_calls.h"
#include "engine/schedule/directives/found_factored.h"
#include "engine/schedule/directives/lasting_names.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/text/cpp_parser.h"
#include "engine/schedule/text/python_text.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/engine/halide/exported/hand_written.h"
#include "tests/engine/schedule/random_directives.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/sketch.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using schedule::Directive;

struct Case {
  std::string name, sample;
  std::vector<Directive> directives;
  std::string header = {};                // the header file, if it was written by hand
  std::vector<std::string> promises = {}; // one sentence each
  bool inPython = true;
};

[[noreturn]] void leave(const std::string &problem) {
  std::fprintf(stderr, "export_cases: %s\n", problem.c_str());
  std::_Exit(1);
}

template <typename T>
T orLeave(Result<T> result) {
  if (result) return std::move(*result);
  leave(result.error().message + " " + result.error().hint);
}

Result<pipeline::PipelinePtr> import(const std::string &file) {
  const halide::ImportOptions options{.path = file};
  const auto prepared = halide::preparePipeline(options);
  if (!prepared) return prepared.error();
  auto parts = halide::partsOf(*prepared, options);
  if (!parts) return parts.error();
  return pipeline::Pipeline::create(std::move(*parts));
}

// Returns promises that the rows of the first output and of all inputs begin where the estimates
// say, aligned to 16 bytes.
std::vector<std::string> promisesOf(const pipeline::Pipeline &pipeline) {
  std::vector<std::string> promises;
  const auto add = [&](const std::string &buffer, const std::vector<pipeline::Estimate> &dims) {
    report::Promise promise{.buffer = buffer, .hostAlignment = 16};
    if (!dims.empty()) promise.min = dims[0].range.min;
    promises.push_back(textOf(promise));
  };
  const pipeline::Output &output = pipeline.outputs()[0];
  add(pipeline.func(output.func).name, output.dims);
  for (const pipeline::Input &input : pipeline.inputs())
    if (!input.isScalar) add(input.name, input.dims);
  return promises;
}

// Returns the n-th random schedule of a sample, which is the same in every run.
Case randomCase(const std::string &sample, const pipeline::PipelinePtr &pipeline, unsigned n) {
  std::seed_seq seed(sample.begin(), sample.end());
  schedule::testing::Random random(seed);
  random.discard(1'000 * n);
  const auto schedule = schedule::testing::randomSchedule(pipeline, {}, random);
  Case result{sample + "_random" + std::to_string(n), sample, lower(schedule)};
  if (n % 2 == 1) result.promises = promisesOf(*pipeline);
  result.inPython = false;
  return result;
}

// Returns the schedule in the file as directives, or none if they cannot be expressed for the plain
// pipeline.
std::vector<Directive> manualOf(const std::string &manual, const std::string &plain,
                                const pipeline::Pipeline &pipeline) {
  const auto scheduled = halide::loadPipeline(manual, "");
  if (!scheduled) return {}; // Halide cannot read everything that it writes
  auto bare = orLeave(halide::loadPipeline(plain, ""));
  auto found = schedule::beyond(halide::foundSchedule(bare.pipeline),
                                halide::foundSchedule(scheduled->pipeline));
  const auto after = import(manual);
  if (!after || !found.others.empty()) return {};
  std::vector<Directive> directives = schedule::foundFactored(pipeline, **after);
  directives.insert(directives.end(), found.directives.begin(), found.directives.end());
  const bool applies = static_cast<bool>(halide::applyDirectives(bare.pipeline, directives));
  return applies ? std::move(directives) : std::vector<Directive>();
}

void write(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text << std::flush)) leave("cannot write " + path);
}

using Pipelines = std::map<std::string, pipeline::PipelinePtr>; // by sample

void writeAll(const std::string &folder, const Pipelines &pipelines,
              const std::vector<Case> &cases) {
  std::string includes, table, list;
  for (const Case &one : cases) {
    const schedule::TextHeader header{
        .pipeline = one.name, .promises = one.promises, .notes = {"of " + one.sample}};
    const pipeline::Pipeline &pipeline = *pipelines.at(one.sample);
    const auto lasting = schedule::withLastingNames(one.directives, pipeline);
    const schedule::WrittenSchedule written{header, lasting.directives, lasting.names};
    const std::string text = orLeave(schedule::cppText(written));
    if (orLeave(schedule::parseCpp(text)) != written) leave(one.name + ": read back as another");
    if (orLeave(schedule::withNamesOf(pipeline, lasting)) != one.directives)
      leave(one.name + ": read back with other names");
    const std::string file = folder + "/" + one.name + ".schedule.h";
    write(file, one.header.empty() ? text : one.header);
    write(folder + "/" + one.name + ".py", orLeave(schedule::pythonText(written)));
    const nlohmann::ordered_json request{{"directives", toJson(one.directives)},
                                         {"promises", one.promises}};
    write(folder + "/" + one.name + ".json", request.dump(1));
    includes += "#include \"" + one.name + ".schedule.h\"\n";
    table +=
        "    {\"" + one.name + "\", \"" + one.sample + "\", apply_schedule_" + one.name + "},\n";
    list += one.name + " " + one.sample + (one.inPython ? " python" : " cpp") + "\n";
  }
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    std::mt19937 random(seed);
    const auto pick = [&random](std::size_t below) { return random() % below; };
    schedule::TextHeader header = schedule::randomHeader(pick);
    header.pipeline = "random_" + std::to_string(seed);
    write(folder + "/" + header.pipeline + ".schedule.h",
          orLeave(schedule::cppText({header, schedule::randomDirectives(pick, 100)})));
    includes += "#include \"" + header.pipeline + ".schedule.h\"\n";
  }
  write(folder + "/all_schedules.h",
        includes +
            "\nstruct ExportedSchedule {\n    const char *name, *sample;\n"
            "    void (*apply)(Halide::Pipeline, Halide::Target);\n};\n"
            "inline const ExportedSchedule kExportedSchedules[] = {\n" +
            table + "};\n");
  write(folder + "/cases.txt", list);
}

void addHandWritten(const std::string &sample, std::vector<Case> &cases) {
  for (const auto &[name, ofSample, text, promises] : halide::testing::handWritten()) {
    if (ofSample != sample) continue;
    cases.push_back({std::string(name), sample, schedule::sketch(text)});
    std::istringstream lines{std::string(promises)};
    for (std::string line; std::getline(lines, line);)
      cases.back().promises.push_back(line);
  }
  if (sample != "harris") return;
  std::ifstream byHand(
      tessera::test::sourcePath("tests/engine/halide/exported/by_hand.schedule.h"));
  const std::string header{std::istreambuf_iterator<char>(byHand), {}};
  cases.push_back({"by_hand", sample, orLeave(schedule::parseCpp(header)).directives, header});
}

} // namespace

int main(int count, char **words) {
  if (count < 4)
    return std::fprintf(stderr, "usage: export_cases SAMPLES OUT COUNT SAMPLE...\n"), 2;
  const std::string samples = words[1];
  Pipelines pipelines;
  std::vector<Case> cases;
  for (int i = 4; i < count; ++i) {
    const std::string sample = words[i], plain = samples + "/" + sample + ".hlpipe";
    const pipeline::PipelinePtr pipeline = orLeave(import(plain));
    pipelines.emplace(sample, pipeline);
    addHandWritten(sample, cases);
    cases.push_back({sample + "_default", sample, lower(schedule::defaultSchedule(pipeline))});
    auto manual = manualOf(samples + "/" + sample + ".manual.hlpipe", plain, *pipeline);
    if (!manual.empty()) cases.push_back({sample + "_manual", sample, std::move(manual)});
    for (unsigned n = 0; n < static_cast<unsigned>(std::atoi(words[3])); ++n)
      cases.push_back(randomCase(sample, pipeline, n));
  }
  writeAll(words[2], pipelines, cases);
  std::_Exit(0); // static destructors of LLVM may crash
}
