// SPDX-License-Identifier: MIT
#include "engine/tune/peer_run.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/tune/peers_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::tune {
namespace {

using test::PeersTest;
using testing::HasSubstr;

TEST_F(PeersTest, HalidesOwnGivesALegalCandidate) {
  const open::OpenedPipeline opened = blur();
  const PeerRun peer = run(opened, shipped("li2018"));
  ASSERT_EQ(peer.status, PeerStatus::Scheduled) << peer.why;
  EXPECT_TRUE(schedule::isLegal(*peer.schedule, m_machine));
  EXPECT_GT(cost::predict(*peer.schedule, m_machine).seconds, 0);
  const auto output = peer.schedule->pipeline()->outputs().front().func;
  EXPECT_EQ(peer.schedule->mark({output, 0, schedule::DecisionKind::Factors, 0}).origin,
            schedule::Origin::Imported);
  EXPECT_TRUE(std::filesystem::exists(peer.file));
}

// An autoscheduler schedules for the requested size, not for the size in the captured file.
TEST_F(PeersTest, SchedulesForTheSizeThatWasAskedFor) {
  const open::OpenedPipeline opened = blur({*open::parseEstimate("output=0:96,0:64")});
  const PeerRun peer = run(opened, fake("schedule"));
  ASSERT_EQ(peer.status, PeerStatus::Scheduled) << peer.why;
  const auto reopened = m_opener.open({.path = peer.file});
  ASSERT_TRUE(reopened);
  const auto &output = reopened->pipeline->outputs().front();
  EXPECT_EQ(output.dims[0].range.extent(), 96);
  EXPECT_EQ(output.dims[1].range.extent(), 64);
}

struct Fault {
  const char *does;
  PeerStatus status;
  const char *words;
};

TEST_F(PeersTest, EachFaultIsToldInWords) {
  const open::OpenedPipeline opened = blur();
  for (const Fault &fault :
       {Fault{"throw", PeerStatus::Asserted, "Fake: Halide says: as the test wished"},
        Fault{"assert", PeerStatus::Asserted, "internal check without giving a reason"},
        Fault{"crash", PeerStatus::Crashed, "SIGSEGV"},
        Fault{"memory", PeerStatus::OutOfMemory, "out of memory"}}) {
    const PeerRun peer = run(opened, fake(fault.does));
    EXPECT_EQ(peer.status, fault.status) << fault.does << ": " << name(peer.status);
    EXPECT_THAT(peer.why, HasSubstr(fault.words)) << fault.does;
    EXPECT_THAT(peer.why, HasSubstr("0 of 1 schedule in ")) << fault.does;
    EXPECT_THAT(peer.why, HasSubstr(" GiB at most; does=")) << fault.does;
    EXPECT_FALSE(peer.hasSchedule());
  }
}

TEST_F(PeersTest, OneThatHangsIsEnded) {
  const PeerRun peer = run(blur(), fake("hang"), std::chrono::milliseconds(2500));
  EXPECT_EQ(peer.status, PeerStatus::TimedOut);
  EXPECT_THAT(peer.why, HasSubstr("Fake is looking for a schedule"));
  EXPECT_GE(peer.seconds, 2.4);
}

TEST_F(PeersTest, OneThatIsNotInstalledIsMissing) {
  Peer peer = fake("schedule");
  peer.library = folder() + "/none.so";
  EXPECT_EQ(run(blur(), peer).status, PeerStatus::Missing);
}

// An autoscheduler's schedule that has no decisions, or that the legality rules refuse, is compiled
// from the autoscheduler's own file. It still counts as a schedule of the pipeline, so that it can
// be compared with the reference.
TEST_F(PeersTest, AnOpaqueOneStillCompiles) {
  const open::OpenedPipeline opened = blur();
  measure::ScheduleCompiler compiler(m_tools, 1);
  for (const auto &[does, why] : {std::pair{"opaque", "specialize"}, {"illegal", "1024×8×1"}}) {
    const PeerRun peer = run(opened, fake(does));
    ASSERT_EQ(peer.status, PeerStatus::Opaque) << does << ": " << peer.why;
    EXPECT_THAT(peer.why, HasSubstr(why));
    measure::CompileRequest request;
    request.pipeline = scheduledPipeline(peer, opened);
    request.output = folder() + "/" + does;
    const measure::CompileAnswer answer = compiler.compile(request);
    ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
    EXPECT_EQ(answer.report.pipelineSha256, *host::fileHash(opened.file.pipeline));
    EXPECT_EQ(answer.report.kernels.front().threads[1], 8);
  }
}

// Of several samples the one counts that the peer itself calls the fastest. The others can be had
// by their rank, and are not made again.
TEST_F(PeersTest, TheBestOfSeveralSamplesCounts) {
  const open::OpenedPipeline opened = blur();
  Peer peer = fake("sample");
  peer.samples = 5; // the third fails
  PeerRunner runner;
  const auto ranked = [&](std::size_t rank) {
    return runner.run({peer, opened, m_machine, folder() + "/peers", std::chrono::minutes(1), rank},
                      m_tools, m_opener);
  };
  std::vector<std::string> files;
  for (const auto &[rank, width] : {std::pair{0, 40}, {1, 32}, {3, 8}}) {
    const PeerRun run = ranked(static_cast<std::size_t>(rank));
    ASSERT_EQ(run.status, PeerStatus::Scheduled) << run.why;
    EXPECT_EQ(run.made, 4U);
    EXPECT_THAT(run.remark, HasSubstr("4 of 5 samples in "));
    const auto output = run.schedule->pipeline()->outputs().front().func;
    EXPECT_EQ(run.schedule->plan(output).stages.front().nest.axes.front().inside(0), width);
    EXPECT_TRUE(std::filesystem::exists(run.file));
    files.push_back(std::filesystem::path(run.file).filename());
  }
  EXPECT_THAT(files, testing::ElementsAre("fake.hlpipe", "fake-2.hlpipe", "fake-4.hlpipe"));
  const PeerRun none = ranked(4);
  EXPECT_EQ(none.status, PeerStatus::Failed);
  EXPECT_THAT(none.why, HasSubstr("4 different schedules"));
}

} // namespace
} // namespace tessera::tune
