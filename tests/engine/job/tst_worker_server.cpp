// SPDX-License-Identifier: MIT
#include "engine/job/worker_client.h"

#include "engine/job/frame.h"
#include "tests/engine/job/processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>
#include <string>
#include <vector>

namespace tessera::job {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::in;
using ::testing::HasSubstr;

constexpr auto kLong = 20s;

ChildProcess startedWorker(std::vector<std::string> arguments = {}) {
  Result<ChildProcess> child = ChildProcess::start(test::misbehavingWorker(std::move(arguments)));
  if (!child) throw std::runtime_error(child.error().message);
  return std::move(*child);
}

void send(ChildProcess &child, const json &message) {
  EXPECT_EQ(child.write(*encodeFrame(message), in(kLong)), ChildProcess::Write::Done);
}

json receive(ChildProcess &child) {
  FrameReader reader;
  while (true) {
    reader.append(child.read(in(kLong)).bytes);
    auto message = reader.next();
    if (!message) throw std::runtime_error(message.error().message);
    if (*message) return std::move(**message);
  }
}

TEST(WorkerServer, RefusesUnknownTypesByName) {
  WorkerClient client(test::misbehavingWorker());
  const Reply reply = client.request("fly", {}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::ProtocolError);
  EXPECT_EQ(reply.error.message, "The worker does not know requests of type 'fly'.");
  EXPECT_THAT(reply.error.hint, HasSubstr("echo, pid"));
  EXPECT_EQ(client.request("echo", {}, kLong).outcome, Outcome::Ok);
  EXPECT_EQ(client.starts(), 1);
}

TEST(WorkerServer, LibrariesMayPrintAndReadWhatTheyLike) {
  WorkerClient client(test::misbehavingWorker());
  const Reply reply = client.request("print", {}, kLong);
  ASSERT_EQ(reply.outcome, Outcome::Ok) << reply.error.message;
  EXPECT_EQ(reply.body.at("next character of stdin"), EOF);
}

TEST(WorkerServer, ExceptionsBecomeReplies) {
  WorkerClient client(test::misbehavingWorker());
  const Reply known = client.request("throw", {}, kLong);
  EXPECT_EQ(known.outcome, Outcome::Crashed);
  EXPECT_EQ(known.error.message, "'throw' failed: thrown on purpose");
  const Reply unknown = client.request("throw number", {}, kLong);
  EXPECT_EQ(unknown.outcome, Outcome::Crashed);
  EXPECT_THAT(unknown.error.message, HasSubstr("unknown exception"));
  EXPECT_EQ(client.starts(), 1);
}

TEST(WorkerServer, AnAnswerThatNoFrameCarriesIsSaidSo) {
  WorkerClient client(test::misbehavingWorker());
  const Reply reply = client.request("too deep", {}, kLong);
  EXPECT_EQ(reply.outcome, Outcome::ProtocolError);
  EXPECT_THAT(reply.error.message, HasSubstr("nested deeper than 64 levels"));
  EXPECT_EQ(client.request("echo", {}, kLong).outcome, Outcome::Ok);
}

TEST(WorkerServer, LeavesWhenIdleInputEnds) {
  ChildProcess child = startedWorker();
  send(child, {{"id", 1}, {"type", "echo"}});
  EXPECT_EQ(receive(child).at("outcome"), "ok");
  child.closeInput();
  EXPECT_EQ(child.wait(in(2s)), (ProcessEnd{false, 0}));
}

TEST(WorkerServer, LeavesInTheMiddleOfARequestWhenInputEnds) {
  ChildProcess child = startedWorker();
  send(child, {{"id", 1}, {"type", "hang"}, {"ignore", "SIGTERM"}});
  EXPECT_EQ(receive(child).at("type"), "progress");
  child.closeInput();
  EXPECT_EQ(child.wait(in(2s)), (ProcessEnd{false, 0}));
}

TEST(WorkerServer, DiesWithItsParentEvenWhenBusy) {
  ChildProcess parent = startedWorker({"--parent"});
  const ChildProcess::Read read = parent.read(in(kLong));
  const std::string pid(reinterpret_cast<const char *>(read.bytes.data()), read.bytes.size());
  const test::ProcessWatch watch(std::stoi(pid));
  EXPECT_FALSE(watch.endsWithin(0ms));
  parent.kill(); // kills the parent's group, to which its worker does not belong
  EXPECT_TRUE(watch.endsWithin(2s));
}

TEST(WorkerServer, LeavesWhenItCannotReadARequest) {
  for (const std::string &garbage : {std::string("GET / HTTP/1.1\r\n\r\n"),
                                     std::string("TSRA\xff\xff" + std::string(20, 'x'))}) {
    ChildProcess child = startedWorker();
    child.write(std::as_bytes(std::span(garbage)), in(kLong));
    EXPECT_EQ(child.wait(in(2s)), (ProcessEnd{false, 3}));
    EXPECT_THAT(child.errorText(), HasSubstr("the request cannot be read: damaged frame"));
  }
}

TEST(WorkerServer, LeavesWhenARequestHasNoId) {
  for (const json &message :
       {json(3), json{{"type", "echo"}}, json{{"id", "one"}, {"type", "echo"}}}) {
    ChildProcess child = startedWorker();
    send(child, message);
    EXPECT_EQ(child.wait(in(2s)), (ProcessEnd{false, 3}));
    EXPECT_EQ(child.errorText(), "the request has no id\n");
  }
}

TEST(WorkerServer, ATypeThatIsNoTextIsUnknown) {
  ChildProcess child = startedWorker();
  send(child, {{"id", 1}, {"type", 7}});
  EXPECT_EQ(receive(child).at("outcome"), "protocol error");
}

TEST(WorkerServer, HoldsOnlyItsOwnPipes) {
  // The same process starts a second worker. The second must not hold the first one's pipes, or the
  // first would never see its input end.
  WorkerClient first(test::misbehavingWorker());
  WorkerClient second(test::misbehavingWorker());
  const json ofFirst = first.request("descriptors", {}, kLong).body;
  const json ofSecond = second.request("descriptors", {}, kLong).body;
  std::vector<std::string> pipes;
  for (const json &open : {ofFirst, ofSecond}) {
    std::set<std::string> ofOne;
    for (const json &target : open)
      if (target.get<std::string>().starts_with("pipe:")) ofOne.insert(target);
    pipes.insert(pipes.end(), ofOne.begin(), ofOne.end());
  }
  EXPECT_EQ(pipes.size(), 6u);
  EXPECT_EQ(std::set<std::string>(pipes.begin(), pipes.end()).size(), 6u);
}

} // namespace
} // namespace tessera::job
