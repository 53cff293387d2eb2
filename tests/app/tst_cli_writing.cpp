// SPDX-License-Identifier: MIT
// Tests what tessera-cli does to what stands where it writes, and how it ends on a full disk.
#include "tests/app/cli_test.h"

#include "tests/engine/schedule/sketch.h"

#include "engine/schedule/words/directive_json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tessera::app::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class CliWritingTest : public CliTest {
protected:
  const std::string kBlur = kSamples + "blur.hlpipe";

  std::string in(const std::string &name) const { return home() + "/" + name; }
  std::string link(const std::string &name, const std::string &target) const {
    fs::create_symlink(target, in(name));
    return in(name);
  }
  std::vector<std::string> exporting(const std::string &output) const {
    return {"export", kBlur, "--schedule", "default", "--format", "json", "-o", output};
  }
  std::vector<std::string> verifying(const std::string &folder) const {
    return {"verify",    kBlur,        "--schedule",         plainSchedule(), "--target",
            "host",      "--estimate", "output=0:512,0:512", "--estimate",    "input=0:514,0:514",
            "--outputs", folder};
  }
  // For the host, so without loops of a GPU.
  std::string plainSchedule() const {
    const auto calls = schedule::toJson(schedule::sketch("blur_x compute_root"));
    const nlohmann::json document{
        {"tessera_schedule", 1}, {"register_cap", 64}, {"directives", nlohmann::json(calls)}};
    EXPECT_TRUE(host::writeFile(in("plain.json"), document.dump()));
    return in("plain.json");
  }
};

// --- what stands there

// As root, this once left a file of mode 600 in place of the machine's null device.
TEST_F(CliWritingTest, ADeviceStaysADevice) {
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat("/dev/null", &before), 0);
  EXPECT_EQ(run(exporting("/dev/null")).code, 0);
  ASSERT_EQ(::stat("/dev/null", &after), 0);
  EXPECT_TRUE(S_ISCHR(after.st_mode));
  EXPECT_EQ(before.st_mode, after.st_mode);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(CliWritingTest, StandardOutputIsWrittenToByName) {
  const std::string text = run(exporting("-")).output;
  EXPECT_EQ(run(exporting("/dev/stdout")).output, text);
  const Ran appended =
      runIn("cd; echo before >log; \"$@\" >>log; cat log", exporting("/dev/stdout"));
  EXPECT_EQ(appended.output, "before\n" + text);
}

TEST_F(CliWritingTest, ALinkIsFollowed) {
  ASSERT_TRUE(host::writeFile(in("far/real.json"), "old"));
  fs::permissions(in("far/real.json"), fs::perms(0640));
  link("second.json", "far/real.json");
  ASSERT_EQ(run(exporting(link("first.json", "second.json"))).code, 0);
  EXPECT_THAT(*host::readFile(in("far/real.json")), HasSubstr("directives"));
  EXPECT_EQ(fs::status(in("far/real.json")).permissions(), fs::perms(0640));
  EXPECT_TRUE(fs::is_symlink(in("first.json")) && fs::is_symlink(in("second.json")));
}

TEST_F(CliWritingTest, APipeGetsTheText) {
  const std::string pipe = in("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Ran ran = runIn("cat " + pipe + " & \"$@\"; wait", exporting(pipe));
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_EQ(ran.output, run(exporting("-")).output);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(CliWritingTest, AFolderIsRefused) {
  fs::create_directories(in("folder"));
  const Ran ran = run(exporting(in("folder")));
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.errors, HasSubstr("it is a folder"));
  EXPECT_TRUE(fs::is_empty(in("folder")));
}

TEST_F(CliWritingTest, ABundleGoesThroughLinks) {
  const auto compile = [&](const std::string &output) {
    return run({"compile", kBlur, "--schedule", "default", "-o", output});
  };
  link("dangling", "real");
  ASSERT_EQ(compile(in("dangling")).code, 0);
  EXPECT_TRUE(fs::exists(in("real/bundle.json")));
  EXPECT_TRUE(fs::is_symlink(in("dangling")));
  fs::permissions(in("real"), fs::perms(0750));
  fs::remove(in("real/bundle.json"));
  ASSERT_TRUE(host::writeFile(in("real/bundle.json"), "{}"));
  ASSERT_EQ(compile(in("dangling")).code, 0) << "an older bundle is replaced";
  EXPECT_GT(fs::file_size(in("real/bundle.json")), 100U);
  EXPECT_EQ(fs::status(in("real")).permissions(), fs::perms(0750));
  EXPECT_TRUE(fs::is_symlink(in("dangling")));
  ASSERT_TRUE(host::writeFile(in("file"), "precious"));
  for (const std::string &output : {in("file"), std::string("/dev/null")}) {
    const Ran refused = compile(output);
    EXPECT_EQ(refused.code, 3) << output;
    EXPECT_THAT(refused.errors, AllOf(HasSubstr(output), HasSubstr("not a folder")));
  }
  EXPECT_EQ(*host::readFile(in("file")), "precious");
}

