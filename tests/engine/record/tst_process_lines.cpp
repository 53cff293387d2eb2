// SPDX-License-Identifier: MIT
// The log lines of workers that work, crash, hang and are killed.
#include "engine/record/process_lines.h"

#include "engine/job/sanitized.h"
#include "engine/job/worker_client.h"
#include "tests/engine/job/processes.h"
#include "tests/engine/record/log_test.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace tessera::record {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ProcessLinesTest : public test::LogTest {
protected:
  // Returns all lines. The destructor of the client writes the last one.
  std::vector<std::string> written() {
    m_client.reset();
    m_record = {};
    return lines("tessera.log");
  }

  job::ProcessOptions worker(std::vector<std::string> arguments = {}) {
    job::ProcessOptions options = tessera::test::misbehavingWorker(std::move(arguments));
    options.listener = processLines(m_record, "tessera-halide");
    return options;
  }

  job::Reply ask(const std::string &type, nlohmann::json fields = {}, int milliseconds = 20'000,
                 std::stop_token stop = {}) {
    if (!m_client) m_client = std::make_unique<job::WorkerClient>(worker());
    return m_client->request(type, std::move(fields), std::chrono::milliseconds(milliseconds),
                             stop);
  }

  Record m_record = Record::open(place());
  std::unique_ptr<job::WorkerClient> m_client;
};

TEST_F(ProcessLinesTest, AWorkerFromItsStartToItsEnd) {
  m_client = std::make_unique<job::WorkerClient>(worker({"--version", "0.1.0 (5c2f0a91b3d4)"}));
  ASSERT_EQ(ask("echo").outcome, Outcome::Ok);
  EXPECT_THAT(written(),
              ElementsAre(HasSubstr(" info: process started program=tessera-halide pid="),
                          AllOf(HasSubstr(" info: request began program=tessera-halide pid="),
                                HasSubstr(" request=other")),
                          AllOf(HasSubstr(" info: worker greeted program=tessera-halide pid="),
                                HasSubstr(" version=\"0.1.0 (5c2f0a91b3d4)\"")),
                          AllOf(HasSubstr(" info: request ended "), HasSubstr(" outcome=ok ms="),
                                Not(HasSubstr("said"))),
                          AllOf(HasSubstr(" info: process ended "), HasSubstr(" exit_code=0"))));
}

TEST_F(ProcessLinesTest, AKilledWorkerLeavesItsLastWords) {
  const job::Reply reply = ask("signal", {{"signal", SIGKILL}});
  ASSERT_EQ(reply.outcome, Outcome::Crashed);
  ASSERT_THAT(reply.error.message, HasSubstr("about to raise 9")) << "these are its words";
  EXPECT_THAT(
      written().back(),
      AllOf(HasSubstr(" error: request ended program=tessera-halide pid="),
            HasSubstr(" outcome=\"crash with signal\" ms="),
            HasSubstr(" signal=SIGKILL signal_number=9 said=none said_lines=1 said_bytes=17")));
  EXPECT_THAT(text("tessera.log"), Not(HasSubstr("about to raise")));
}

TEST_F(ProcessLinesTest, WhatIsKnownOfLastWordsIsWritten) {
  if (job::kSanitized) GTEST_SKIP() << "sanitizers reserve too much address space";
  job::ProcessOptions options = worker();
  options.limits.addressSpaceBytes = std::size_t{1} << 30;
  m_client = std::make_unique<job::WorkerClient>(std::move(options));
  ASSERT_EQ(ask("allocate unguarded").outcome, Outcome::HostMemory);
  EXPECT_THAT(written().back(), AllOf(HasSubstr(" outcome=\"host memory\""),
                                      HasSubstr(" signal=SIGABRT"), HasSubstr(" said=bad_alloc")));
}

TEST_F(ProcessLinesTest, AnExitWithoutAnAnswer) {
  ASSERT_EQ(ask("exit", {{"code", 7}}).outcome, Outcome::Crashed);
  EXPECT_THAT(written().back(), AllOf(HasSubstr(" error: "), HasSubstr(" exit_code=7")));
}

TEST_F(ProcessLinesTest, AWorkerThatHangsIsKilled) {
  // Long enough for the worker to begin, and to say in which phase it is.
  const int milliseconds = job::kSanitized ? 3000 : 200;
  ASSERT_EQ(ask("hang", {}, milliseconds).outcome, Outcome::CompileTimeout);
  EXPECT_THAT(written().back(),
              AllOf(HasSubstr(" error: request ended "), HasSubstr(" outcome=\"compile time-out\""),
                    HasSubstr(" phase=other killed=yes signal=SIGTERM")));
}

TEST_F(ProcessLinesTest, ARequestThatIsCancelled) {
  std::stop_source stop;
  std::jthread user([&] {
    while (text("tessera.log").find("request began") == std::string::npos)
      std::this_thread::yield();
    stop.request_stop();
  });
  ASSERT_EQ(ask("hang", {}, 20'000, stop.get_token()).outcome, Outcome::Cancelled);
  EXPECT_THAT(written().back(), AllOf(HasSubstr(" info: request ended "),
                                      HasSubstr(" outcome=cancelled"), HasSubstr(" killed=yes")));
}

TEST_F(ProcessLinesTest, AWorkerThatDiesUnasked) {
  const job::Reply first = ask("pid");
  ASSERT_EQ(first.outcome, Outcome::Ok);
  const pid_t pid = first.body.at("pid").get<pid_t>();
  const tessera::test::ProcessWatch watch(pid);
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  ASSERT_TRUE(watch.endsWithin(std::chrono::seconds(20)));
  ASSERT_EQ(ask("pid").outcome, Outcome::Ok);
  EXPECT_THAT(written(), testing::Contains(AllOf(HasSubstr(" warning: process ended "),
                                                 HasSubstr(" pid=" + std::to_string(pid)),
                                                 HasSubstr(" signal=SIGKILL"))));
}

TEST_F(ProcessLinesTest, AProgramThatIsNotThere) {
  job::ProcessOptions options = tessera::test::program("/no/such/secret_program");
  options.listener = processLines(m_record, "tessera-gpu");
  m_client = std::make_unique<job::WorkerClient>(std::move(options));
  ASSERT_EQ(ask("echo").outcome, Outcome::ProtocolError);
  EXPECT_THAT(written(), ElementsAre(HasSubstr(" error: process not started program=tessera-gpu")));
}

// The program stands for the user's own generator, whose name and output must not be logged.
TEST_F(ProcessLinesTest, AProgramThatRunsToItsEnd) {
  {
    job::ProcessOptions options = tessera::test::shell("echo my_secret_func >&2; exit 3");
    options.listener = processLines(m_record, "generator");
    ASSERT_TRUE(job::runProcess(options, std::chrono::seconds(20)));
  }
  EXPECT_THAT(written(),
              ElementsAre(HasSubstr(" info: process started program=generator pid="),
                          AllOf(HasSubstr(" warning: process ended program=generator pid="),
                                HasSubstr(" exit_code=3 said=none said_lines=1 said_bytes=15"))));
}

TEST_F(ProcessLinesTest, NothingIsHeardForALogThatIsNotOpen) {
  EXPECT_FALSE(processLines(Record(), "generator"));
}

} // namespace
} // namespace tessera::record
