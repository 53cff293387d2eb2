// SPDX-License-Identifier: MIT
#include "engine/file/destination.h"
#include "tests/engine/file/folder_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace tessera::file {
namespace {

using DestinationTest = test::FolderTest;
using testing::HasSubstr;

Kind kindAt(const std::string &path) {
  const auto found = destinationOf(path);
  EXPECT_TRUE(found) << path;
  return found ? found->kind : Kind::Nothing;
}

TEST_F(DestinationTest, SaysWhatIsThere) {
  EXPECT_EQ(kindAt(in("nothing")), Kind::Nothing);
  EXPECT_EQ(kindAt(plain("file", "")), Kind::PlainFile);
  EXPECT_EQ(kindAt(folder()), Kind::Folder);
  EXPECT_EQ(kindAt("/dev/null"), Kind::Device);
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  EXPECT_EQ(kindAt(in("pipe")), Kind::Pipe);
}

TEST_F(DestinationTest, FollowsLinksToTheEnd) {
  const std::string file = plain("deep/file", "");
  link("absolute", file);
  link("relative", "deep/file");
  link("deep/up", "../relative");
  link("chain", "deep/up");
  for (const char *name : {"absolute", "relative", "deep/up", "chain"}) {
    const auto found = destinationOf(in(name));
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->kind, Kind::PlainFile) << name;
    EXPECT_TRUE(std::filesystem::equivalent(found->path, file)) << name;
    EXPECT_FALSE(std::filesystem::is_symlink(found->path)) << name;
  }
}

TEST_F(DestinationTest, ADanglingLinkLeadsToNothingYet) {
  link("dangling", "new");
  const auto found = destinationOf(in("dangling"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, Kind::Nothing);
  EXPECT_EQ(found->path, in("new"));
}

TEST_F(DestinationTest, ALoopIsAnError) {
  link("a", "b");
  link("b", "a");
  const auto found = destinationOf(in("a"));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("/a'"));
}

TEST_F(DestinationTest, WhatTheProcessHasOpenIsKnownByItsNumber) {
  for (const char *path : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const auto found = destinationOf(path);
    ASSERT_TRUE(found) << path;
    EXPECT_EQ(found->kind, Kind::OpenFile) << path;
    EXPECT_EQ(found->descriptor, 1) << path;
  }
}

} // namespace
} // namespace tessera::file