// --- a full disk

TEST_F(CliWritingTest, AFullDiskIsExitCode4Everywhere) {
  const std::string full = link("full.svg", "/dev/full");
  fs::create_directories(in("outputs"));
  link("outputs/output.npy", "/dev/full");
  const std::vector<std::vector<std::string>> commands{
      exporting("/dev/full"),
      {"inspect", kBlur, "--dot", full},
      {"explain", kBlur, "--schedule", "default", "--roofline", full},
      verifying(in("outputs"))};
  for (const std::vector<std::string> &command : commands) {
    const Ran ran = run(command);
    EXPECT_EQ(ran.code, 4) << command.front() << ": " << ran.errors;
    EXPECT_THAT(ran.errors, HasSubstr("No space left on device")) << command.front();
  }
  for (const std::vector<std::string> &command :
       {std::vector<std::string>{"machine", "list"}, {"--help"}, {"completion"}, {"log", "--path"}})
    EXPECT_EQ(runIn("\"$@\" >/dev/full", command).code, 4) << command.front();
}

// What makes files of its own names is stopped by a limit on their size, which is an error of the
// system as a full disk is.
TEST_F(CliWritingTest, BundlesAndPeersOnAFullDiskAreExitCode4) {
  const std::vector<std::vector<std::string>> commands{
      {"compile", kBlur, "--schedule", "default", "-o", in("bundle")},
      {"peers", kBlur, "--only", "li2018", "-o", in("peers")}};
  for (const std::vector<std::string> &command : commands) {
    const Ran ran = runIn("ulimit -f 1; \"$@\"", command);
    EXPECT_EQ(ran.code, 4) << command.front() << ": " << ran.output << ran.errors;
    EXPECT_THAT(ran.errors, HasSubstr("File too large")) << command.front();
  }
  EXPECT_FALSE(fs::exists(in("bundle")));
}

// --- an end in the middle

class CliEndTest : public CliWritingTest {
protected:
  // Starts a command that waits in the middle of its work, since nobody takes what it writes to a
  // pipe, and returns once it waits.
  job::ChildProcess waiting(file::UniqueFd &reader) {
    fs::create_directories(in("outputs"));
    const std::string pipe = in("outputs/output.npy");
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    auto child = job::ChildProcess::start({.program = kProgram,
                                           .arguments = verifying(in("outputs")),
                                           .environment = environment({})});
    EXPECT_TRUE(child);
    reader.reset(::open(pipe.c_str(), O_RDONLY | O_CLOEXEC)); // returns when the writer has opened
    return std::move(*child);
  }

  std::size_t scratchFolders() const {
    std::size_t found = 0;
    for (const auto &entry : fs::directory_iterator(in(".cache/tessera")))
      found += entry.path().filename().string().starts_with("scratch");
    return found;
  }
};

TEST_F(CliEndTest, ASignalThatCanBeAnsweredLeavesNothing) {
  for (const int signal : {SIGHUP, SIGTERM, SIGINT}) {
    file::UniqueFd reader;
    job::ChildProcess child = waiting(reader);
    EXPECT_EQ(scratchFolders(), 1U);
    ASSERT_EQ(::kill(child.pid(), signal), 0);
    const auto end = child.wait(job::deadlineAfter(std::chrono::seconds(30)));
    ASSERT_TRUE(end);
    EXPECT_EQ(*end, (job::ProcessEnd{false, 130})) << signal;
    EXPECT_EQ(scratchFolders(), 0U) << signal;
    fs::remove(in("outputs/output.npy"));
  }
}

TEST_F(CliEndTest, WhatAKilledRunLeavesTheNextStartSweeps) {
  file::UniqueFd living, reader;
  const job::ChildProcess stays = waiting(living);
  fs::remove(in("outputs/output.npy"));
  job::ChildProcess child = waiting(reader);
  EXPECT_EQ(scratchFolders(), 2U);
  ASSERT_EQ(::kill(child.pid(), SIGKILL), 0);
  ASSERT_TRUE(child.wait(job::deadlineAfter(std::chrono::seconds(30))));
  EXPECT_EQ(scratchFolders(), 2U);
  EXPECT_EQ(run({"machine", "list"}).code, 0);
  EXPECT_EQ(scratchFolders(), 1U) << "that of the command that still runs";
}

// Where nohup or a shell has it ignore a signal, it goes on.
TEST_F(CliEndTest, AnIgnoredHangUpIsIgnored) {
  const Ran ran = runIn("trap '' HUP; \"$@\" & kill -HUP $!; wait $!", exporting("-"));
  EXPECT_EQ(ran.code, 0) << ran.errors;
}

} // namespace
} // namespace tessera::app::test
