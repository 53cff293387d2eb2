// SPDX-License-Identifier: MIT
#include "engine/base/sha256.h"
#include "engine/bench/device/bundle_store.h"
#include "engine/bench/device/failure.h"
#include "engine/host/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tessera::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

std::string hashOf(const std::string &content) {
  return sha256Hex(std::as_bytes(std::span(content)));
}

class BundleStoreTest : public testing::Test {
protected:
  std::string store() const { return m_scratch->path() + "/store"; }

  job::Reply keep(const std::string &folder, const json &files) {
    return m_store.keep({"keep", {{"folder", folder}, {"files", files}}, {}});
  }
  job::Reply put(const std::string &folder, const std::string &name, std::size_t offset,
                 const std::string &content, const std::string &hash) {
    return m_store.put({"put",
                        {{"folder", folder},
                         {"name", name},
                         {"offset", offset},
                         {"bytes", json::binary({content.begin(), content.end()})},
                         {"sha256", hash}},
                        {}});
  }
  static json file(const std::string &name, const std::string &content) {
    return {{"name", name}, {"sha256", hashOf(content)}};
  }
  template <typename Action>
  static std::optional<Failure> failureOf(const Action &action) {
    try {
      action();
    } catch (const Failure &failure) {
      return failure;
    }
    return std::nullopt;
  }

private:
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());

protected:
  BundleStore m_store{store()};
};

TEST_F(BundleStoreTest, AsksForWhatIsMissingOrDamaged) {
  const json files = json::array({file("a.so", "library"), file("reference/b.raw", "numbers")});
  EXPECT_EQ(keep("one", files).body["missing"], json::array({"a.so", "reference/b.raw"}));
  put("one", "a.so", 0, "libr", "");
  put("one", "a.so", 4, "ary", hashOf("library"));
  put("one", "reference/b.raw", 0, "numbers", hashOf("numbers"));
  EXPECT_EQ(keep("one", files).body["missing"], json::array());
  ASSERT_TRUE(host::writeFile(store() + "/one/a.so", "half"));
  EXPECT_EQ(keep("one", files).body["missing"], json::array({"a.so"}));
}

// A file that cannot be read, as a folder cannot, is one more that has to be sent.
TEST_F(BundleStoreTest, WhatCannotBeReadIsMissing) {
  fs::create_directories(store() + "/one/a.so");
  EXPECT_EQ(keep("one", json::array({file("a.so", "library")})).body["missing"],
            json::array({"a.so"}));
}

TEST_F(BundleStoreTest, ABundleWithoutFilesIsKeptToo) {
  const job::Reply kept = keep("empty", json::array());
  ASSERT_EQ(kept.outcome, Outcome::Ok);
  EXPECT_TRUE(fs::is_directory(kept.body["path"].get<std::string>()));
}

TEST_F(BundleStoreTest, NoFolderLeadsOutOfTheStore) {
  for (const char *folder : {"..", "../else", "/etc", "", ".", "a/b"}) {
    const auto failure = failureOf([&] { keep(folder, json::array()); });
    ASSERT_TRUE(failure) << folder;
    EXPECT_THAT(failure->error.message, HasSubstr("not the folder of a bundle"));
  }
}

TEST_F(BundleStoreTest, RemovesThoseUsedLongestAgo) {
  constexpr int kMany = 40;
  for (int i = 0; i < kMany; ++i) {
    const std::string path = store() + "/b" + std::to_string(i);
    fs::create_directories(path);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(kMany - i));
  }
  ASSERT_EQ(keep("new", json::array()).outcome, Outcome::Ok);
  EXPECT_TRUE(fs::exists(store() + "/new"));
  EXPECT_FALSE(fs::exists(store() + "/b0"));
  EXPECT_TRUE(fs::exists(store() + "/b39"));
}

TEST_F(BundleStoreTest, AFullDiskIsTheSystemsFault) {
  fs::create_directories(store() + "/one");
  fs::create_symlink("/dev/full", store() + "/one/a.so.part");
  const auto failure = failureOf([&] { put("one", "a.so", 0, "library", hashOf("library")); });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->error.code, ErrorCode::System);
  EXPECT_THAT(failure->error.message, HasSubstr("No space left on device"));
}

} // namespace
} // namespace tessera::bench
