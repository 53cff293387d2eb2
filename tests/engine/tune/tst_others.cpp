// SPDX-License-Identifier: MIT
#include "engine/tune/others.h"

#include "engine/schedule/rules/legality.h"
#include "tests/engine/tune/peers_test.h"

#include <gtest/gtest.h>

namespace tessera::tune {
namespace {

using test::PeersTest;

// The list has the order of the explorer's dialog: the hand-written schedule comes first. The list
// contains no autoscheduler for the CPU.
TEST_F(PeersTest, OthersAreFoundByTheirWord) {
  const auto others = othersFor(m_machine, m_tools);
  ASSERT_EQ(others.size(), 6U);
  EXPECT_EQ(others[0].word, "manual");
  EXPECT_EQ(others[1].name, "Li2018");
  EXPECT_EQ(others[3].name, "Mullapudi2016, 4096 blocks");
  EXPECT_EQ(others[5].name, "Anderson2021, defaults");
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
