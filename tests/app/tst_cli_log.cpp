// SPDX-License-Identifier: MIT
// Tests the log that the command line writes, and the command that prints where it is.
#include "tests/app/cli_test.h"
#include "tests/support/telltale.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class CliLog : public app::test::CliTest {
protected:
  std::string folder() const { return home() + "/.local/state/tessera/logs"; }
  std::string log() const {
    const auto text = host::readFile(folder() + "/tessera-cli.log");
    return text ? *text : "";
  }
};

TEST_F(CliLog, SaysWhereItIs) {
  EXPECT_EQ(run({"log", "--path"}).output, folder() + "\n");
  EXPECT_EQ(run({"log", "--path"}, home() + "/state").output, home() + "/state/tessera/logs\n");
  const Ran nothing = run({"log"});
  EXPECT_EQ(nothing.code, 0);
  EXPECT_EQ(nothing.output, "");
  EXPECT_THAT(nothing.errors, HasSubstr("nothing has been written into " + folder()));
  EXPECT_FALSE(std::filesystem::exists(folder())) << "to ask leaves no trace";
  ASSERT_EQ(run({"completion"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder())) << "a shell that starts leaves none either";
}

TEST_F(CliLog, ACommandStandsInItWithItsWorkers) {
  const auto path = test::writeTelltale(home());
  ASSERT_TRUE(path) << path.error().message;
  const Ran ran = run({"inspect", *path});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, AllOf(HasSubstr("zaqxwv"), HasSubstr("pangolin")));
  ASSERT_EQ(run({"inspect", *path + ".gone"}).code, 3);
  EXPECT_EQ(run({"log"}).output, folder() + "/tessera-cli.log\n");
  const std::string text = log();
  EXPECT_THAT(text, HasSubstr("] info: command began command=inspect version=\""));
  EXPECT_THAT(text, HasSubstr("] info: process started program=tessera-halide pid="));
  EXPECT_THAT(text, HasSubstr(" request=import outcome=ok ms="));
  EXPECT_THAT(text, HasSubstr("] info: file opened file=1 kind=\"serialized pipeline\" bytes="));
  EXPECT_THAT(text, HasSubstr("] info: command ended command=inspect exit_code=0 ms="));
  EXPECT_THAT(text, HasSubstr("] warning: file opened file=1 kind=unknown outcome="));
  EXPECT_THAT(text, HasSubstr("] info: command ended command=inspect exit_code=3 ms="));
  EXPECT_THAT(test::telltalesIn(text), IsEmpty()) << text;
}

TEST_F(CliLog, WithoutOneEverythingElseWorks) {
  const Ran with = run({"inspect", app::test::kSamples + "blur.hlpipe"});
  const Ran without = run({"inspect", app::test::kSamples + "blur.hlpipe"}, "/dev/null");
  EXPECT_EQ(without.code, 0);
  EXPECT_EQ(without.output, with.output);
  EXPECT_THAT(without.errors,
              StartsWith("tessera-cli: '/dev/null' is not a folder. So there is no log"));
  EXPECT_EQ(std::ranges::count(without.errors, '\n'), 1) << without.errors;
}

} // namespace
} // namespace tessera
