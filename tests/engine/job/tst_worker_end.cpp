// SPDX-License-Identifier: MIT
#include "engine/job/worker_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace tessera::job {
namespace {

using ::testing::HasSubstr;

WorkerEnd bySignal(int signal, std::string errorText = {}) {
  return {"tessera-x", "import", "bounds", {true, signal}, std::move(errorText), false};
}

TEST(WorkerEnd, NamesSignalRequestPhaseAndLastWords) {
  const Reply reply = describe(bySignal(SIGSEGV, "first\nreading f\nreading g\n"));
  EXPECT_EQ(reply.outcome, Outcome::Crashed);
  EXPECT_EQ(reply.error.code, ErrorCode::WorkerFailed);
  EXPECT_EQ(reply.error.message,
            "tessera-x crashed with signal SIGSEGV (Segmentation fault) during 'import', phase "
            "'bounds'. It last wrote:\nfirst\nreading f\nreading g");
}

TEST(WorkerEnd, AnExitIsACrashToo) {
  const Reply reply = describe({"tessera-x", "import", "", {false, 3}, "", false});
  EXPECT_EQ(reply.outcome, Outcome::Crashed);
  EXPECT_EQ(reply.error.message,
            "tessera-x ended with exit code 3 before it answered during 'import'.");
}

WorkerEnd throughSsh(ProcessEnd how, std::string errorText = {}) {
  return {"tessera-x", "measure", "warm-up", how, std::move(errorText), true, "gpu"};
}

TEST(WorkerEnd, AnSshThatEndsIsAConnectionThatWasLost) {
  const Reply reply = describe(throughSsh({false, 255}, "Timeout, server gpu not responding.\n"));
  EXPECT_EQ(reply.outcome, Outcome::ConnectionLost);
  EXPECT_EQ(reply.error.message,
            "The connection to gpu was lost during 'measure', phase 'warm-up'. It last wrote:\n"
            "Timeout, server gpu not responding.");
  EXPECT_EQ(describe(throughSsh({true, SIGKILL})).outcome, Outcome::ConnectionLost);
}

TEST(WorkerEnd, AnotherMachinesShellNamesTheSignal) {
  const Reply crash = describe(throughSsh({false, 128 + SIGSEGV}));
  EXPECT_EQ(crash.outcome, Outcome::Crashed);
  EXPECT_EQ(crash.error.message, "tessera-x on gpu crashed with signal SIGSEGV (Segmentation "
                                 "fault) during 'measure', phase 'warm-up'.");
  EXPECT_EQ(describe(throughSsh({false, 128 + SIGKILL})).outcome, Outcome::Crashed)
      << "the memory that ran out is this machine's";
  const Reply exit = describe(throughSsh({false, 127}, "sh: 1: tessera-x: not found"));
  EXPECT_EQ(exit.outcome, Outcome::Crashed);
  EXPECT_THAT(exit.error.message, HasSubstr("tessera-x on gpu ended with exit code 127"));
  EXPECT_THAT(exit.error.message, HasSubstr("not found"));
}

TEST(WorkerEnd, ProcessorTimeIsATimeout) {
  EXPECT_EQ(describe(bySignal(SIGXCPU)).outcome, Outcome::CompileTimeout);
}

TEST(WorkerEnd, MemoryIsRecognised) {
  EXPECT_EQ(describe(bySignal(SIGABRT, "terminate called after throwing an instance of "
                                       "'std::bad_alloc'\n  what():  std::bad_alloc\n"))
                .outcome,
            Outcome::HostMemory);
  EXPECT_EQ(describe(bySignal(SIGABRT, "LLVM ERROR: out of memory\n")).outcome,
            Outcome::HostMemory);
  EXPECT_EQ(describe(bySignal(SIGABRT, "assertion failed\n")).outcome, Outcome::Crashed);
  EXPECT_EQ(describe(bySignal(SIGSEGV, "out of memory\n")).outcome, Outcome::Crashed);
}

TEST(WorkerEnd, AKillIsMemoryOnlyIfTheKernelWasShort) {
  WorkerEnd end = bySignal(SIGKILL);
  EXPECT_EQ(describe(end).outcome, Outcome::Crashed);
  end.kernelWasOutOfMemory = true;
  EXPECT_EQ(describe(end).outcome, Outcome::HostMemory);
}

TEST(WorkerEnd, UnknownSignalsHaveANumber) {
  EXPECT_THAT(describe(bySignal(63)).error.message, HasSubstr("signal 63"));
}

TEST(LastLines, AreTheLast) {
  EXPECT_EQ(lastLines("", 3), "");
  EXPECT_EQ(lastLines("\n \n", 3), "");
  EXPECT_EQ(lastLines("a", 3), "a");
  EXPECT_EQ(lastLines("a\nb\nc\nd\n\n", 2), "c\nd");
  EXPECT_EQ(lastLines("a\nb", 2), "a\nb");
  EXPECT_EQ(lastLines("\n\nb\n", 5), "b");
}

TEST(LastLines, AreNotEndless) {
  EXPECT_EQ(lastLines("begin" + std::string(10'000, 'x') + "end", 1).size(), 2000u);
}

} // namespace
} // namespace tessera::job
