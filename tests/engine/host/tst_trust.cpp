// SPDX-License-Identifier: MIT
#include "engine/host/trust.h"
#include "tests/engine/host/scratch_test.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::host {
namespace {

using TrustTest = host::test::ScratchTest;

TEST_F(TrustTest, TrustIsByContentAndRemembered) {
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

TEST_F(TrustTest, ADamagedTrustStoreTrustsNothing) {
  for (const char *content : {"", "{", "[]", "{\"files\":3}", "{\"files\":[3,{\"sha256\":4}]}"}) {
    const std::string store = file("trust.json", content);
    EXPECT_FALSE(TrustStore(store).isTrusted("abc")) << content;
  }
}

// What others can write to may be theirs, so the user is asked again.
TEST_F(TrustTest, AStoreThatOthersCanWriteIsNotBelieved) {
  const std::string store = folder() + "/trust.json";
  ASSERT_TRUE(TrustStore(store).trust("abc", "x"));
  std::filesystem::permissions(store, std::filesystem::perms(0666));
  EXPECT_FALSE(TrustStore(store).isTrusted("abc"));
  std::filesystem::permissions(store, std::filesystem::perms(0644));
  EXPECT_TRUE(TrustStore(store).isTrusted("abc"));
}

TEST_F(TrustTest, WithoutAFilePermissionsAreForThisRun) {
  TrustStore trust("");
  EXPECT_TRUE(trust.trust("abc", "x"));
  EXPECT_TRUE(trust.isTrusted("abc"));
  EXPECT_FALSE(TrustStore("").isTrusted("abc"));
}

TEST_F(TrustTest, APermissionThatCannotBeKeptHoldsForThisRun) {
  TrustStore trust(file("plain", "") + "/trust.json");
  EXPECT_FALSE(trust.trust("abc", "x"));
  EXPECT_TRUE(trust.isTrusted("abc"));
}

} // namespace
} // namespace tessera::host
