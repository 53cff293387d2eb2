// SPDX-License-Identifier: MIT
#include "engine/job/child_process.h"

#include "engine/job/sanitized.h"
#include "tests/engine/job/processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <thread>

namespace tessera::job {
namespace {

using namespace std::chrono_literals;
using test::in;
using test::shell;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using Event = ChildProcess::Read::Event;

ChildProcess started(const ProcessOptions &options) {
  Result<ChildProcess> child = ChildProcess::start(options);
  if (!child) throw std::runtime_error(child.error().message);
  return std::move(*child);
}

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string readAll(ChildProcess &child) {
  std::string text;
  while (true) {
    const ChildProcess::Read read = child.read(in(20s));
    if (read.event != Event::Bytes) return text;
    text.append(reinterpret_cast<const char *>(read.bytes.data()), read.bytes.size());
  }
}

// Waits for the first output of the child, so that a test knows that the child has started its
// work.
std::string firstWords(ChildProcess &child) {
  const ChildProcess::Read read = child.read(in(20s));
  return {reinterpret_cast<const char *>(read.bytes.data()), read.bytes.size()};
}

TEST(ChildProcess, CarriesAllThreeStreams) {
  ChildProcess child = started(shell("read line; echo \"got $line\"; echo oops >&2; exit 3"));
  EXPECT_EQ(child.write(bytesOf("words\n"), in(20s)), ChildProcess::Write::Done);
  EXPECT_EQ(readAll(child), "got words\n");
  EXPECT_EQ(child.wait(in(20s)), (ProcessEnd{false, 3}));
  EXPECT_EQ(child.errorText(), "oops\n");
}

TEST(ChildProcess, FindsProgramsInPathAndPassesEnvironmentAndFolder) {
  ProcessOptions options = test::program("sh", {"-c", "echo $TESSERA_TEST_WORD; pwd"});
  options.environment = {{"TESSERA_TEST_WORD", "tile"}};
  options.workingDirectory = "/proc";
  ChildProcess child = started(options);
  EXPECT_EQ(readAll(child), "tile\n/proc\n");
}

TEST(ChildProcess, ReplacesAVariableInsteadOfAddingASecond) {
  ProcessOptions options = test::program("env");
  options.environment = {{"PATH", "/replaced"}};
  ChildProcess child = started(options);
  const std::string variables = "\n" + readAll(child);
  EXPECT_THAT(variables, HasSubstr("\nPATH=/replaced\n"));
  EXPECT_EQ(variables.find("\nPATH="), variables.rfind("\nPATH="));
}

TEST(ChildProcess, SaysWhyAProgramCannotStart) {
  const auto why = [](const ProcessOptions &options) {
    const Result<ChildProcess> child = ChildProcess::start(options);
    EXPECT_FALSE(child);
    EXPECT_EQ(child.error().code, ErrorCode::System);
    return child.error().message;
  };
  EXPECT_EQ(
      why(test::program("no-such-program-anywhere")),
      "cannot start no-such-program-anywhere: searching for it in PATH: No such file or directory");
  EXPECT_EQ(why(test::program("/no/such/program")),
            "cannot start /no/such/program: running it: No such file or directory");
  EXPECT_EQ(why(test::program("/etc/passwd")),
            "cannot start /etc/passwd: running it: Permission denied");
  ProcessOptions nowhere = shell("true");
  nowhere.workingDirectory = "/no/such/folder";
  EXPECT_EQ(why(nowhere),
            "cannot start /bin/sh: entering folder /no/such/folder: No such file or directory");
  EXPECT_TRUE(test::haveNoChildren());
}

TEST(ChildProcess, ReadsUntilDeadlineOrStop) {
  ChildProcess child = started(shell("exec sleep 1000"));
  EXPECT_EQ(child.read(in(1ms)).event, Event::Deadline);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(child.read(in(20s), stop.get_token()).event, Event::Stopped);
  EXPECT_EQ(child.wait(in(1ms)), std::nullopt);
}

TEST(ChildProcess, AStopEndsAReadThatWaits) {
  ChildProcess child = started(shell("exec sleep 1000"));
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_EQ(child.read(in(20s), stop.get_token()).event, Event::Stopped);
}

TEST(ChildProcess, WriteToOneThatDoesNotReadEndsAtTheDeadlineOrStop) {
  ChildProcess child = started(shell("exec sleep 1000"));
  const std::vector<std::byte> much(1 << 20);
  EXPECT_EQ(child.write(much, in(5ms)), ChildProcess::Write::Deadline);
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_EQ(child.write(much, in(20s), stop.get_token()), ChildProcess::Write::Stopped);
}

TEST(ChildProcess, WriteToOneThatClosedItsInputRaisesNoSignal) {
  ChildProcess child = started(shell("exec 0<&-; echo closed; exec sleep 1000"));
  ASSERT_EQ(firstWords(child), "closed\n");
  EXPECT_EQ(child.write(bytesOf("words"), in(20s)), ChildProcess::Write::Closed);
  EXPECT_EQ(child.write(bytesOf("words"), in(20s)), ChildProcess::Write::Closed);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(ChildProcess, NeitherSideWaitsForTheOther) {
  // More than both pipes hold, so that cat writes while this side still writes.
  const std::string much(8 << 20, 'm');
  ChildProcess child = started(test::program("cat"));
  EXPECT_EQ(child.write(bytesOf(much), in(20s)), ChildProcess::Write::Done);
  child.closeInput();
  EXPECT_EQ(readAll(child), much);
}

TEST(ChildProcess, LosesNothingOfOneThatSaysMoreThanWeKeep) {
  // The child writes 20 MB before it reads anything. During a write, ChildProcess buffers 16 MiB of
  // that output and leaves the rest in the pipe. So the write cannot end before the test reads.
  constexpr std::size_t kSaid = 20'000'000;
  ChildProcess child = started(shell("head -c 20000000 /dev/zero; cat > /dev/null"));
  const std::string much(1 << 20, 'm');
  EXPECT_EQ(child.write(bytesOf(much), in(300ms)), ChildProcess::Write::Deadline);
  child.closeInput();
  EXPECT_EQ(readAll(child).size(), kSaid);
}

TEST(ChildProcess, AChattyChildIsNotHeldUpAndItsLastWordsAreKept) {
  ChildProcess child = started(shell("yes x | head -c 4000000 >&2; echo end >&2; echo done"));
  EXPECT_EQ(readAll(child), "done\n");
  EXPECT_EQ(child.wait(in(20s)), (ProcessEnd{false, 0}));
  EXPECT_EQ(child.errorText().size(), std::size_t{64} << 10);
  EXPECT_THAT(child.errorText(), EndsWith("x\nend\n"));
}

TEST(ChildProcess, AnEndlessFloodHidesNeitherDeadlineNorStop) {
  ChildProcess child = started(shell("yes >&2 & exec yes"));
  const auto deadline = in(100ms);
  ChildProcess::Read read;
  while ((read = child.read(deadline)).event == Event::Bytes) {
  }
  EXPECT_EQ(read.event, Event::Deadline);
  EXPECT_EQ(child.terminate(1s), (ProcessEnd{true, SIGTERM}));
}

TEST(ChildProcess, TheStreamEndsWithTheChildThoughAGrandchildHoldsIt) {
  ChildProcess child = started(shell("sleep 1000 & echo $!"));
  const std::string grandchild = readAll(child);
  const test::ProcessWatch watch(std::stoi(grandchild));
  EXPECT_EQ(child.wait(in(20s)), (ProcessEnd{false, 0}));
  EXPECT_FALSE(watch.endsWithin(0ms));
  { const ChildProcess last = std::move(child); }
  EXPECT_TRUE(watch.endsWithin(2s)) << "the destructor kills the whole group";
  EXPECT_TRUE(test::haveNoChildren());
}

TEST(ChildProcess, TerminateAsksFirst) {
  ChildProcess child =
      started(shell("trap 'echo bye >&2; exit 7' TERM; echo up; while :; do sleep 0.01; done"));
  ASSERT_EQ(firstWords(child), "up\n");
  EXPECT_EQ(child.terminate(10s), (ProcessEnd{false, 7}));
  EXPECT_THAT(child.errorText(), EndsWith("bye\n"));
}

TEST(ChildProcess, TerminateKillsWhoDoesNotListen) {
  ChildProcess child = started(shell("trap '' TERM; echo up; while :; do sleep 0.01; done"));
  ASSERT_EQ(firstWords(child), "up\n");
  EXPECT_EQ(child.terminate(20ms), (ProcessEnd{true, SIGKILL}));
}

TEST(ChildProcess, TerminateWakesAStoppedChild) {
  ChildProcess child = started(shell("echo up; kill -STOP $$; exit 5"));
  ASSERT_EQ(firstWords(child), "up\n");
  EXPECT_EQ(child.terminate(10s), (ProcessEnd{true, SIGTERM}));
}

TEST(ChildProcess, TerminateAfterTheEndTellsTheEnd) {
  ChildProcess child = started(shell("exit 9"));
  EXPECT_EQ(child.wait(in(20s)), (ProcessEnd{false, 9}));
  EXPECT_EQ(child.terminate(1s), (ProcessEnd{false, 9}));
  EXPECT_EQ(child.terminate(1s), (ProcessEnd{false, 9}));
}

TEST(ChildProcess, StartsWithDefaultSignals) {
  // Without a reset, the child would inherit ignored signals and the signal mask through exec.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked, was;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &was);
  ChildProcess child = started(test::program("grep", {"-E", "^Sig(Blk|Ign)", "/proc/self/status"}));
  pthread_sigmask(SIG_SETMASK, &was, nullptr);
  std::signal(SIGPIPE, before);
  EXPECT_EQ(readAll(child), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(ChildProcess, InheritsNoDescriptor) {
  // A descriptor without O_CLOEXEC, as a library might open one.
  const file::UniqueFd careless(::open("/dev/null", O_RDONLY));
  ChildProcess other = started(shell("exec sleep 1000"));
  ChildProcess child = started(shell("ls /proc/$$/fd"));
  EXPECT_EQ(readAll(child), "0\n1\n2\n");
}

TEST(ChildProcess, LimitsProcessorTimeAndCores) {
  ProcessOptions options = shell("ulimit -t; ulimit -c");
  options.limits.cpu = 7s;
  ChildProcess child = started(options);
  EXPECT_EQ(readAll(child), "7\n0\n");
}

TEST(ChildProcess, LimitsAddressSpace) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  ProcessOptions options = shell("ulimit -v");
  options.limits.addressSpaceBytes = std::size_t{1} << 30;
  ChildProcess child = started(options);
  EXPECT_EQ(readAll(child), "1048576\n");
}

TEST(ChildProcess, RenewsTheProcessorTime) {
  ProcessOptions options = shell("read line; ulimit -t");
  options.limits.cpu = 7s;
  ChildProcess child = started(options);
  child.renewCpuLimit(100s);
  EXPECT_EQ(child.write(bytesOf("\n"), in(20s)), ChildProcess::Write::Done);
  // The limit is 100 s more than the time used so far, which is less than 1 s and rounded up.
  EXPECT_EQ(readAll(child), "101\n");
}

TEST(ChildProcess, LeavesNeitherDescriptorsNorZombies) {
  started(shell("true")).wait(in(20s)); // the first start may open descriptors that stay open
  const int before = test::openDescriptors();
  for (int i = 0; i < 20; ++i) {
    ChildProcess child = started(shell(i % 2 ? "exec sleep 1000" : "exit 1"));
    if (i % 3 == 0) child = started(shell("exec sleep 1000"));
  }
  EXPECT_EQ(test::openDescriptors(), before);
  EXPECT_TRUE(test::haveNoChildren());
}

TEST(ChildProcess, ManyThreadsMayStartChildrenAtOnce) {
  // If a sibling inherited a pipe, cat would not see its input close and would never end.
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 10; ++i) {
        ChildProcess child = started(test::program("cat"));
        EXPECT_EQ(child.write(bytesOf("words"), in(20s)), ChildProcess::Write::Done);
        child.closeInput();
        EXPECT_EQ(readAll(child), "words");
        EXPECT_EQ(child.wait(in(20s)), (ProcessEnd{false, 0}));
      }
    });
}

} // namespace
} // namespace tessera::job
