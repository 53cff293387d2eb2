// SPDX-License-Identifier: MIT
// Exported schedules give the code that the worker makes of the same directives: the C++ header in
// a generator's process, the Python function through Halide's bindings.
#include "engine/job/child_process.h"
#include "tests/engine/halide/exported/lowered_code.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace tessera::halide::testing {
namespace {

struct ExportedCase {
  std::string name, sample, promises;
  friend void PrintTo(const ExportedCase &one, std::ostream *out) { *out << one.name; }
};

std::vector<ExportedCase> exportedCases() {
  std::vector<ExportedCase> cases;
  std::ifstream file(TESSERA_TEST_SCHEDULES "/cases.txt");
  for (ExportedCase one; file >> one.name >> one.sample >> one.promises;)
    cases.push_back(one);
  return cases;
}

// The loops that parallel(x, 8) and its like split off have no name in the text: the parser calls
// them so, Halide by a letter and a number.
std::string asHalideNames(std::string code) {
  for (const std::string name : {"x_vector", "x_unrolled", "x_task"})
    for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at))
      code.replace(at, name.size(), "v" + std::to_string(30'000 + name.size()));
  return code;
}

class Exported : public ::testing::TestWithParam<ExportedCase> {
protected:
  std::string file(const std::string &name) const { return m_folder.file(name); }

  static bool lower(const std::string &pipeline, const std::string &directives,
                    const std::string &out) {
    return run(TESSERA_TEST_LOWER_DIRECTIVES, {pipeline, directives, out});
  }

  static std::string schedule(const std::string &suffix) {
    return TESSERA_TEST_SCHEDULES "/" + GetParam().name + suffix;
  }
  static std::string sample() {
    return TESSERA_TEST_SHARE_DIR "/samples/" + GetParam().sample + ".hlpipe";
  }

  // What the sidecar of the sample says of its inputs holds for the scheduled file too; the sum of
  // the sample's bytes does not.
  void copySidecar(const std::string &to) {
    auto sidecar = nlohmann::json::parse(
        contentOf(TESSERA_TEST_SHARE_DIR "/samples/" + GetParam().sample + ".estimates.json"));
    sidecar.erase("pipeline_sha256");
    std::ofstream(to) << sidecar;
  }

private:
  ScratchFolder m_folder;
};

TEST_P(Exported, CppGivesTheSameCodeInAGenerator) {
  ASSERT_TRUE(run(TESSERA_TEST_LOWER_EXPORTED, {GetParam().name, file("exported")}));
  ASSERT_TRUE(lower(sample(), schedule(".json"), file("directives")));
  expectSameCode(asHalideNames(contentOf(file("directives"))), contentOf(file("exported")));
}

TEST_P(Exported, PythonGivesTheSameCode) {
  if (GetParam().promises == "promises")
    GTEST_SKIP()
        << "Python's pipelines do not tell their inputs: promises are for the caller to set";
  job::ProcessOptions probe;
  probe.program = TESSERA_TEST_PYTHON;
  probe.arguments = {"-c", "import halide"};
  const auto found = job::runProcess(probe, std::chrono::seconds(60));
  if (!found || !(found->end == job::ProcessEnd{false, 0}))
    GTEST_SKIP() << TESSERA_TEST_PYTHON << " has no Halide bindings";
  std::ofstream(file("none.json")) << R"({"directives": []})";
  ASSERT_TRUE(run(TESSERA_TEST_PYTHON,
                  {TESSERA_TEST_SOURCE_DIR "/tests/engine/halide/exported/apply_python.py",
                   schedule(".py"), GetParam().name, sample(), file("scheduled.hlpipe")}));
  copySidecar(file("scheduled.estimates.json"));
  ASSERT_TRUE(lower(file("scheduled.hlpipe"), file("none.json"), file("python")));
  ASSERT_TRUE(lower(sample(), schedule(".json"), file("directives")));
  expectSameCode(contentOf(file("directives")), contentOf(file("python")));
}

INSTANTIATE_TEST_SUITE_P(, Exported, ::testing::ValuesIn(exportedCases()),
                         [](const auto &one) { return one.param.name; });

} // namespace
} // namespace tessera::halide::testing
