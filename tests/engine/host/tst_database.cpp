// SPDX-License-Identifier: MIT
#include "engine/host/database.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::host {
namespace {

using DatabaseTest = host::test::ScratchTest;
using testing::HasSubstr;

TEST_F(DatabaseTest, ALinkLeadsToTheFile) {
  std::filesystem::create_symlink("real.sqlite", folder() + "/link.sqlite");
  {
    auto database = Database::open(folder() + "/link.sqlite");
    ASSERT_TRUE(database) << database.error().message;
    ASSERT_TRUE(database->run("CREATE TABLE a(b)"));
  }
  EXPECT_TRUE(std::filesystem::is_regular_file(folder() + "/real.sqlite"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder() + "/link.sqlite"));
}

// Root would get /dev/null-wal otherwise.
TEST_F(DatabaseTest, WhatIsNoFileIsRefused) {
  for (const std::string &path : {std::string("/dev/null"), folder()}) {
    const auto database = Database::open(path);
    ASSERT_FALSE(database) << path;
    EXPECT_THAT(database.error().message, HasSubstr("not a plain file"));
  }
}

} // namespace
} // namespace tessera::host
