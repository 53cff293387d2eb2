// SPDX-License-Identifier: MIT
#pragma once

#include "engine/file/read_file.h"
#include "engine/file/scratch_folder.h"
#include "engine/file/write_file.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <sys/stat.h>

namespace tessera::file::test {

// A test with a folder of its own, which is removed at the end.
class FolderTest : public testing::Test {
protected:
  std::string in(const std::string &name) const { return m_folder->path() + "/" + name; }
  const std::string &folder() const { return m_folder->path(); }

  std::string plain(const std::string &name, std::string_view content, mode_t mode = 0644) {
    EXPECT_TRUE(writeFile(in(name), content));
    EXPECT_EQ(::chmod(in(name).c_str(), mode), 0);
    return in(name);
  }
  std::string link(const std::string &name, const std::string &target) const {
    std::filesystem::create_symlink(target, in(name));
    return in(name);
  }
  static struct stat statusOf(const std::string &path) {
    struct stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
    return status;
  }
  static mode_t modeOf(const std::string &path) { return statusOf(path).st_mode & 07777U; }
  static std::size_t entriesIn(const std::string &path) {
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(path))
      ++entries;
    return entries;
  }

private:
  Result<ScratchFolder> m_folder = ScratchFolder::create(testing::TempDir());
};

} // namespace tessera::file::test
