// SPDX-License-Identifier: MIT
#include "engine/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace tessera {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{ErrorCode::InputRefused, "odd", "add one"};
  return number / 2;
}

TEST(Result, HoldsAValue) {
  const Result<int> four = half(8);
  ASSERT_TRUE(four);
  EXPECT_EQ(*four, 4);
}

TEST(Result, HoldsAnError) {
  const Result<int> none = half(7);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), (Error{ErrorCode::InputRefused, "odd", "add one"}));
}

TEST(Result, GivesAMoveOnlyValueAway) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 3);
}

} // namespace
} // namespace tessera
