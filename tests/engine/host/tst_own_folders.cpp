// SPDX-License-Identifier: MIT
#include "engine/host/machines.h"
#include "engine/host/own_folders.h"
#include "engine/file/scratch_folder.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::host {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class OwnFoldersTest : public host::test::ScratchTest {
protected:
  ToolSearch search() const {
    ToolSearch search;
    search.home = folder() + "/home";
    search.temporary = folder() + "/tmp";
    return search;
  }
};

TEST_F(OwnFoldersTest, AreBelowTheHome) {
  const OwnFolders own = claimFolders(search());
  EXPECT_EQ(own.cache, folder() + "/home/.cache/tessera");
  EXPECT_EQ(own.config, folder() + "/home/.config/tessera");
  EXPECT_EQ(own.state, folder() + "/home/.local/state/tessera");
  EXPECT_THAT(own.problems, ElementsAre());
  EXPECT_FALSE(own.temporary);
}

TEST_F(OwnFoldersTest, WithoutAHomeNothingIsKeptAndThatIsSaidOnce) {
  for (const std::string home : {"", "relative"}) {
    ToolSearch without = search();
    without.home = home;
    without.configHome = "relative/too";
    OwnFolders own = claimFolders(without);
    EXPECT_THAT(own.cache, StartsWith(folder() + "/tmp/"));
    EXPECT_EQ(own.config, "");
    EXPECT_EQ(own.state, "");
    EXPECT_THAT(own.problems, ElementsAre(AllOf(HasSubstr("HOME"), HasSubstr("cache"),
                                                HasSubstr("permission"), HasSubstr("log"))));
    EXPECT_TRUE(fs::is_directory(own.cache));
    own.temporary.reset();
    EXPECT_TRUE(fs::is_empty(folder() + "/tmp")) << "the cache lasts no longer";
  }
}

TEST_F(OwnFoldersTest, WhatOthersCanWriteToIsNotUsed) {
  ASSERT_THAT(claimFolders(search()).problems, ElementsAre());
  const std::string config = folder() + "/home/.config/tessera";
  fs::permissions(config, fs::perms(0777));
  const OwnFolders own = claimFolders(search());
  EXPECT_EQ(own.config, "");
  EXPECT_EQ(own.cache, folder() + "/home/.cache/tessera") << "which is as good as before";
  EXPECT_THAT(own.problems, ElementsAre(AllOf(HasSubstr(config), HasSubstr("chmod"))));
}

// The folders as the programs have them, and what follows where there are none.
TEST_F(OwnFoldersTest, ToolsHaveWhatWasClaimed) {
  ToolSearch without = search();
  without.home.clear();
  without.folders = claimFolders(without);
  const ToolPaths tools = findTools(without);
  EXPECT_EQ(tools.cacheDir, without.folders->cache);
  EXPECT_EQ(trustFile(tools), "");
  EXPECT_EQ(logFolder(tools), "");
  EXPECT_FALSE(record::Record::open({logFolder(tools), "x"}));
  EXPECT_TRUE(findMachines(tools).files.empty()) << "none from the working folder";
  machine::Machine machine;
  machine.name = "mine";
  EXPECT_FALSE(saveMachine(machine, tools));
}

TEST_F(OwnFoldersTest, AHomeThatCannotBeWrittenToHasATemporaryCache) {
  ToolSearch readOnly = search();
  readOnly.home = "/proc/self"; // where not even root can make anything
  const OwnFolders own = claimFolders(readOnly);
  EXPECT_THAT(own.cache, StartsWith(folder() + "/tmp/"));
  EXPECT_EQ(own.problems.size(), 3U);
}

} // namespace
} // namespace tessera::host
