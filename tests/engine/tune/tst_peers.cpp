// SPDX-License-Identifier: MIT
#include "engine/tune/peers.h"

#include "tests/engine/tune/peers_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tessera::tune {
namespace {

using test::PeersTest;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

TEST_F(PeersTest, AreToldOfTheMachine) {
  EXPECT_THAT(shipped("li2018").parameters, Contains(Pair("parallelism", "132")));
  EXPECT_THAT(shipped("mullapudi2016").parameters,
              Contains(Pair("last_level_cache_size", "49152")));
  EXPECT_THAT(shipped("anderson2021").parameters,
              Contains(Pair("shared_memory_sm_limit_kb", "228")));
  EXPECT_THAT(shipped("anderson2021").parameters, Contains(Pair("active_warp_limit", "64")));
  EXPECT_TRUE(shipped("adams2019").forHost);
}

// What the papers say: Mullapudi et al. 2016, section 5.4; Anderson et al. 2021, sections 3 to 5.
TEST_F(PeersTest, HaveTheParametersOfTheirPapers) {
  EXPECT_THAT(shipped("mullapudi2016").parameters, Contains(Pair("parallelism", "128")));
  EXPECT_THAT(shipped("mullapudi2016-4096").parameters, Contains(Pair("parallelism", "4096")));
  const Peer published = shipped("anderson2021"), usual = shipped("anderson2021-default");
  EXPECT_THAT(published.parameters, Contains(Pair("freeze_inline_compute_root", "1")));
  EXPECT_THAT(published.parameters, Contains(Pair("randomize_tilings", "1")));
  EXPECT_EQ(published.samples, 80U);
  EXPECT_EQ(usual.samples, 1U);
  EXPECT_EQ(parametersOf(usual, 0), usual.parameters);
  EXPECT_THAT(usual.parameters, Not(Contains(Key("randomize_tilings"))));
  EXPECT_EQ(published.library, usual.library);
}

TEST_F(PeersTest, OneSampleIsABeamAndTheOthersAreGreedy) {
  const Peer peer = shipped("anderson2021");
  EXPECT_THAT(parametersOf(peer, 0), Contains(Pair("beam_size", "32")));
  EXPECT_THAT(parametersOf(peer, 0), Contains(Pair("random_dropout", "100")));
  std::set<std::string> seeds;
  for (std::size_t s = 1; s < peer.samples; ++s) {
    const PeerParameters parameters = parametersOf(peer, s);
    EXPECT_THAT(parameters, Contains(Pair("beam_size", "1")));
    EXPECT_THAT(parameters, Contains(Pair("random_dropout", "1")));
    seeds.insert(parameters.back().second);
  }
  EXPECT_EQ(seeds.size(), 79U);
  EXPECT_FALSE(seeds.contains("0")); // the time of day
}

TEST_F(PeersTest, AnUnknownOneIsRefusedWithThoseThatThereAre) {
  const auto chosen = chosenPeers(peersFor(m_machine, m_tools), {"li2018", "li2019"});
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::Usage);
  EXPECT_THAT(chosen.error().hint,
              HasSubstr("li2018, mullapudi2016, mullapudi2016-4096, anderson2021, "
                        "anderson2021-default, adams2019"));
}

} // namespace
} // namespace tessera::tune
