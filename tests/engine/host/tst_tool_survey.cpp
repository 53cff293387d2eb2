// SPDX-License-Identifier: MIT
// The survey finds missing tools without running anything.
#include "engine/host/tool_survey.h"
#include "tests/engine/host/scratch_test.h"

#include <filesystem>
#include <unistd.h>

namespace tessera::host::test {

namespace {

namespace fs = std::filesystem;

class ToolSurveyTest : public ScratchTest {
protected:
  std::string program(const std::string &name) {
    const std::string path = file(name, "#!/bin/sh\n");
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
};

} // namespace

TEST_F(ToolSurveyTest, NothingIsThere) {
  const ToolSurvey survey = surveyTools({});
  EXPECT_FALSE(survey.hasHalideWorker || survey.hasLayoutWorker || survey.hasGpuWorker);
  EXPECT_FALSE(survey.hasCompiler || survey.hasSandbox || survey.hasAssembler);
  EXPECT_FALSE(survey.hasDisassembler || survey.cache.isWritable || survey.state.isWritable);
}

TEST_F(ToolSurveyTest, APathThatNamesNothingIsMissing) {
  ToolPaths tools;
  tools.halideWorker = program("halide");
  tools.ptxas = folder() + "/ptxas";      // no such file; findTools() may return such a path
  tools.compiler = file("c++", "a text"); // a text that cannot be run
  const ToolSurvey survey = surveyTools(tools);
  EXPECT_TRUE(survey.hasHalideWorker);
  EXPECT_FALSE(survey.hasAssembler);
  EXPECT_FALSE(survey.hasCompiler);
}

TEST_F(ToolSurveyTest, AFolderThatIsToComeIsAskedAsItsParent) {
  ToolPaths tools;
  tools.cacheDir = folder() + "/not/yet";
  tools.stateDir = file("a file", "x");
  const ToolSurvey survey = surveyTools(tools);
  EXPECT_TRUE(survey.cache.isWritable);
  EXPECT_EQ(survey.cache.path, tools.cacheDir);
  EXPECT_GT(survey.cache.freeBytes, 0u);
  EXPECT_LE(survey.cache.freeBytes, fs::space(folder()).capacity);
  EXPECT_FALSE(survey.state.isWritable);
}

TEST_F(ToolSurveyTest, AFolderWithoutTheRightIsNotWritable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  ToolPaths tools;
  tools.cacheDir = folder() + "/closed";
  fs::create_directory(tools.cacheDir);
  fs::permissions(tools.cacheDir, fs::perms::owner_read);
  EXPECT_FALSE(surveyTools(tools).cache.isWritable);
}

} // namespace tessera::host::test
