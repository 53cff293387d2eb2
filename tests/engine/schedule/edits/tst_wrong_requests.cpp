// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/edits/wrong_requests.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera::schedule {
namespace {

// The messages for wrong texts are not counted here; they are in tst_cpp_parser.cpp.
TEST(WrongRequests, SixtyAndMoreHaveAMessageOfTheirOwn) {
  std::set<std::string> messages;
  for (const auto &table :
       {testing::messagesOfRaise(), testing::messagesOfLegality(), testing::messagesOfJson()})
    messages.insert(table.begin(), table.end());
  EXPECT_GE(messages.size(), 60U);
}

} // namespace
} // namespace tessera::schedule
