// SPDX-License-Identifier: MIT
#include "engine/host/trust.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::host {
namespace {

using FilesTest = host::test::ScratchTest;
using testing::HasSubstr;

TEST_F(FilesTest, ReplacesAFileAndLeavesNothingElse) {
  const std::string path = file("deep/er/a.txt", "old");
  ASSERT_TRUE(writeFile(path, "new"));
  EXPECT_EQ(*readFile(path), "new");
  EXPECT_EQ(*readHead(path, 2), "ne");
  int entries = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder() + "/deep/er")) {
    (void)entry;
    ++entries;
  }
  EXPECT_EQ(entries, 1) << "no temporary file stays behind";
}

TEST_F(FilesTest, SaysWhichPathAndWhy) {
  file("plain", "");
  const Status under = writeFile(folder() + "/plain/b.txt", "x");
  ASSERT_FALSE(under);
  EXPECT_THAT(under.error().message, HasSubstr("/plain"));
  std::filesystem::create_directories(folder() + "/folder");
  EXPECT_FALSE(writeFile(folder() + "/folder", "x"));
  EXPECT_TRUE(std::filesystem::is_directory(folder() + "/folder"));
}

TEST_F(FilesTest, ScratchFoldersVanish) {
  std::string path;
  {
    const auto scratch = ScratchFolder::create(folder());
    ASSERT_TRUE(scratch);
    path = scratch->path();
    ASSERT_TRUE(writeFile(path + "/inner/file", "x"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(FilesTest, TrustIsByContentAndRemembered) {
  const std::string program = file("generator", "one");
  const std::string store = folder() + "/config/trust.json";
  const std::string hash = *fileHash(program);
  {
    TrustStore trust(store);
    EXPECT_FALSE(trust.isTrusted(hash));
    ASSERT_TRUE(trust.trust(hash, program));
    EXPECT_TRUE(trust.isTrusted(hash));
  }
  EXPECT_TRUE(TrustStore(store).isTrusted(hash));
  file("generator", "two");
  EXPECT_FALSE(TrustStore(store).isTrusted(*fileHash(program))) << "another content, another file";
}

TEST_F(FilesTest, ADamagedTrustStoreTrustsNothing) {
  for (const char *content : {"", "{", "[]", "{\"files\":3}", "{\"files\":[3,{\"sha256\":4}]}"}) {
    const std::string store = file("trust.json", content);
    EXPECT_FALSE(TrustStore(store).isTrusted("abc")) << content;
  }
}

} // namespace
} // namespace tessera::host
