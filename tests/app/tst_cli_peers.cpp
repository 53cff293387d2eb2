// SPDX-License-Identifier: MIT
// Tests the command peers, which runs Halide's own autoschedulers.
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kBlur = kSamples + "blur.hlpipe";

class CliPeersTest : public CliTest {};

TEST_F(CliPeersTest, ListsThemWithoutAPipeline) {
  const Ran ran = run({"peers", "--list", "--machine", "h200"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, StartsWith("peer"));
  EXPECT_THAT(ran.output, HasSubstr("\nadams2019"));
  EXPECT_THAT(ran.output, HasSubstr("shared_memory_sm_limit_kb=228"));
}

// The schedule files that the command `peers` writes can be given to --schedule of other commands.
TEST_F(CliPeersTest, KeepsSchedulesThatOtherCommandsTake) {
  const std::string folder = home() + "/peers";
  const Ran ran = run({"peers", kBlur, "--only", "li2018,mullapudi2016", "-o", folder, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  ASSERT_EQ(document["peers"].size(), 2U);
  EXPECT_EQ(document["peers"][0]["status"], "scheduled");
  EXPECT_GT(document["peers"][0]["predicted_ms"], 0);
  // The schedule of Mullapudi2016 has blocks of 2,048 threads. It is kept only as a pipeline file.
  EXPECT_EQ(document["peers"][1]["status"], "opaque");
  EXPECT_THAT(document["peers"][1]["why"].get<std::string>(), HasSubstr("64×32×1"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/mullapudi2016.hlpipe"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/mullapudi2016.schedule.h"));
  const Ran compiled = run({"compile", kBlur, "--schedule", folder + "/li2018.schedule.h"});
  EXPECT_EQ(compiled.code, 0) << compiled.errors;
}

TEST_F(CliPeersTest, RequestsThatMeanNothing) {
  const Ran unknown = run({"peers", kBlur, "--only", "li2019"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("Known autoschedulers: li2018, "));
  const Ran without = run({"peers"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.errors, HasSubstr("--list"));
}

} // namespace
} // namespace tessera::app::test
