// SPDX-License-Identifier: MIT
#include "engine/file/user_folder.h"
#include "tests/engine/file/folder_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera::file {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class UserFolderTest : public test::FolderTest {
protected:
  UserFolder cache() const { return userFolder("", folder(), ".cache"); }

  static std::string problemWith(const UserFolder &folder) {
    const Status claimed = claim(folder);
    return claimed ? "" : claimed.error().message;
  }
};

TEST_F(UserFolderTest, IsNamedByAbsolutePathsAlone) {
  EXPECT_EQ(userFolder("", "/people/a", ".cache"),
            (UserFolder{"/people/a", "/people/a/.cache/tessera"}));
  EXPECT_EQ(userFolder("/x", "/people/a", ".cache"), (UserFolder{"/x", "/x/tessera"}));
  EXPECT_EQ(userFolder("/x/", "", ".cache"), (UserFolder{"/x", "/x/tessera"}));
  EXPECT_EQ(userFolder("rel", "/people/a/", ".cache").path, "/people/a/.cache/tessera");
  EXPECT_EQ(userFolder("", "", ".cache"), UserFolder());
  EXPECT_EQ(userFolder("rel", "rel", ".cache"), UserFolder());
}

TEST_F(UserFolderTest, IsMadeForThisUserAlone) {
  const mode_t before = ::umask(0);
  EXPECT_EQ(problemWith(cache()), "");
  ::umask(before);
  EXPECT_EQ(modeOf(in(".cache")), 0700U);
  EXPECT_EQ(modeOf(in(".cache/tessera")), 0700U);
  EXPECT_EQ(problemWith(cache()), "") << "and is still good the next time";
}

TEST_F(UserFolderTest, WithoutAHomeThereIsNone) {
  EXPECT_THAT(problemWith(userFolder("", "", ".cache")), HasSubstr("HOME"));
}

TEST_F(UserFolderTest, OthersMayNotWriteToAnyPart) {
  ASSERT_EQ(problemWith(cache()), "");
  for (const char *part : {"", ".cache", ".cache/tessera"}) {
    const mode_t mode = modeOf(in(part));
    fs::permissions(in(part), fs::perms(0777));
    EXPECT_THAT(problemWith(cache()), AllOf(HasSubstr("Others can write"), HasSubstr(part)));
    fs::permissions(in(part), fs::perms(0777 | S_ISVTX));
    EXPECT_NE(problemWith(cache()), "") << "as in /tmp, others could have been here first";
    fs::permissions(in(part), fs::perms(mode));
    EXPECT_EQ(problemWith(cache()), "");
  }
}

TEST_F(UserFolderTest, AGroupOfOnesOwnMayWrite) {
  fs::permissions(folder(), fs::perms(0770));
  EXPECT_EQ(problemWith(cache()) == "", statusOf(folder()).st_gid == ::getegid());
  if (::chown(folder().c_str(), ::geteuid(), ::getegid() + 1) != 0) return; // only root can
  EXPECT_THAT(problemWith(cache()), HasSubstr("Others can write"));
}

TEST_F(UserFolderTest, EveryPartBelongsToTheUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
  ASSERT_EQ(problemWith(cache()), "");
  for (const char *part : {"", ".cache", ".cache/tessera"}) {
    ASSERT_EQ(::chown(in(part).c_str(), 1234, 4321), 0);
    EXPECT_THAT(problemWith(cache()), HasSubstr("belongs to another user"));
    ASSERT_EQ(::chown(in(part).c_str(), 0, 0), 0);
  }
}

// Whoever can write to the folder above can put another one in place of a home.
TEST_F(UserFolderTest, NobodyElseMayReplaceTheHome) {
  fs::create_directories(in("open/home"));
  const UserFolder cache = userFolder("", in("open/home"), ".cache");
  fs::permissions(in("open"), fs::perms(0777));
  EXPECT_THAT(problemWith(cache), HasSubstr("replace"));
  EXPECT_TRUE(fs::is_empty(in("open/home"))) << "nothing was made there";
  fs::permissions(in("open"), fs::perms(0777 | S_ISVTX));
  EXPECT_EQ(problemWith(cache), "") << "in a sticky folder only the owner can";
}

TEST_F(UserFolderTest, AFileInTheWayIsNamed) {
  plain(".cache", "");
  EXPECT_THAT(problemWith(cache()), HasSubstr(".cache"));
}

// Nothing can be made in /proc, not even by root.
TEST_F(UserFolderTest, AHomeThatCannotBeWrittenToIsNamed) {
  EXPECT_THAT(problemWith(userFolder("", "/proc/self", ".cache")), HasSubstr("/proc/self"));
}

TEST_F(UserFolderTest, AFileIsOnesOwnIfOthersCannotWriteIt) {
  EXPECT_TRUE(isOwnFile(plain("mine", "", 0644)));
  EXPECT_FALSE(isOwnFile(plain("open", "", 0666)));
  EXPECT_FALSE(isOwnFile(in("missing")));
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown(in("mine").c_str(), 1234, 4321), 0);
  EXPECT_FALSE(isOwnFile(in("mine")));
}

} // namespace
} // namespace tessera::file
