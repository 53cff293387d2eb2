// SPDX-License-Identifier: MIT
// Other autoschedulers, run by the real worker: one of Halide's, and a fake one that fails as the
// test asks (tests/data/fake_peer.cpp).
#include "engine/tune/peers.h"

#include "engine/tune/others.h"
#include "engine/cost/prediction.h"
#include "engine/host/machines.h"
#include "engine/host/trust.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

namespace tessera::tune {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

class PeersTest : public host::test::ScratchTest {
protected:
  PeersTest()
      : m_tools(builtTools()),
        m_opener(m_tools, std::make_shared<host::TrustStore>(m_tools.configDir + "/trust.json")),
        m_machine(*machineFor(host::kDefaultMachine, m_tools)) {}

  open::OpenedPipeline blur(std::vector<open::EstimateOverride> estimates = {}) {
    auto opened = m_opener.open(
        {.path = m_tools.samples + "/blur.hlpipe", .estimates = std::move(estimates)});
    EXPECT_TRUE(opened);
    return *opened;
  }

  PeerRun run(const open::OpenedPipeline &opened, const Peer &peer,
              std::chrono::milliseconds timeout = std::chrono::minutes(1)) {
    return runPeer({peer, opened, m_machine, folder() + "/peers", timeout}, m_tools, m_opener);
  }

  static Peer fake(const std::string &does) {
    const std::string library = tessera::test::testPath("libfake_peer.so");
    return {"fake", "Fake", "", library, {{"does", does}}, false};
  }

  Peer shipped(const std::string &word) const {
    return chosenPeers(peersFor(m_machine, m_tools), {word})->front();
  }

  host::ToolPaths m_tools;
  open::PipelineOpener m_opener;
  machine::Machine m_machine;
};

TEST_F(PeersTest, AreToldOfTheMachine) {
  EXPECT_THAT(shipped("li2018").parameters, Contains(Pair("parallelism", "132")));
  EXPECT_THAT(shipped("mullapudi2016").parameters,
              Contains(Pair("last_level_cache_size", "49152")));
  EXPECT_THAT(shipped("anderson2021").parameters,
              Contains(Pair("shared_memory_sm_limit_kb", "228")));
  EXPECT_THAT(shipped("anderson2021").parameters, Contains(Pair("active_warp_limit", "64")));
  EXPECT_TRUE(shipped("adams2019").forHost);
}

TEST_F(PeersTest, AnUnknownOneIsRefusedWithThoseThatThereAre) {
  const auto chosen = chosenPeers(peersFor(m_machine, m_tools), {"li2018", "li2019"});
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::Usage);
  EXPECT_THAT(chosen.error().hint, HasSubstr("li2018, mullapudi2016, anderson2021, adams2019"));
}

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
    EXPECT_FALSE(peer.made());
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

// The list has the order of the explorer's dialog: the hand-written schedule comes first. The list
// contains no autoscheduler for the CPU.
TEST_F(PeersTest, OthersAreFoundByTheirWord) {
  const auto others = othersFor(m_machine, m_tools);
  ASSERT_EQ(others.size(), 4U);
  EXPECT_EQ(others[0].word, "manual");
  EXPECT_EQ(others[1].name, "Li2018");
  const open::OpenRequest request{.path = m_tools.samples + "/blur.hlpipe"};
  const auto find = [&](const std::string &word) {
    return findOther({word, request, blur(), m_machine}, m_tools, m_opener);
  };
  for (const char *word : {"manual", "li2018"}) {
    const FoundOther found = find(word);
    ASSERT_EQ(found.status, PeerStatus::Scheduled) << word << ": " << found.why;
    EXPECT_TRUE(schedule::isLegal(found.sourced->schedule, m_machine)) << word;
  }
  EXPECT_EQ(find("nobody").status, PeerStatus::Failed);
}

} // namespace
} // namespace tessera::tune
