// SPDX-License-Identifier: MIT
// Exported schedules give the same code as the same directives in the worker. The C++ header runs
// in a generator's process, and the Python function through Halide's bindings.
#include "tests/engine/halide/exported/lowered_code.h"

#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tessera::halide::testing {
namespace {

struct ExportedCase {
  std::string name, sample, language;
  friend void PrintTo(const ExportedCase &one, std::ostream *out) { *out << one.name; }
};

// Returns the path of a file that export_cases wrote for this program.
std::string exportedPath(const std::string &name) {
  return tessera::test::testPath("engine/halide/exported/" TESSERA_TEST_EXPORTED "/" + name);
}

// Returns the cases of a language. All are in C++, and some also in Python.
std::vector<ExportedCase> exportedCases(const std::string &language) {
  std::vector<ExportedCase> cases;
  std::ifstream file(exportedPath("cases.txt"));
  for (ExportedCase one; file >> one.name >> one.sample >> one.language;)
    if (language == "cpp" || one.language == language) cases.push_back(one);
  return cases;
}

// The loops that parallel(x, 8) and similar calls split off have no name in the text. The parser
// gives them the names in the list below. This replaces them by names of Halide's kind, a letter
// and a number.
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
    return run(tessera::test::testPath("lower_directives"), {pipeline, directives, out});
  }

  static std::string schedule(const std::string &suffix) {
    return exportedPath(GetParam().name + suffix);
  }
  static std::string sample() {
    return tessera::test::sharePath("samples/" + GetParam().sample + ".hlpipe");
  }

  // The sidecar of the sample also describes the inputs of the scheduled file, but its checksum is
  // that of the sample.
  void copySidecar(const std::string &to) {
    auto sidecar = nlohmann::json::parse(
        contentOf(tessera::test::sharePath("samples/" + GetParam().sample + ".estimates.json")));
    sidecar.erase("pipeline_sha256");
    std::ofstream(to) << sidecar;
  }

private:
  ScratchFolder m_folder;
};

TEST_P(Exported, CppGivesTheSameCodeInAGenerator) {
  const auto worker = failureOf(tessera::test::testPath("lower_directives"),
                                {sample(), schedule(".json"), file("directives")});
  const bool random = GetParam().name.find("_random") != std::string::npos;
  if (random && worker == kTimedOut) GTEST_SKIP() << "Halide needs too long for it";
  const auto generator = failureOf(tessera::test::testPath("lower_" TESSERA_TEST_EXPORTED),
                                   {GetParam().name, file("exported")});
  // Legal schedules that Halide does not compile are covered in tests/campaigns/schedules.
  if (random && worker && generator)
    GTEST_SKIP() << "no code to compare: Halide refuses it in both: " << *worker;
  ASSERT_FALSE(worker) << *worker;
  ASSERT_FALSE(generator) << *generator;
  expectSameCode(asHalideNames(contentOf(file("directives"))), contentOf(file("exported")));
}

using ExportedInPython = Exported;

TEST_P(ExportedInPython, GivesTheSameCode) {
  const std::string python = tessera::test::sourcePath(TESSERA_TEST_PYTHON);
  for (const std::string &needed :
       {python, tessera::test::sourcePath(TESSERA_TEST_HALIDE_ROOT "/__init__.py")})
    if (!std::filesystem::exists(needed)) GTEST_SKIP() << "there is no " << needed;
  std::ofstream(file("none.json")) << R"({"directives": []})";
  ASSERT_TRUE(
      run(python, {tessera::test::sourcePath("tests/engine/halide/exported/apply_python.py"),
                   schedule(".py"), GetParam().name, sample(), file("scheduled.hlpipe")}));
  // apply_python.py has checked the promises. Halide 21 writes no promises about inputs to files,
  // so the lowered code could not be the same.
  if (!nlohmann::json::parse(contentOf(schedule(".json"))).at("promises").empty()) return;
  copySidecar(file("scheduled.estimates.json"));
  ASSERT_TRUE(lower(file("scheduled.hlpipe"), file("none.json"), file("python")));
  ASSERT_TRUE(lower(sample(), schedule(".json"), file("directives")));
  expectSameCode(contentOf(file("directives")), contentOf(file("python")));
}

INSTANTIATE_TEST_SUITE_P(, Exported, ::testing::ValuesIn(exportedCases("cpp")),
                         [](const auto &one) { return one.param.name; });
INSTANTIATE_TEST_SUITE_P(, ExportedInPython, ::testing::ValuesIn(exportedCases("python")),
                         [](const auto &one) { return one.param.name; });

} // namespace
} // namespace tessera::halide::testing
