// SPDX-License-Identifier: MIT
#include "engine/file/write_file.h"
#include "tests/engine/file/folder_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera::file {
namespace {

using WriteFileTest = test::FolderTest;
using testing::AllOf;
using testing::HasSubstr;

TEST_F(WriteFileTest, ReplacesAFileAndLeavesNothingElse) {
  const std::string path = plain("deep/er/a.txt", "old");
  const ino_t before = statusOf(path).st_ino;
  ASSERT_TRUE(writeFile(path, "new"));
  EXPECT_EQ(*readFile(path), "new");
  EXPECT_EQ(*readHead(path, 2), "ne");
  EXPECT_NE(statusOf(path).st_ino, before) << "a crash would find a half of it";
  EXPECT_EQ(entriesIn(in("deep/er")), 1U) << "no temporary file stays behind";
}

TEST_F(WriteFileTest, SaysWhichPathAndWhy) {
  plain("plain", "");
  const Status under = writeFile(in("plain/b.txt"), "x");
  ASSERT_FALSE(under);
  EXPECT_THAT(under.error().message, HasSubstr("/plain"));
}

TEST_F(WriteFileTest, AFolderIsRefused) {
  for (const std::string &path : {in("folder"), in("folder/"), in("link"), in("new/")}) {
    std::filesystem::create_directories(in("folder"));
    if (path == in("link")) link("link", "folder");
    const Status written = writeFile(path, "x");
    ASSERT_FALSE(written) << path;
    EXPECT_EQ(written.error().code, ErrorCode::InputRefused);
    EXPECT_THAT(written.error().message, AllOf(HasSubstr(path), HasSubstr("folder")));
    EXPECT_TRUE(std::filesystem::is_empty(in("folder"))) << path;
  }
  EXPECT_FALSE(std::filesystem::exists(in("new")));
}

TEST_F(WriteFileTest, GoesThroughAChainOfLinks) {
  const std::string file = plain("far/file", "old");
  link("far/second", "file");
  link("first", "far/second");
  ASSERT_TRUE(writeFile(in("first"), "new"));
  EXPECT_EQ(*readFile(file), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(in("first")));
  EXPECT_TRUE(std::filesystem::is_symlink(in("far/second")));
  EXPECT_EQ(entriesIn(in("far")), 2U) << "the temporary file was beside the file";
}

TEST_F(WriteFileTest, ADanglingLinkGetsItsFile) {
  link("dangling", "new");
  ASSERT_TRUE(writeFile(in("dangling"), "x"));
  EXPECT_EQ(*readFile(in("new")), "x");
  EXPECT_TRUE(std::filesystem::is_symlink(in("dangling")));
  // A disk that is not there now is not made a folder of this one.
  link("elsewhere", "not/here");
  const Status written = writeFile(in("elsewhere"), "x");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("not/here"));
  EXPECT_FALSE(std::filesystem::exists(in("not")));
}

TEST_F(WriteFileTest, AFileKeepsItsModeAndANewOneGetsTheUsual) {
  for (const mode_t mode : {0640U, 0600U, 0755U, 0666U}) {
    const std::string path = plain("kept", "old", mode);
    ASSERT_TRUE(writeFile(path, "new"));
    EXPECT_EQ(modeOf(path), mode);
  }
  const mode_t before = ::umask(027);
  ASSERT_TRUE(writeFile(in("new"), "x"));
  ::umask(before);
  EXPECT_EQ(modeOf(in("new")), 0640U);
}

TEST_F(WriteFileTest, AFileKeepsItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const std::string path = plain("theirs", "old");
  ASSERT_EQ(::chown(path.c_str(), 1234, 4321), 0);
  ASSERT_TRUE(writeFile(path, "new"));
  EXPECT_EQ(*readFile(path), "new");
  EXPECT_EQ(statusOf(path).st_uid, 1234U);
  EXPECT_EQ(statusOf(path).st_gid, 4321U);
}

// In a child process, root becomes a user who may write to a file of root's and to its folder, but
// cannot give files to root.
TEST_F(WriteFileTest, AFileOfAnotherIsWrittenInPlace) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs two users";
  const std::string path = plain("theirs", "old", 0666);
  std::filesystem::permissions(folder(), std::filesystem::perms(0777));
  const ino_t before = statusOf(path).st_ino;
  const auto asAnother = [&] {
    if (::setgid(4321) != 0 || ::setuid(1234) != 0) ::_exit(2);
    ::_exit(writeFile(path, "new") ? 0 : 1);
  };
  EXPECT_EXIT(asAnother(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(*readFile(path), "new");
  EXPECT_EQ(statusOf(path).st_ino, before);
  EXPECT_EQ(statusOf(path).st_uid, 0U);
  EXPECT_EQ(entriesIn(folder()), 1U);
}

TEST_F(WriteFileTest, AReadOnlyFileStaysAsItIs) {
  const std::string path = plain("precious", "old", 0444);
  const Status written = writeFile(path, "new");
  EXPECT_EQ(modeOf(path), 0444U);
  EXPECT_EQ(bool(written), ::geteuid() == 0) << "root may write to everything";
  if (written) return;
  EXPECT_EQ(written.error().code, ErrorCode::InputRefused);
  EXPECT_THAT(written.error().message, HasSubstr(path));
  EXPECT_EQ(*readFile(path), "old");
}

TEST_F(WriteFileTest, ADiskThatIsFullIsTheSystemsFault) {
  const std::string path = plain("kept", "old");
  for (const Durability durability : {Durability::Synced, Durability::Rebuildable}) {
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{16, limit.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const Status written = writeFile(path, std::string(100, 'x'), durability);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::signal(SIGXFSZ, before);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::System);
    EXPECT_THAT(written.error().message, HasSubstr(path));
    EXPECT_EQ(*readFile(path), "old");
    EXPECT_EQ(entriesIn(folder()), 1U);
  }
}

} // namespace
} // namespace tessera::file
