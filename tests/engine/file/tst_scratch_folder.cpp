// SPDX-License-Identifier: MIT
#include "tests/engine/file/folder_test.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tessera::file {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public test::FolderTest {
protected:
  // A child process that has made a scratch folder in folder() and waits to be killed.
  struct Owner {
    pid_t process = -1;
    std::string scratch;
  };

  Owner owner() const {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t process = ::fork();
    if (process == 0) {
      const auto scratch = ScratchFolder::create(folder());
      if (!scratch || !writeFile(scratch->path() + "/inner/file", "x")) ::_exit(1);
      (void)!::write(ends[1], scratch->path().data(), scratch->path().size());
      ::close(ends[1]);
      while (true)
        ::pause();
    }
    ::close(ends[1]);
    std::string path(1000, '\0');
    std::size_t size = 0;
    for (ssize_t got = 0; (got = ::read(ends[0], path.data() + size, path.size() - size)) > 0;)
      size += static_cast<std::size_t>(got);
    ::close(ends[0]);
    path.resize(size);
    return {process, path};
  }

  static void end(const Owner &owner, int signal) {
    ::kill(owner.process, signal);
    int how = 0;
    ASSERT_EQ(::waitpid(owner.process, &how, 0), owner.process);
    EXPECT_TRUE(WIFSIGNALED(how));
  }
};

TEST_F(ScratchFolderTest, VanishesWithItsOwner) {
  std::string path;
  {
    auto scratch = ScratchFolder::create(folder());
    ASSERT_TRUE(scratch);
    path = scratch->path();
    ASSERT_TRUE(writeFile(path + "/inner/file", "x"));
    const ScratchFolder moved = std::move(*scratch);
    EXPECT_TRUE(fs::exists(moved.path()));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchFolderTest, WhatAKilledProcessLeavesTheNextOneRemoves) {
  for (const int signal : {SIGKILL, SIGHUP}) {
    const Owner killed = owner();
    ASSERT_TRUE(fs::exists(killed.scratch + "/inner/file"));
    end(killed, signal);
    EXPECT_TRUE(fs::exists(killed.scratch)) << "nobody was there to remove it";
    const auto next = ScratchFolder::create(folder());
    EXPECT_FALSE(fs::exists(killed.scratch));
    EXPECT_TRUE(fs::exists(next->path()));
  }
}

TEST_F(ScratchFolderTest, WhatALivingProcessUsesIsLeft) {
  const Owner living = owner();
  const auto own = ScratchFolder::create(folder());
  sweepScratch(folder());
  EXPECT_TRUE(fs::exists(living.scratch + "/inner/file"));
  EXPECT_TRUE(fs::exists(own->path())) << "a process does not sweep its own either";
  end(living, SIGKILL);
  sweepScratch(folder());
  EXPECT_FALSE(fs::exists(living.scratch));
  EXPECT_TRUE(fs::exists(own->path()));
}

TEST_F(ScratchFolderTest, OnlyScratchFoldersAreSwept) {
  const std::vector<std::string> others{"scratch", "scratch.long-name", "scratch-abcdef", "other"};
  for (const std::string &name : others)
    fs::create_directories(in(name));
  plain("scratch.abcdef", "a file");
  fs::create_directories(in("target/inner"));
  link("scratch.ghijkl", "target");
  if (::geteuid() == 0) {
    fs::create_directories(in("scratch.theirs"));
    ASSERT_EQ(::chown(in("scratch.theirs").c_str(), 1234, 4321), 0);
  }
  const std::size_t before = entriesIn(folder());
  sweepScratch(folder());
  EXPECT_EQ(entriesIn(folder()), before);
  EXPECT_TRUE(fs::exists(in("target/inner")));
}

// Whatever a sweep takes just after it was made is made again: nobody gets a folder that is gone.
TEST_F(ScratchFolderTest, MakingAndSweepingAtOnceLosesNothing) {
  std::vector<pid_t> makers;
  for (int i = 0; i < 4; ++i) {
    const pid_t maker = ::fork();
    if (maker == 0) {
      for (int n = 0; n < 200; ++n) {
        const auto scratch = ScratchFolder::create(folder());
        if (!scratch || !writeFile(scratch->path() + "/a", "x", Durability::Rebuildable) ||
            !readFile(scratch->path() + "/a"))
          ::_exit(1);
      }
      ::_exit(0);
    }
    makers.push_back(maker);
  }
  for (const pid_t maker : makers) {
    int how = 0;
    ASSERT_EQ(::waitpid(maker, &how, 0), maker);
    EXPECT_EQ(how, 0);
  }
}

TEST_F(ScratchFolderTest, WithoutAParentThereIsNone) { EXPECT_FALSE(ScratchFolder::create("")); }

} // namespace
} // namespace tessera::file
