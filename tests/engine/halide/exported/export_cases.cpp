// SPDX-License-Identifier: MIT
// export_cases SAMPLES OUT SAMPLE…: writes schedules as NAME.schedule.h, NAME.py and NAME.json, a
// table of them as cases.txt (NAME SAMPLE and whether it has promises, a line) and all headers with
// a table as all_schedules.h. The schedules: those written by hand, and of each sample its default
// and, where its own needs no other stages, its own. Beside the table stand random ones, which no
// pipeline could perform, but which have to compile.
#include "engine/halide/apply.h"
#include "engine/halide/found_schedule.h"
#include "engine/halide/import.h"
#include "engine/schedule/cpp_parser.h"
#include "engine/schedule/default_schedule.h"
#include "engine/schedule/directive_json.h"
#include "engine/schedule/found_calls.h"
#include "engine/schedule/lower.h"
#include "engine/schedule/python_text.h"
#include "tests/engine/halide/exported/hand_written.h"
#include "tests/engine/schedule/random_directives.h"
#include "tests/engine/schedule/sketch.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
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
  std::string header = {};                // the file, if somebody wrote it
  std::vector<std::string> promises = {}; // a sentence each
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

std::vector<Directive> defaultOf(const std::string &file) {
  const halide::ImportOptions options{.path = file};
  const auto prepared = orLeave(halide::preparePipeline(options));
  auto parts = orLeave(halide::partsOf(prepared, options));
  auto pipeline = orLeave(pipeline::Pipeline::create(std::move(parts)));
  return lower(schedule::defaultSchedule(std::move(pipeline)));
}

// Empty where the schedule in the file cannot be said of the plain pipeline.
std::vector<Directive> manualOf(const std::string &manual, const std::string &plain) {
  const auto scheduled = halide::loadPipeline(manual, "");
  if (!scheduled) return {}; // Halide cannot read everything that it writes
  auto bare = orLeave(halide::loadPipeline(plain, ""));
  auto found = schedule::beyond(halide::foundSchedule(bare.pipeline),
                                halide::foundSchedule(scheduled->pipeline));
  const bool applies =
      found.others.empty() && halide::applyDirectives(bare.pipeline, found.directives);
  return applies ? std::move(found.directives) : std::vector<Directive>();
}

void write(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text << std::flush)) leave("cannot write " + path);
}

void writeAll(const std::string &folder, const std::vector<Case> &cases) {
  std::string includes, table, list;
  for (const Case &one : cases) {
    const schedule::TextHeader header{
        .pipeline = one.name, .promises = one.promises, .notes = {"of " + one.sample}};
    const std::string text = orLeave(schedule::cppText(header, one.directives));
    const auto back = orLeave(schedule::parseCpp(text));
    if (back != schedule::WrittenSchedule{header, one.directives})
      leave(one.name + ": read back as another");
    const std::string file = folder + "/" + one.name + ".schedule.h";
    write(file, one.header.empty() ? text : one.header);
    write(folder + "/" + one.name + ".py", orLeave(schedule::pythonText(header, one.directives)));
    const nlohmann::ordered_json request{{"directives", toJson(one.directives)},
                                         {"promises", one.promises}};
    write(folder + "/" + one.name + ".json", request.dump(1));
    includes += "#include \"" + one.name + ".schedule.h\"\n";
    table +=
        "    {\"" + one.name + "\", \"" + one.sample + "\", apply_schedule_" + one.name + "},\n";
    list += one.name + " " + one.sample + (one.promises.empty() ? " -" : " promises") + "\n";
  }
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    std::mt19937 random(seed);
    const auto pick = [&random](std::size_t below) { return random() % below; };
    schedule::TextHeader header = schedule::randomHeader(pick);
    header.pipeline = "random_" + std::to_string(seed);
    write(folder + "/" + header.pipeline + ".schedule.h",
          orLeave(schedule::cppText(header, schedule::randomDirectives(pick, 100))));
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

} // namespace

int main(int count, char **words) {
  if (count < 3) return std::fprintf(stderr, "usage: export_cases SAMPLES OUT SAMPLE...\n"), 2;
  const std::string samples = words[1];
  std::vector<Case> cases;
  for (const auto &[name, sample, text, promises] : halide::testing::handWritten()) {
    cases.push_back({std::string(name), std::string(sample), schedule::sketch(text)});
    std::istringstream lines{std::string(promises)};
    for (std::string line; std::getline(lines, line);)
      cases.back().promises.push_back(line);
  }
  std::ifstream byHand(TESSERA_TEST_BY_HAND);
  const std::string header{std::istreambuf_iterator<char>(byHand), {}};
  cases.push_back({"by_hand", "harris", orLeave(schedule::parseCpp(header)).directives, header});
  for (int i = 3; i < count; ++i) {
    const std::string sample = words[i], plain = samples + "/" + sample + ".hlpipe";
    cases.push_back({sample + "_default", sample, defaultOf(plain)});
    auto manual = manualOf(samples + "/" + sample + ".manual.hlpipe", plain);
    if (!manual.empty()) cases.push_back({sample + "_manual", sample, std::move(manual)});
  }
  writeAll(words[2], cases);
  std::_Exit(0); // static destructors of LLVM may crash
}
