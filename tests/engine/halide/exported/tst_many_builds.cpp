// SPDX-License-Identifier: MIT
// One process that builds a generator several times, for several targets and outputs, applies an
// exported header in each of them, although Halide numbers funcs and loops anew each time.
#include "tests/engine/halide/exported/lowered_code.h"

#include "tests/support/build_paths.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tessera::halide::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char *kTarget = "x86-64-linux-cuda-cuda_capability_86-no_runtime";

std::string exportedPath(const std::string &name) {
  return tessera::test::testPath("engine/halide/exported/many_builds/" + name);
}

std::vector<std::string> exportedNames() {
  std::vector<std::string> names;
  std::ifstream file(exportedPath("cases.txt"));
  for (std::string name, sample, language; file >> name >> sample >> language;)
    names.push_back(name);
  return names;
}

// The lines of all kernels without what follows from names: names and numbers of kernels, comments,
// numbers of registers, and their order.
std::multiset<std::string> linesOfKernels(const std::string &code) {
  const std::regex names(R"(_kernel_\w+|//.*|(__local_depot|L__BB|%[a-z]+)\d+)");
  std::multiset<std::string> lines;
  std::istringstream text(ptxIn(code));
  for (std::string line; std::getline(text, line);)
    lines.insert(std::regex_replace(line, names, "$1"));
  return lines;
}

class ManyBuilds : public ::testing::TestWithParam<std::string> {
protected:
  std::optional<std::string> build(const std::string &outputs, const std::string &targets,
                                   const std::string &another) const {
    return failureOf(tessera::test::testPath("many_builds"),
                     {"-g", "many_builds", "-f", "many_builds", "-e", outputs, "-o", file("."),
                      "target=" + targets, "wanted=" + GetParam(), "another=" + another});
  }
  std::string file(const std::string &name) const { return m_folder.file(name); }

private:
  ScratchFolder m_folder;
};

TEST_P(ManyBuilds, EachTargetGetsTheSchedule) {
  const std::string other = "x86-64-linux-sse41-cuda-cuda_capability_86-no_runtime";
  const auto failure = build("stmt,static_library", std::string(kTarget) + "," + other, "false");
  ASSERT_FALSE(failure) << *failure;
  // The kernels do not depend on the instructions of the host.
  const auto one = linesOfKernels(contentOf(file("many_builds-" + std::string(kTarget) + ".stmt")));
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(one, linesOfKernels(contentOf(file("many_builds-" + other + ".stmt"))));
}

TEST_P(ManyBuilds, EachOutputGetsTheSchedule) {
  const auto failure = build("stmt,hlpipe", kTarget, "false");
  EXPECT_FALSE(failure) << *failure;
}

TEST_P(ManyBuilds, AnotherFuncOfANameIsRefused) {
  const auto failure = build("stmt", kTarget, "true");
  ASSERT_TRUE(failure);
  EXPECT_THAT(*failure, HasSubstr("the pipeline has 3 funcs called 'blur', and the schedule is for "
                                  "2. It was made for another version of it."));
}

// The file has the funcs sum_intm and sum_intm$1, which the process does not know of, and the
// schedule makes another sum_intm.
TEST(FileInPython, GetsFuncsWithNamesOfTheirOwn) {
  const std::string python = tessera::test::sourcePath(TESSERA_TEST_PYTHON);
  for (const std::string &needed :
       {python, tessera::test::sourcePath(TESSERA_TEST_HALIDE_ROOT "/__init__.py")})
    if (!std::filesystem::exists(needed)) GTEST_SKIP() << "there is no " << needed;
  const ScratchFolder folder;
  const std::string pipeline = exportedPath("many_builds.hlpipe");
  const std::string name = "many_builds_again", scheduled = folder.file("scheduled.hlpipe");
  ASSERT_TRUE(
      run(python, {tessera::test::sourcePath("tests/engine/halide/exported/apply_python.py"),
                   exportedPath(name + ".py"), name, pipeline, scheduled}));
  std::ofstream(folder.file("none.json")) << R"({"directives": []})";
  const std::string lower = tessera::test::testPath("lower_directives");
  ASSERT_TRUE(run(lower, {scheduled, folder.file("none.json"), folder.file("python")}));
  ASSERT_TRUE(run(lower, {pipeline, exportedPath(name + ".json"), folder.file("directives")}));
  const auto expected = linesOfKernels(contentOf(folder.file("directives")));
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(linesOfKernels(contentOf(folder.file("python"))), expected);
}

INSTANTIATE_TEST_SUITE_P(, ManyBuilds, ::testing::ValuesIn(exportedNames()),
                         [](const auto &one) { return one.param; });

} // namespace
} // namespace tessera::halide::testing
