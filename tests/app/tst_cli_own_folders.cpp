// SPDX-License-Identifier: MIT
// Tests what tessera-cli believes of what lies in the user's folders, and what it does without
// them.
#include "tests/app/cli_test.h"

#include "engine/host/trust.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tessera::app::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CliOwnFoldersTest : public CliTest {
protected:
  const std::string kBlur = kSamples + "blur.hlpipe";

  std::string in(const std::string &name) const { return home() + "/" + name; }

  // Everything that was made in TMPDIR is gone again.
  void expectNothingLeft() const { EXPECT_TRUE(fs::is_empty(in("tmp"))); }

  // A home that others have prepared: the generator is trusted there.
  std::string plantedHome(const std::string &generator) const {
    const std::string store = in("planted/.config/tessera/trust.json");
    EXPECT_TRUE(host::writeFile(store, R"({"files": [{"sha256": ")" + *host::fileHash(generator) +
                                           R"("}]})"));
    return in("planted");
  }

  Ran runAt(const std::string &homeFolder, std::vector<std::string> arguments) {
    fs::create_directories(in("tmp"));
    return runWith({{"HOME", homeFolder}, {"TMPDIR", in("tmp")}}, std::move(arguments));
  }
};

TEST_F(CliOwnFoldersTest, WithoutAHomeCommandsWorkAndNothingIsKept) {
  for (const std::string homeFolder : {"", "relative/home", "/proc/self"}) {
    for (const std::vector<std::string> &command :
         {std::vector<std::string>{"compile", kBlur, "--schedule", "default"},
          {"verify", kBlur, "--schedule", "default", "--small"}}) {
      const Ran ran = runAt(homeFolder, command);
      SKIP_WITHOUT_OPENCL(ran);
      EXPECT_EQ(ran.code, 0) << command.front() << " at '" << homeFolder << "': " << ran.errors;
      EXPECT_THAT(ran.errors, HasSubstr("the cache lasts for this run alone"));
      expectNothingLeft();
    }
  }
  EXPECT_FALSE(fs::exists("relative"));
}

TEST_F(CliOwnFoldersTest, APlantedPermissionIsNotBelieved) {
  const std::string generator = tessera::test::binPath("blur.generator");
  if (!fs::exists(generator)) GTEST_SKIP() << "the samples were not built";
  const std::string planted = plantedHome(generator);
  EXPECT_EQ(runAt(planted, {"inspect", generator}).code, 0) << "as long as nobody else can write";
  for (const char *part : {"", "/.config", "/.config/tessera"}) {
    fs::permissions(planted + part, fs::perms(0777));
    const Ran ran = runAt(planted, {"inspect", generator});
    EXPECT_EQ(ran.code, 3) << part;
    EXPECT_THAT(ran.errors, AllOf(HasSubstr("Others can write to '" + planted + part + "'"),
                                  HasSubstr("--trust")));
    fs::permissions(planted + part, fs::perms(0755));
  }
  const Ran relative =
      runWith({{"HOME", ""}, {"XDG_CONFIG_HOME", ".config"}}, {"inspect", generator});
  EXPECT_EQ(relative.code, 3);
}

// The user's word counts even where it cannot be kept.
TEST_F(CliOwnFoldersTest, WithoutAHomeAPermissionIsForOneRun) {
  const std::string generator = tessera::test::binPath("blur.generator");
  if (!fs::exists(generator)) GTEST_SKIP() << "the samples were not built";
  const Ran trusted = runAt("", {"inspect", generator, "--trust"});
  EXPECT_EQ(trusted.code, 0) << trusted.errors;
  EXPECT_EQ(runAt("", {"inspect", generator}).code, 3);
  expectNothingLeft();
}

// A home that stands and is read only, even for root: bubblewrap mounts it so.
TEST_F(CliOwnFoldersTest, AReadOnlyHomeIsEnough) {
  ASSERT_EQ(run({"machine", "list"}).code, 0); // makes the folders
  fs::create_directories(in("tmp"));
  const std::string wrapped = "bwrap --bind / / --ro-bind " + home() + " " + home() + " --bind " +
                              in("tmp") + " " + in("tmp") + " --dev /dev --proc /proc ";
  if (runIn(wrapped + "true", {}).code != 0) GTEST_SKIP() << "there is no bubblewrap";
  for (const std::vector<std::string> &command :
       {std::vector<std::string>{"compile", kBlur, "--schedule", "default"},
        {"verify", kBlur, "--schedule", "default", "--small"}}) {
    const Ran ran = runIn("export TMPDIR=" + in("tmp") + "; " + wrapped + "\"$@\"", command);
    SKIP_WITHOUT_OPENCL(ran);
    EXPECT_EQ(ran.code, 0) << command.front() << ": " << ran.errors;
    EXPECT_THAT(ran.errors, AllOf(HasSubstr("Read-only file system"),
                                  HasSubstr("the cache lasts for this run alone"),
                                  Not(HasSubstr("permission to run code"))));
    expectNothingLeft();
  }
}

} // namespace
} // namespace tessera::app::test
