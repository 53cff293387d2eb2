// SPDX-License-Identifier: MIT
// Exported schedules give the code that the worker makes of the same directives: the C++ header in
// a generator's process, the Python function through Halide's bindings.
#include "engine/job/child_process.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide {
namespace {

constexpr std::chrono::seconds kPatience{300}; // for deep pipelines

struct ExportedCase {
  std::string name, sample;
  friend void PrintTo(const ExportedCase &one, std::ostream *out) { *out << one.name; }
};

std::vector<ExportedCase> exportedCases() {
  std::vector<ExportedCase> cases;
  std::ifstream file(TESSERA_TEST_SCHEDULES "/cases.txt");
  for (ExportedCase one; file >> one.name >> one.sample;)
    cases.push_back(one);
  return cases;
}

bool isNumber(const std::string &word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

// Made-up names without what differs from process to process. Letters with a number ("t32") are
// numbered anew, in the order in which they appear. What follows "$", or "__" in PTX, goes: Halide
// counts by a hash of the name, so that a name can have such a number in one process and none in
// another. So goes the size of the kernels' text, which depends on the lengths of names.
std::string withoutNumbers(const std::string &text) {
  std::map<std::string, std::string> names;
  std::string out;
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (isWord(text[i]) && end < text.size() && isWord(text[end]))
      ++end;
    const std::string word = text.substr(i, end - i);
    i = end;
    const bool counted = word.size() > 1 && std::string("tvb").find(word[0]) != std::string::npos &&
                         isNumber(word.substr(1));
    if (counted) {
      const std::string number = std::to_string(names.size());
      out += names.try_emplace(word, word[0] + ("#" + number)).first->second;
    } else if (isNumber(word) && out.ends_with('$')) {
      out.pop_back();
    } else if (isNumber(word) && out.ends_with("__")) {
      out.resize(out.size() - 2);
    } else if (!isNumber(word) || !out.ends_with("cuda_gpu_source_kernels.buffer), ")) {
      out += word;
    }
  }
  return out;
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Exported : public ::testing::TestWithParam<ExportedCase> {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
  }

  std::string file(const std::string &name) const { return m_folder + "/" + name; }

  static bool run(const std::string &program, std::vector<std::string> arguments) {
    job::ProcessOptions options;
    options.program = program;
    options.arguments = std::move(arguments);
    const auto report = job::runProcess(options, kPatience);
    if (!report) {
      ADD_FAILURE() << report.error().message;
      return false;
    }
    const bool fine = report->end == job::ProcessEnd{false, 0};
    if (!fine) ADD_FAILURE() << program << ": " << report->errors;
    return fine;
  }
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

  void expectSame(const std::string &ours, const std::string &theirs) {
    const std::string one = withoutNumbers(contentOf(ours)),
                      other = withoutNumbers(contentOf(theirs));
    ASSERT_FALSE(one.empty());
    if (one == other) return;
    const auto differs = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    const auto from = one.begin() + std::max<std::ptrdiff_t>(0, differs.first - one.begin() - 200);
    ADD_FAILURE() << "the lowered code differs behind:\n" << std::string(from, differs.first);
  }

private:
  std::string m_folder;
};

TEST_P(Exported, CppGivesTheSameCodeInAGenerator) {
  ASSERT_TRUE(run(TESSERA_TEST_LOWER_EXPORTED, {GetParam().name, file("exported")}));
  ASSERT_TRUE(lower(sample(), schedule(".json"), file("directives")));
  expectSame(file("directives"), file("exported"));
}

TEST_P(Exported, PythonGivesTheSameCode) {
  job::ProcessOptions probe;
  probe.program = TESSERA_TEST_PYTHON;
  probe.arguments = {"-c", "import halide"};
  const auto found = job::runProcess(probe, std::chrono::seconds(60));
  if (!found || !(found->end == job::ProcessEnd{false, 0}))
    GTEST_SKIP() << TESSERA_TEST_PYTHON << " has no Halide bindings";
  std::ofstream(file("none.json")) << "[]";
  ASSERT_TRUE(run(TESSERA_TEST_PYTHON,
                  {TESSERA_TEST_SOURCE_DIR "/tests/engine/halide/exported/apply_python.py",
                   schedule(".py"), GetParam().name, sample(), file("scheduled.hlpipe")}));
  copySidecar(file("scheduled.estimates.json"));
  ASSERT_TRUE(lower(file("scheduled.hlpipe"), file("none.json"), file("python")));
  ASSERT_TRUE(lower(sample(), schedule(".json"), file("directives")));
  expectSame(file("directives"), file("python"));
}

INSTANTIATE_TEST_SUITE_P(, Exported, ::testing::ValuesIn(exportedCases()),
                         [](const auto &one) { return one.param.name; });

} // namespace
} // namespace tessera::halide
