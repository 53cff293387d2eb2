// SPDX-License-Identifier: MIT
#include "engine/job/worker_client.h"

#include "engine/job/frame.h"
#include "engine/job/process_event.h"
#include "engine/job/sanitized.h"
#include "tests/engine/job/processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <latch>
#include <stdexcept>
#include <thread>

namespace tessera::job {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Clock = std::chrono::steady_clock;

constexpr auto kLong = 20s;

ProcessOptions worker() { return test::misbehavingWorker(); }

json bytes(const std::vector<std::byte> &content) {
  const auto *begin = reinterpret_cast<const std::uint8_t *>(content.data());
  return json::binary({begin, begin + content.size()});
}

json bytes(std::string_view text) { return json::binary({text.begin(), text.end()}); }

void expectWorks(WorkerClient &client) {
  const Reply reply = client.request("echo", {{"n", 1}}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::Ok) << reply.error.message;
  EXPECT_EQ(reply.body, (json{{"n", 1}}));
}

TEST(WorkerClient, AsksOneProcessAgainAndAgain) {
  WorkerClient client(worker());
  EXPECT_EQ(client.starts(), 0);
  const Reply first = client.request("pid", {}, kLong);
  const Reply second = client.request("pid", {}, kLong);
  ASSERT_EQ(first.outcome, Outcome::Ok) << first.error.message;
  EXPECT_EQ(first.body, second.body);
  EXPECT_EQ(client.starts(), 1);
}

TEST(WorkerClient, CarriesLargeMessages) {
  WorkerClient client(worker());
  const json much{{"text", std::string(20 << 20, 'x')}};
  EXPECT_EQ(client.request("echo", much, kLong).body, much);
}

TEST(WorkerClient, WarmUpStartsIt) {
  WorkerClient client(worker());
  client.warmUp();
  EXPECT_EQ(client.starts(), 1);
  expectWorks(client);
  EXPECT_EQ(client.starts(), 1);
}

TEST(WorkerClient, PassesProgressOnInOrder) {
  WorkerClient client(worker());
  std::vector<double> fractions;
  client.request("report", {{"count", 4}}, kLong, {},
                 [&](const Progress &progress) { fractions.push_back(progress.fraction); });
  EXPECT_EQ(fractions, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(WorkerClient, EveryOutcomeOfAWorkerArrives) {
  WorkerClient client(worker());
  for (int i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    const Reply reply = client.request("outcome", {{"outcome", name(outcome)}}, kLong);
    EXPECT_EQ(reply.outcome, outcome);
    EXPECT_EQ(reply.error.hint, outcome == Outcome::Ok ? "" : "the hint");
  }
}

class EverySignal : public ::testing::TestWithParam<int> {};

TEST_P(EverySignal, IsACrashThatIsNamedAndSurvived) {
  WorkerClient client(worker());
  const Reply reply = client.request("signal", {{"signal", GetParam()}}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::Crashed);
  EXPECT_THAT(reply.error.message, StartsWith("misbehaving_worker crashed with signal SIG" +
                                              std::string(::sigabbrev_np(GetParam())) + " ("));
  EXPECT_THAT(reply.error.message, HasSubstr("during 'signal'. It last wrote:\nabout to raise "));
  expectWorks(client);
  EXPECT_EQ(client.starts(), 2);
}

INSTANTIATE_TEST_SUITE_P(WorkerClient, EverySignal,
                         ::testing::Values(SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGKILL,
                                           SIGTERM, SIGTRAP, SIGSYS, SIGPIPE, SIGHUP, SIGINT,
                                           SIGQUIT, SIGUSR1, SIGALRM));

TEST(WorkerClient, AnExitWithoutAnAnswerIsACrash) {
  WorkerClient client(worker());
  for (const int code : {0, 1, 127}) {
    const Reply reply = client.request("exit", {{"code", code}}, kLong);
    EXPECT_EQ(reply.outcome, Outcome::Crashed);
    EXPECT_THAT(reply.error.message, HasSubstr("exit code " + std::to_string(code)));
  }
  expectWorks(client);
}

TEST(WorkerClient, LastWordsAreOfThisRequest) {
  WorkerClient client(worker());
  client.request("flood errors", {{"kilobytes", 1}}, kLong);
  const Reply reply = client.request("exit", {{"code", 1}}, kLong);
  EXPECT_THAT(reply.error.message, Not(HasSubstr("flood")));
}

TEST(WorkerClient, AFloodOfErrorsHoldsNobodyUp) {
  WorkerClient client(worker());
  EXPECT_EQ(client.request("flood errors", {{"kilobytes", 4000}}, kLong).outcome, Outcome::Ok);
  const Reply reply = client.request("flood errors", {{"kilobytes", 4000}, {"then", "die"}}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::Crashed);
  EXPECT_THAT(reply.error.message, HasSubstr("last line of the flood"));
  EXPECT_LT(reply.error.message.size(), 3000u);
}

class EveryHang : public ::testing::TestWithParam<json> {};

TEST_P(EveryHang, EndsAtTheDeadlineAndIsSurvived) {
  WorkerClient client(worker());
  client.warmUp();
  const auto begin = Clock::now();
  const Reply reply = client.request(GetParam().at("type"), GetParam(), 150ms);
  EXPECT_LT(Clock::now() - begin, 150ms + 2s);
  EXPECT_EQ(reply.outcome, Outcome::CompileTimeout);
  EXPECT_THAT(reply.error.message, HasSubstr("within 150 ms"));
  expectWorks(client);
}

INSTANTIATE_TEST_SUITE_P(
    WorkerClient, EveryHang,
    ::testing::Values(json{{"type", "hang"}}, json{{"type", "hang"}, {"ignore", "SIGTERM"}},
                      json{{"type", "signal"}, {"signal", SIGSTOP}}, json{{"type", "spin"}},
                      json{{"type", "say"}, {"bytes", bytes("TSRA")}, {"then", "hang"}}));

TEST(WorkerClient, TheDeadlineNamesThePhase) {
  WorkerClient client(worker());
  EXPECT_THAT(client.request("hang", {}, 500ms).error.message,
              HasSubstr("did not answer 'hang', phase 'hanging' within"));
}

TEST(WorkerClient, IsCancelledAtOnce) {
  WorkerClient client(worker());
  auto fastest = Clock::duration::max(); // of several tries, because the machine may be busy
  for (const char *ignored : {"", "SIGTERM", "", "SIGTERM"}) {
    std::stop_source stop;
    Clock::time_point asked;
    std::jthread stopper;
    const Reply reply = client.request(
        "hang", {{"ignore", ignored}}, kLong, stop.get_token(), [&](const Progress &) {
          stopper = std::jthread([&] { asked = Clock::now(), stop.request_stop(); });
        });
    const auto answered = Clock::now();
    stopper.join();
    EXPECT_EQ(reply.outcome, Outcome::Cancelled);
    EXPECT_EQ(reply.error.code, ErrorCode::Cancelled);
    fastest = std::min(fastest, answered - asked);
  }
  EXPECT_LT(fastest, 50ms);
  expectWorks(client);
}

TEST(WorkerClient, ACancelledRequestStartsNothing) {
  WorkerClient client(worker());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(client.request("echo", {}, kLong, stop.get_token()).outcome, Outcome::Cancelled);
  EXPECT_EQ(client.starts(), 0);
}

// A listener that counts requests under way would otherwise count this one for ever.
TEST(WorkerClient, ARequestWhoseCallerThrewIsAnsweredForTheListener) {
  std::vector<ProcessEvent> heard;
  ProcessOptions options = test::misbehavingWorker();
  options.listener = [&](const ProcessEvent &event) { heard.push_back(event); };
  WorkerClient client(options);
  EXPECT_THROW((void)client.request("hang", {}, kLong, {},
                                    [](const Progress &) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard.back().kind, ProcessEvent::Kind::Answered);
  EXPECT_EQ(heard.back().request, "hang");
  EXPECT_EQ(heard.back().outcome, Outcome::Cancelled);
  EXPECT_TRUE(heard.back().isKilled);
  EXPECT_EQ(std::ranges::count(heard, ProcessEvent::Kind::Left, &ProcessEvent::kind), 0);
  expectWorks(client);
}

// The log lines that engine/record/process_lines.h makes of these events are tested in
// tests/engine/record.
TEST(WorkerClient, TheListenerHearsWhatBecomesOfIt) {
  using Kind = ProcessEvent::Kind;
  std::vector<ProcessEvent> heard;
  {
    ProcessOptions options = test::misbehavingWorker({"--version", "1.0 (c0ffee)"});
    options.listener = [&](const ProcessEvent &event) { heard.push_back(event); };
    WorkerClient client(options);
    EXPECT_EQ(client.request("echo", {{"n", 1}}, kLong).outcome, Outcome::Ok);
    EXPECT_EQ(client.request("signal", {{"signal", SIGSEGV}}, kLong).outcome, Outcome::Crashed);
    expectWorks(client);
  }
  std::vector<Kind> kinds;
  for (const ProcessEvent &event : heard) {
    kinds.push_back(event.kind);
    EXPECT_EQ(event.program, "misbehaving_worker");
    EXPECT_GT(event.pid, 0);
  }
  using enum Kind;
  EXPECT_EQ(kinds, (std::vector{Started, Asked, Greeted, Answered, Asked, Answered, //
                                Started, Asked, Greeted, Answered, Left}));
  EXPECT_EQ(heard[2].version, "1.0 (c0ffee)");
  EXPECT_FALSE(heard[3].end);
  const ProcessEvent &crash = heard[5];
  EXPECT_EQ(crash.request, "signal");
  EXPECT_EQ(crash.outcome, Outcome::Crashed);
  EXPECT_EQ(crash.end, (ProcessEnd{true, SIGSEGV}));
  EXPECT_FALSE(crash.isKilled);
  EXPECT_EQ(crash.errorText, "about to raise 11\n");
  EXPECT_EQ(heard.back().end, ProcessEnd{});
}

TEST(WorkerClient, AProgramThatIsNotThereIsSaidSo) {
  WorkerClient client(test::program("/no/such/worker"));
  const Reply reply = client.request("echo", {}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::ProtocolError);
  EXPECT_EQ(reply.error.code, ErrorCode::System);
  EXPECT_THAT(reply.error.message, HasSubstr("/no/such/worker"));
}

std::vector<std::byte> frame(const json &message) { return *encodeFrame(message); }

struct Babble {
  const char *name;
  json says;
  const char *cause;
};

class EveryBabble : public ::testing::TestWithParam<Babble> {};

TEST_P(EveryBabble, IsAProtocolErrorThatIsNamedAndSurvived) {
  WorkerClient client(worker());
  const Reply reply = client.request("say", {{"bytes", GetParam().says}, {"then", "hang"}}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::ProtocolError);
  EXPECT_THAT(reply.error.message, HasSubstr("misbehaving_worker"));
  EXPECT_THAT(reply.error.message, HasSubstr(GetParam().cause));
  expectWorks(client);
  EXPECT_EQ(client.starts(), 2);
}

std::vector<std::byte> damagedFrame() {
  std::vector<std::byte> bytes = frame({{"id", 1}, {"type", "reply"}});
  bytes.back() ^= std::byte{1};
  return bytes;
}

std::vector<std::byte> twoGreetings() {
  const std::vector<std::byte> one = frame({{"type", "hello"}, {"version", "1.0"}});
  std::vector<std::byte> two = one;
  two.insert(two.end(), one.begin(), one.end());
  return two;
}

INSTANTIATE_TEST_SUITE_P(
    WorkerClient, EveryBabble,
    ::testing::Values(
        Babble{"greetings", bytes(twoGreetings()), "a message with id null"},
        Babble{"text", bytes("Hello, world!"), "magic word"},
        Babble{"damaged", bytes(damagedFrame()), "checksum of its payload"},
        Babble{"list", bytes(frame({1, 2})), "a message that is not an object"},
        Babble{"wrong_id", bytes(frame({{"id", 99}, {"type", "reply"}})),
               "a message with id 99, but request 1 was sent"},
        Babble{"no_id", bytes(frame({{"type", "reply"}})), "a message with id null"},
        Babble{"text_id", bytes(frame({{"id", "1"}, {"type", "reply"}})),
               "a message with id \"1\""},
        Babble{"type", bytes(frame({{"id", 1}, {"type", "chat"}})), "unknown type \"chat\""},
        Babble{"outcome", bytes(frame({{"id", 1}, {"type", "reply"}, {"outcome", "fine"}})),
               "unknown outcome 'fine'"}),
    [](const auto &babble) { return babble.param.name; });

TEST(WorkerClient, HalfAFrameAndAnOrderlyExitIsAProtocolError) {
  WorkerClient client(worker());
  std::vector<std::byte> half = frame({{"id", 1}, {"type", "reply"}});
  half.resize(half.size() / 2);
  const Reply reply = client.request("say", {{"bytes", bytes(half)}, {"then", "exit"}}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::ProtocolError);
  EXPECT_THAT(reply.error.message, HasSubstr("the stream ends after"));
  expectWorks(client);
}

TEST(WorkerClient, HalfAFrameAndACrashIsACrash) {
  WorkerClient client(worker());
  const Reply reply = client.request("say", {{"bytes", bytes("TSRA")}, {"then", "die"}}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::Crashed);
}

TEST(WorkerClient, AClosedOutputIsAProtocolError) {
  WorkerClient client(worker());
  const Reply reply = client.request("close output", {}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::ProtocolError);
  EXPECT_THAT(reply.error.message, HasSubstr("its output ended, but the process is still running"));
  expectWorks(client);
}

TEST(WorkerClient, WordsAfterAReplyDoNotReachTheNextRequest) {
  WorkerClient client(worker());
  std::vector<std::byte> two =
      frame({{"id", 1}, {"type", "reply"}, {"outcome", "ok"}, {"body", "first"}});
  const std::vector<std::byte> second =
      frame({{"id", 2}, {"type", "reply"}, {"outcome", "ok"}, {"body", "forged"}});
  two.insert(two.end(), second.begin(), second.end());
  const Reply reply = client.request("say", {{"bytes", bytes(two)}, {"then", "hang"}}, kLong);
  EXPECT_EQ(reply.body, "first");
  expectWorks(client);
  EXPECT_EQ(client.starts(), 2);
}

TEST(WorkerClient, RunsOutOfMemoryAndIsSurvived) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  ProcessOptions options = worker();
  options.limits.addressSpaceBytes = std::size_t{1} << 30;
  WorkerClient client(options);
  for (const char *type : {"allocate", "allocate unguarded"}) {
    const Reply reply = client.request(type, {}, kLong);
    EXPECT_EQ(reply.outcome, Outcome::HostMemory) << reply.error.message;
    EXPECT_THAT(reply.error.message, HasSubstr(type));
    expectWorks(client);
  }
  EXPECT_EQ(client.starts(), 3) << "a worker that was out of memory is not used again";
}

TEST(WorkerClient, UsesUpItsProcessorTime) {
  ProcessOptions options = worker();
  options.limits.cpu = 1s;
  WorkerClient client(options);
  // On a busy machine, it may take long until the worker has used 1 s of CPU time.
  const Reply reply = client.request("spin", {}, 100s);
  EXPECT_EQ(reply.outcome, Outcome::CompileTimeout);
  EXPECT_THAT(reply.error.message, HasSubstr("used up its CPU time"));
  expectWorks(client);
}

TEST(WorkerClient, AGrandchildDiesWithACrashedWorker) {
  WorkerClient client(worker());
  std::optional<test::ProcessWatch> watch;
  const Reply reply =
      client.request("grandchild", {{"then", "die"}}, kLong, {},
                     [&](const Progress &progress) { watch.emplace(std::stoi(progress.phase)); });
  EXPECT_EQ(reply.outcome, Outcome::Crashed);
  ASSERT_TRUE(watch);
  EXPECT_TRUE(watch->endsWithin(2s));
}

TEST(WorkerClient, AGrandchildDiesWithTheClient) {
  std::optional<test::ProcessWatch> watch;
  {
    WorkerClient client(worker());
    watch.emplace(client.request("grandchild", {}, kLong).body.at("pid").get<int>());
    EXPECT_FALSE(watch->endsWithin(0ms));
  }
  EXPECT_TRUE(watch->endsWithin(2s));
  EXPECT_TRUE(test::haveNoChildren());
}

TEST(WorkerClient, ReplacesAWorkerThatDiedUnasked) {
  WorkerClient client(worker());
  const pid_t pid = client.request("pid", {}, kLong).body.at("pid");
  const test::ProcessWatch watch(pid);
  ::kill(pid, SIGKILL);
  ASSERT_TRUE(watch.endsWithin(2s));
  expectWorks(client);
  EXPECT_EQ(client.starts(), 2);
}

TEST(WorkerClient, WaitingForATurnDoesNotCount) {
  WorkerClient client(worker());
  std::stop_source stop;
  std::latch hanging(1);
  std::jthread first([&] {
    client.request("hang", {}, kLong, stop.get_token(),
                   [&](const Progress &) { hanging.count_down(); });
  });
  hanging.wait();
  std::jthread second([&] { // the limit of 10 s does not include the wait for the hanging request
    EXPECT_EQ(client.request("echo", {}, 10s).outcome, Outcome::Ok);
  });
  std::stop_source impatient;
  std::jthread third([&] { // a waiting request can be cancelled
    EXPECT_EQ(client.request("echo", {}, kLong, impatient.get_token()).outcome, Outcome::Cancelled);
  });
  impatient.request_stop();
  third.join();
  stop.request_stop();
}

TEST(WorkerClient, SeveralAtOnceDoNotDisturbEachOther) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([t] {
      WorkerClient client(worker());
      for (int i = 0; i < 6; ++i) {
        if (t % 2 == 0 && i % 3 == 1) {
          EXPECT_EQ(client.request("signal", {{"signal", SIGSEGV}}, kLong).outcome,
                    Outcome::Crashed);
        }
        EXPECT_EQ(client.request("echo", {{"t", t}}, kLong).body, (json{{"t", t}}));
      }
    });
}

TEST(WorkerClient, MayBeSharedByThreads) {
  WorkerClient client(worker());
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&client, t] {
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(client.request("echo", {{"t", t}}, kLong).body, (json{{"t", t}}));
    });
}

TEST(WorkerClient, AnExceptionFromTheListenerLeavesItUsable) {
  WorkerClient client(worker());
  EXPECT_THROW(client.request("report", {{"count", 3}}, kLong, {},
                              [](const Progress &) { throw std::runtime_error("listener"); }),
               std::runtime_error);
  expectWorks(client);
}

TEST(WorkerClient, LeavesNeitherDescriptorsNorZombies) {
  { WorkerClient(worker()).warmUp(); }
  const int before = test::openDescriptors();
  {
    WorkerClient client(worker());
    expectWorks(client);
    client.request("signal", {{"signal", SIGSEGV}}, kLong);
    client.request("hang", {}, 20ms);
    client.request("say", {{"bytes", bytes("garbage")}, {"then", "hang"}}, kLong);
    expectWorks(client);
  }
  EXPECT_EQ(test::openDescriptors(), before);
  EXPECT_TRUE(test::haveNoChildren());
}

} // namespace
} // namespace tessera::job
