// SPDX-License-Identifier: MIT
#include "engine/open/scratch_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace tessera::open {
namespace {

TEST(ScratchPaths, AreKnownByTheirFolder) {
  EXPECT_EQ(scratchFolderOf("/home/a b/.cache/scratch.a1B2c3/blur.hlpipe"),
            "/home/a b/.cache/scratch.a1B2c3/");
  EXPECT_EQ(scratchFolderOf("/tmp/scratch.a1B2c3"), "/tmp/scratch.a1B2c3/");
  EXPECT_EQ(scratchFolderOf("/tmp/scratch.disk/blur.hlpipe"), "") << "a folder of the user's";
  EXPECT_EQ(scratchFolderOf("/tmp/scratch.a1B2c-/blur.hlpipe"), "");
  EXPECT_EQ(scratchFolderOf("/tmp/blur.hlpipe"), "");
  EXPECT_EQ(scratchFolderOf(""), "");
}

TEST(ScratchPaths, StandInNoError) {
  const std::string folder = "/home/a b/.cache/scratch.a1B2c3";
  const nlohmann::json request{{"path", folder + "/blur.hlpipe"},
                               {"inputs", {{{"file", "/data/scratch.ABCDEF/in.raw"}}}}};
  const auto shown = [&](const std::string &message, const std::string &hint) {
    return withoutScratchFolders({ErrorCode::InputRefused, message, hint}, request);
  };
  const Error error =
      shown(folder + "/blur.hlpipe: differs from " + folder + "/blur.estimates.json",
            "Remove '/data/scratch.ABCDEF/in.raw'.");
  EXPECT_EQ(error.message, "differs from blur.estimates.json");
  EXPECT_EQ(error.hint, "Remove 'in.raw'.");
  EXPECT_EQ(shown("in '" + folder + "/blur.hlpipe': nothing", "").message,
            "in 'blur.hlpipe': nothing");
}

TEST(ScratchPaths, LeaveOtherErrorsAlone) {
  const Error ofUser{ErrorCode::InputRefused, "/tmp/scratch.ABCDEF/a.hlpipe: is truncated", ""};
  EXPECT_EQ(withoutScratchFolders(ofUser, {{"path", "/tmp/scratch.ABCDEF/a.hlpipe"}}), ofUser);
  const std::string kept = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
  for (const char *place : {"/usr/share", "/usr/share/"}) {
    ::setenv("TMPDIR", place, 1);
    EXPECT_EQ(ownScratchFolderOf("/usr/share/scratch.ABCDEF/a.hlpipe"), "") << place;
    EXPECT_EQ(ownScratchFolderOf("/var/cache/scratch.ABCDEF/a.hlpipe"),
              "/var/cache/scratch.ABCDEF/");
  }
  kept.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  const Error error{ErrorCode::InputRefused, "/tmp/blur.hlpipe: is truncated", "Write it again."};
  EXPECT_EQ(withoutScratchFolders(error, {{"path", "/tmp/blur.hlpipe"}}), error);
  EXPECT_EQ(withoutScratchFolders(error, nlohmann::json()), error);
}

} // namespace
} // namespace tessera::open
