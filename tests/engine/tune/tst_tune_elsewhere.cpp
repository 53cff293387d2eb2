// SPDX-License-Identifier: MIT
// Tunes on the GPU of another machine, through an ssh that stays on this one
// (tests/engine/bench/fake_ssh) and whose connection fails during the tuning.
#include "engine/host/gpu_host.h"
#include "tests/engine/bench/fake_ssh.h"
#include "tests/engine/tune/tune_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::tune {
namespace {

using test::kRight;
using testing::HasSubstr;

class TuneElsewhereTest : public test::TuneTest {
protected:
  // Returns a client of the other machine's GPU, which does what `wishes` says.
  bench::GpuClient elsewhere(const std::string &wishes) {
    host::ToolPaths tools = m_tools;
    tools.ssh = bench::test::FakeSsh::program();
    auto worker = host::gpuWorkerProcess(tools, "me@gpu");
    EXPECT_TRUE(worker) << worker.error().message;
    worker->environment = {{"LD_LIBRARY_PATH", tessera::test::testPath("fake_cuda")},
                           {"TESSERA_FAKE_CUDA", wishes}};
    return bench::GpuClient(*worker);
  }

  TuneRequest request() {
    TuneRequest request = TuneTest::request();
    request.where = measure::GpuBench::Where::Elsewhere;
    request.pause = std::chrono::milliseconds(1);
    request.measure.useAssembled = true; // as the command-line program sets it
    return request;
  }

  bench::test::FakeSsh m_ssh{folder()};
};

std::function<bool(const TuneState &)> untilMeasured(std::size_t count) {
  return [count](const TuneState &state) { return state.measured >= count; };
}

TEST_F(TuneElsewhereTest, MeasuresThere) {
  auto client = elsewhere(kRight);
  const TuneResult result = run(request(), client, untilMeasured(3));
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_TRUE(result.best);
  EXPECT_EQ(result.state.failed, 0U);
  EXPECT_EQ(client.starts(), 1);
  EXPECT_TRUE(std::filesystem::exists(m_ssh.there() + "/.cache/tessera/gpu"));
}

// The connection is lost during measurements, each time after at least one candidate.
TEST_F(TuneElsewhereTest, ALostConnectionCostsNobodyAnything) {
  m_ssh.wish("DROPS", "1");
  auto client = elsewhere(kRight + "after 16 die cuLaunchKernel");
  const TuneResult result = run(request(), client, untilMeasured(5));
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_GE(result.state.measured, 5U);
  EXPECT_EQ(result.state.failed, 0U);
  EXPECT_GE(client.starts(), 2);
  EXPECT_EQ(storedAs(Outcome::Ok), result.state.measured);
  for (const TunedCandidate &one : stored()) {
    EXPECT_LE(one.attempts, 1) << "a lost connection is held against nobody";
    EXPECT_TRUE(!one.outcome || one.outcome == Outcome::Ok) << one.message;
  }
}

TEST_F(TuneElsewhereTest, NorOneThatIsLostWhileABundleIsSent) {
  auto client = elsewhere(kRight);
  // Cuts the connection after this many bytes, the size of a few bundles.
  m_ssh.wish("CUT", "1000000");
  const TuneResult result = run(request(), client, untilMeasured(8));
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_EQ(result.state.failed, 0U);
  EXPECT_GE(client.starts(), 2);
  EXPECT_EQ(storedAs(Outcome::Ok), result.state.measured);
}

TEST_F(TuneElsewhereTest, OneThatAlwaysBringsTheMachineDownIsLeftOut) {
  m_ssh.wish("DROPS", "1");
  auto client = elsewhere(kRight + "die cuLaunchKernel");
  TuneRequest deadly = request();
  deadly.candidates = 1;
  const TuneResult result = run(deadly, client, [](const TuneState &) { return false; });
  EXPECT_FALSE(result.error) << result.error->message;
  EXPECT_EQ(storedAs(Outcome::ConnectionLost), result.state.failed);
  EXPECT_GE(result.state.failed, 1U);
}

TEST_F(TuneElsewhereTest, AMachineThatStaysAwayEndsTheRunAndTheNextGoesOn) {
  const std::string away = folder() + "/away";
  m_ssh.wish("AWAY", away);
  m_ssh.wish("DROPS", "1");
  auto client = elsewhere(kRight + "after 16 die cuLaunchKernel");
  const TuneResult first = run(request(), client, [&](const TuneState &state) {
    if (state.measured >= 2) file("away", "");
    return false;
  });
  ASSERT_TRUE(first.error);
  EXPECT_THAT(first.error->message, HasSubstr("me@gpu"));
  EXPECT_THAT(first.error->hint, HasSubstr("run the same command to continue"));
  const auto before = stored();
  EXPECT_GE(storedAs(Outcome::Ok), 2U);
  EXPECT_EQ(first.state.failed, 0U);
  std::filesystem::remove(away);
  auto back = elsewhere(kRight);
  const TuneResult second = run(request(), back, untilMeasured(2));
  EXPECT_FALSE(second.error) << second.error->message;
  EXPECT_EQ(second.state.known, first.state.measured);
  expectKept(before);
}

} // namespace
} // namespace tessera::tune
