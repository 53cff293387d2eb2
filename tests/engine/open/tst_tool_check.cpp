// SPDX-License-Identifier: MIT
// Each tool that was found reports what it is. Each missing tool reports what to do.
#include "engine/open/tool_check.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::open {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ToolCheck : public host::test::ScratchTest {
protected:
  std::string script(const std::string &name, const std::string &text) const {
    const std::string path = folder() + "/" + name;
    EXPECT_TRUE(host::writeFile(path, "#!/bin/sh\n" + text));
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
};

TEST_F(ToolCheck, HalideReadsAPipeline) {
  host::ToolPaths tools = builtTools();
  if (!fs::exists(tools.samples + "/blur.hlpipe")) GTEST_SKIP() << "the samples are not built";
  const auto found = checkTool(Tool::Halide, tools);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(*found, HasSubstr("Halide 21."));
  tools.halideWorker = folder() + "/none";
  EXPECT_THAT(checkTool(Tool::Halide, tools).error().message, HasSubstr("/none' was not found"));
}

TEST_F(ToolCheck, TheCompilerCompiles) {
  host::ToolPaths tools = builtTools();
  if (!tools.compiler.empty()) {
    const auto found = checkTool(Tool::Compiler, tools);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(*found, HasSubstr("compiles and links C++17"));
  }
  tools.compiler = script("old", "test \"$1\" = --version && exit 0; echo no such standard >&2; "
                                 "exit 1\n");
  EXPECT_THAT(checkTool(Tool::Compiler, tools).error().message, HasSubstr("no such standard"));
}

TEST_F(ToolCheck, TheAssemblerSaysForWhat) {
  host::ToolPaths tools = builtTools();
  if (!tools.ptxas.empty()) {
    const auto found = checkTool(Tool::Assembler, tools);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(*found, HasSubstr("assembles for sm_86"));
  }
  tools.ptxas = script("ptxas", "case $1 in --version) echo 'tools, release 1, V1.2.3';; "
                                "-arch=sm_90) ;; *) exit 1;; esac\n");
  EXPECT_EQ(*checkTool(Tool::Assembler, tools), "ptxas 1.2.3 assembles for sm_90");
  tools.ptxas = script("broken", "test $1 = --version\n");
  EXPECT_THAT(checkTool(Tool::Assembler, tools).error().message,
              HasSubstr("cannot assemble for any"));
}

TEST_F(ToolCheck, WhatIsMissingSaysWhatToDo) {
  host::ToolPaths tools;
  tools.cacheDir = folder();
  for (const Tool tool : kTools) {
    const auto found = checkTool(tool, tools);
    ASSERT_FALSE(found) << name(tool);
    EXPECT_FALSE(found.error().message.empty()) << name(tool);
    EXPECT_FALSE(found.error().hint.empty()) << name(tool);
    EXPECT_EQ(pathOf(tool, tools), "");
  }
}

TEST_F(ToolCheck, IsStopped) {
  host::ToolPaths tools = builtTools();
  tools.ssh = script("ssh", "sleep 60\n");
  std::stop_source stop;
  stop.request_stop();
  const auto found = checkTool(Tool::Ssh, tools, stop.get_token());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace tessera::open
