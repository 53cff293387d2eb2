// SPDX-License-Identifier: MIT
#include "engine/job/child_process.h"

#include "engine/job/process_event.h"
#include "tests/engine/job/processes.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <thread>

namespace tessera::job {
namespace {

using namespace std::chrono_literals;
using test::shell;

TEST(RunProcess, ReturnsWhatItWroteAndHowItEnded) {
  const auto report = runProcess(shell("echo out; echo err >&2; exit 4"), 20s);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->output, "out\n");
  EXPECT_EQ(report->errors, "err\n");
  EXPECT_EQ(report->end, (ProcessEnd{false, 4}));
  EXPECT_FALSE(report->timedOut || report->cancelled);
}

TEST(RunProcess, TheListenerHearsTheStartAndTheEnd) {
  std::vector<ProcessEvent> heard;
  ProcessOptions options = shell("echo err >&2; exit 4");
  options.listener = [&](const ProcessEvent &event) { heard.push_back(event); };
  ASSERT_TRUE(runProcess(options, 20s));
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].kind, ProcessEvent::Kind::Started);
  EXPECT_EQ(heard[1].kind, ProcessEvent::Kind::Left);
  EXPECT_EQ(heard[1].pid, heard[0].pid);
  EXPECT_EQ(heard[1].end, (ProcessEnd{false, 4}));
  EXPECT_EQ(heard[1].errorText, "err\n");
  EXPECT_FALSE(heard[1].isKilled);
}

TEST(RunProcess, GivesNoInput) {
  EXPECT_EQ(runProcess(test::program("cat"), 20s)->end, (ProcessEnd{false, 0}));
}

TEST(RunProcess, TellsASignalFromACode) {
  EXPECT_EQ(runProcess(shell("kill -SEGV $$"), 20s)->end, (ProcessEnd{true, SIGSEGV}));
}

TEST(RunProcess, EndsOneThatTakesTooLong) {
  const auto report = runProcess(shell("echo began; exec sleep 1000"), 50ms);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->timedOut);
  EXPECT_FALSE(report->cancelled);
  EXPECT_EQ(report->output, "began\n");
  EXPECT_EQ(report->end, (ProcessEnd{true, SIGTERM}));
}

TEST(RunProcess, EndsOneThatClosedItsOutputAndWentOn) {
  const auto report = runProcess(shell("exec >&- 2>&-; exec sleep 1000"), 50ms);
  EXPECT_TRUE(report->timedOut);
}

TEST(RunProcess, DoesNotWaitForWhoeverItLeftBehind) {
  const auto report = runProcess(shell("sleep 1000 & echo done"), 20s);
  EXPECT_EQ(report->output, "done\n");
  EXPECT_EQ(report->end, (ProcessEnd{false, 0}));
}

TEST(RunProcess, IsCancelled) {
  for (const char *script : {"exec sleep 1000", "exec >&- 2>&-; exec sleep 1000"}) {
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    const auto report = runProcess(shell(script), 20s, stop.get_token());
    EXPECT_TRUE(report->cancelled);
    EXPECT_FALSE(report->timedOut);
  }
}

TEST(RunProcess, CapsTheOutputAndStillEnds) {
  const auto report = runProcess(shell("head -c 20000000 /dev/zero; exit 2"), 20s);
  EXPECT_EQ(report->output.size(), std::size_t{16} << 20);
  EXPECT_EQ(report->end, (ProcessEnd{false, 2}));
}

TEST(RunProcess, TheChildDiesWithTheProcessThatRunsIt) {
  std::string folder = ::testing::TempDir() + "tessera_run_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string fifo = folder + "/pid";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  auto parent = ChildProcess::start(test::misbehavingWorker({"--run-for-ever", fifo}));
  ASSERT_TRUE(parent);
  pid_t pid = 0;
  std::ifstream(fifo) >> pid; // blocks until the child has written its pid
  ASSERT_GT(pid, 0);
  const test::ProcessWatch watch(pid);
  EXPECT_FALSE(watch.endsWithin(0ms));
  parent->kill(); // does not reach the child, which has a group of its own
  EXPECT_TRUE(watch.endsWithin(2s));
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace tessera::job
