// SPDX-License-Identifier: MIT
#include "engine/tune/peer_samples.h"

#include "tests/engine/tune/peers_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tessera::tune {
namespace {

using test::PeersTest;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::size_t> indices(const std::vector<PeerSample> &samples) {
  std::vector<std::size_t> found;
  for (const PeerSample &sample : samples)
    found.push_back(sample.index);
  return found;
}

TEST_F(PeersTest, SamplesAreInTheOrderOfTheirCost) {
  Peer peer = fake("sample");
  peer.samples = 6;
  for (const std::size_t jobs : {1U, 3U}) {
    const PeerRequest request{peer,
                              blur(),
                              m_machine,
                              folder() + "/" + std::to_string(jobs),
                              std::chrono::minutes(1),
                              0,
                              {.weights = "", .jobs = jobs}};
    const PeerSamples made = makeSamples(request, m_tools, {}, {});
    EXPECT_EQ(indices(made.samples), std::vector<std::size_t>({4, 3, 1, 0, 2, 5}));
    EXPECT_EQ(made.made(), 4U);
    EXPECT_DOUBLE_EQ(made.samples[0].cost, 20);
    EXPECT_DOUBLE_EQ(made.samples[3].cost, 100);
    EXPECT_EQ(made.samples[5].outcome, Outcome::CompileError);
    EXPECT_EQ(indices(made.different()), std::vector<std::size_t>({4, 3, 1, 0}));
    for (const PeerSample &sample : made.different())
      EXPECT_TRUE(std::filesystem::exists(sample.file)) << sample.index;
  }
}

// Schedules of the same cost are taken for the same schedule.
TEST_F(PeersTest, SamplesOfOneCostAreOne) {
  PeerSamples samples;
  for (const double cost : {1.0, 1.0, 2.0})
    samples.samples.push_back({samples.samples.size(), Outcome::Ok, {}, 0, cost, "there"});
  EXPECT_THAT(indices(samples.different()), ElementsAre(0, 2));
}

TEST_F(PeersTest, WhenTheTimeIsOverTheSamplesThatThereAreCount) {
  Peer peer = fake("hang");
  peer.samples = 3;
  const PeerRequest request{peer,
                            blur(),
                            m_machine,
                            folder(),
                            std::chrono::milliseconds(1500),
                            0,
                            {.weights = "", .jobs = 1}};
  const PeerSamples made = makeSamples(request, m_tools, {}, {});
  EXPECT_EQ(made.made(), 0U);
  EXPECT_LT(made.seconds, 30);
  for (const PeerSample &sample : made.samples)
    EXPECT_EQ(sample.outcome, Outcome::CompileTimeout) << sample.error.message;
}

// Only Anderson2021 has weights, and only for the pipelines whose file there is.
TEST_F(PeersTest, WeightsAreThoseOfThePipelinesName) {
  std::ofstream(folder() + "/harris.weights") << "none";
  PeerRequest request{fake("schedule"),
                      blur(),
                      m_machine,
                      folder(),
                      std::chrono::minutes(1),
                      0,
                      {.weights = folder(), .jobs = 1}};
  EXPECT_EQ(makeSamples(request, m_tools, {}, {}).weights, "");
  request.peer = shipped("anderson2021-default");
  EXPECT_EQ(makeSamples(request, m_tools, {}, {}).weights, "");
  std::ofstream(folder() + "/blur.weights") << "none";
  EXPECT_EQ(makeSamples(request, m_tools, {}, {}).weights, folder() + "/blur.weights");
}

TEST_F(PeersTest, AFolderThatCannotBeMadeIsAFault) {
  std::ofstream(folder() + "/file") << "none";
  const PeerSamples made = makeSamples(
      {fake("schedule"), blur(), m_machine, folder() + "/file/in", std::chrono::minutes(1)},
      m_tools, {}, {});
  ASSERT_EQ(made.samples.size(), 1U);
  EXPECT_TRUE(made.fault);
  EXPECT_EQ(made.made(), 0U);
}

} // namespace
} // namespace tessera::tune
