// SPDX-License-Identifier: MIT
#include "engine/base/outcome.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tessera {
namespace {

TEST(Outcome, EveryValueHasANameOfItsOwnThatLeadsBack) {
  std::set<std::string_view> names;
  for (int i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    names.insert(name(outcome));
    EXPECT_EQ(outcomeFromName(name(outcome)), outcome);
  }
  EXPECT_EQ(names.size(), kOutcomeCount);
}

TEST(Outcome, UnknownNamesAreNothing) {
  EXPECT_EQ(outcomeFromName(""), std::nullopt);
  EXPECT_EQ(outcomeFromName("OK"), std::nullopt);
}

TEST(Outcome, SaysWhoHasToAct) {
  EXPECT_EQ(errorCode(Outcome::CompileError), ErrorCode::InputRefused);
  EXPECT_EQ(errorCode(Outcome::Cancelled), ErrorCode::Cancelled);
  EXPECT_EQ(errorCode(Outcome::Crashed), ErrorCode::WorkerFailed);
  const Error said{ErrorCode::Usage, "words", "hint", ErrorRemedy::Estimates};
  EXPECT_EQ(errorOf(Outcome::CompileError, said),
            (Error{ErrorCode::InputRefused, "words", "hint", ErrorRemedy::Estimates}));
  const Error full{ErrorCode::System, "Cannot write 'a': No space left on device.", ""};
  EXPECT_EQ(errorOf(Outcome::CompileError, full), full) << "what was compiled is not at fault";
}

} // namespace
} // namespace tessera
