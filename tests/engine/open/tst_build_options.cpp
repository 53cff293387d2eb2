// SPDX-License-Identifier: MIT
// What a generator's source needs to be compiled, found beside it.
#include "engine/open/build_options.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::open {
namespace {

using testing::ElementsAre;

TEST(BuildOptions, WordsAreThoseOfAShell) {
  EXPECT_THAT(wordsOf("c++  -DNAME=\"a b\" -I'x y' -I/a\\ b -D'Q=\"q\"' ''"),
              ElementsAre("c++", "-DNAME=a b", "-Ix y", "-I/a b", "-DQ=\"q\"", ""));
  EXPECT_THAT(wordsOf(" "), ElementsAre());
}

class BuildOptionsNear : public host::test::ScratchTest {
protected:
  void put(const std::string &name, const std::string &entries) {
    std::filesystem::create_directories(std::filesystem::path(folder() + "/" + name).parent_path());
    file(name, "[" + entries + "]");
  }
};

TEST_F(BuildOptionsNear, FoldersAndDefinitionsOfTheSource) {
  std::filesystem::create_directories(folder() + "/src");
  const std::string source = file("src/a.cpp", "int a;\n");
  put("build/compile_commands.json",
      R"({"directory": ")" + folder() +
          R"(", "file": "src/other.cpp", "command": "c++ -Iwrong"},)" + R"({"directory": ")" +
          folder() +
          R"(", "file": "src/a.cpp", "command": "c++ -Iinc -isystem /usr/x -D N=1 -DM -O2 -c"})");
  const BuildOptions found = buildOptionsNear(source);
  EXPECT_THAT(found.includes, ElementsAre(folder() + "/inc", "/usr/x"));
  EXPECT_THAT(found.definitions, ElementsAre("N=1", "M"));
}

TEST_F(BuildOptionsNear, AListOfArgumentsBesideTheSource) {
  const std::string source = file("b.cpp", "int b;\n");
  put("compile_commands.json",
      R"({"directory": ")" + folder() +
          R"(", "file": "b.cpp", "arguments": ["c++", "-I", "a b", "-DX"]})");
  const BuildOptions found = buildOptionsNear(source);
  EXPECT_THAT(found.includes, ElementsAre(folder() + "/a b"));
  EXPECT_THAT(found.definitions, ElementsAre("X"));
}

TEST_F(BuildOptionsNear, WhatIsNoListOrSaysNothingIsNotUsed) {
  const std::string source = file("c.cpp", "int c;\n");
  EXPECT_EQ(buildOptionsNear(source), BuildOptions{});
  for (const char *text : {"{}", "[1, {\"file\": 3}]", "[", "[{\"directory\": \"/\"}]"}) {
    file("compile_commands.json", text);
    EXPECT_EQ(buildOptionsNear(source), BuildOptions{}) << text;
  }
}

} // namespace
} // namespace tessera::open
