// SPDX-License-Identifier: MIT
#include "engine/base/asked.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Asked, WordsAreQuotedWhereAShellWouldChangeThem) {
  EXPECT_EQ(commandWords({}), "");
  EXPECT_EQ(commandWords({{"estimate", "out=0:1024,-1:3"}, {"param", "in.type=uint8"}}),
            "--estimate out=0:1024,-1:3 --param in.type=uint8");
  EXPECT_EQ(commandWords({{"estimate", "out$1=0:4"}}), "--estimate 'out$1=0:4'");
  EXPECT_EQ(commandWords({{"include", "/it's here"}}), "--include '/it'\\''s here'");
}

TEST(Asked, NothingIsAskedForTwice) {
  std::vector<Asked> asked;
  ask(asked, {"param", "a=1"});
  ask(asked, {"param", "b=1"});
  ask(asked, {"param", "a=1"});
  EXPECT_EQ(asked, (std::vector<Asked>{{"param", "a=1"}, {"param", "b=1"}}));
}

} // namespace
} // namespace tessera
