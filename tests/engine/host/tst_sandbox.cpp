// SPDX-License-Identifier: MIT
#include "engine/host/sandbox.h"

#include "engine/host/files.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::host {
namespace {

class SandboxTest : public host::test::ScratchTest {
protected:
  job::ProcessReport shell(const std::string &script) {
    const auto inside = sandboxed({.program = "/bin/sh", .arguments = {"-c", script}},
                                  "/usr/bin/bwrap", {folder(), {}});
    EXPECT_TRUE(inside);
    const auto report = job::runProcess(*inside, std::chrono::seconds(20));
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report ? *report : job::ProcessReport{};
  }
};

TEST_F(SandboxTest, WritesOnlyInItsFolder) {
  const std::string outside = folder() + "-outside";
  EXPECT_EQ(shell("echo yes > inside.txt").end.value, 0);
  EXPECT_EQ(*readFile(folder() + "/inside.txt"), "yes\n");
  shell("echo no > " + outside); // goes to a private /tmp, which nobody else sees
  EXPECT_NE(shell("echo no > /etc/tessera-was-here").end.value, 0);
  EXPECT_FALSE(std::filesystem::exists(outside));
}

// As where the cache lies on another disk.
TEST_F(SandboxTest, WritesInAFolderBehindALink) {
  for (const std::string &parent : {folder(), std::filesystem::current_path().string()}) {
    const auto scratch = ScratchFolder::create(parent);
    ASSERT_TRUE(scratch);
    std::filesystem::create_directories(scratch->path() + "/there/inner");
    std::filesystem::create_directory_symlink(scratch->path() + "/there",
                                              scratch->path() + "/link");
    const std::string inner = scratch->path() + "/link/inner";
    const auto inside =
        sandboxed({.program = "/bin/sh", .arguments = {"-c", "echo yes > \"$0\"/made", inner}},
                  "/usr/bin/bwrap", {inner, {}});
    ASSERT_TRUE(inside);
    const auto report = job::runProcess(*inside, std::chrono::seconds(20));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->end.value, 0) << report->errors;
    EXPECT_EQ(*readFile(scratch->path() + "/there/inner/made"), "yes\n");
  }
}

TEST_F(SandboxTest, HasAnEmptyTmpOfItsOwn) {
  const job::ProcessReport report = shell("ls -A /tmp && touch /tmp/made-inside && echo written");
  EXPECT_THAT(report.output, testing::HasSubstr("written")) << report.errors;
  EXPECT_FALSE(std::filesystem::exists("/tmp/made-inside"));
}

TEST_F(SandboxTest, HasNoNetworkButLoopback) {
  EXPECT_EQ(shell("test \"$(tail -n +3 /proc/net/dev | grep -cv ' *lo:')\" -eq 0").end.value, 0);
}

TEST_F(SandboxTest, SeesNoOtherProcess) {
  const job::ProcessReport report = shell("ls -d /proc/[0-9]* | wc -l");
  EXPECT_LT(std::stoi(report.output), 8);
}

TEST_F(SandboxTest, IsAnErrorWithoutBubblewrap) {
  const auto inside = sandboxed({.program = "/bin/true"}, "", {folder(), {}});
  ASSERT_FALSE(inside);
  EXPECT_THAT(inside.error().hint, testing::HasSubstr("bubblewrap"));
}

} // namespace
} // namespace tessera::host
