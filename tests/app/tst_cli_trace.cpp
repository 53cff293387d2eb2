// SPDX-License-Identifier: MIT
// Tests the option --trace of the command schedule, on samples.
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::app {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliTrace : public test::CliTest {
protected:
  Ran harris(std::vector<std::string> more) {
    std::vector<std::string> arguments{"schedule", test::kSamples + "harris.hlpipe"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return ran;
  }

  json traced(std::vector<std::string> more) {
    more.insert(more.end(), {"--trace", "--json"});
    return json::parse(harris(more).output);
  }
};

TEST_F(CliTrace, EveryAlgorithmTellsWhatItTookAndRefused) {
  for (const char *algorithm :
       {"auto", "autogpu", "mullapudi", "mullapudi-baseline", "polymage-like", "dp-fusion"}) {
    SCOPED_TRACE(algorithm);
    const json trace = traced({"--algorithm", algorithm})["trace"];
    EXPECT_EQ(trace["left_out"], 0);
    EXPECT_EQ(trace.contains("unit"), std::string(algorithm) == "auto");
    std::size_t taken = 0, refused = 0;
    for (const json &row : trace["rows"]) {
      taken += row["outcome"] == "taken" ? 1 : 0;
      if (row["outcome"] != "refused") continue;
      ++refused;
      EXPECT_NE(row["reason"], "") << row;
    }
    EXPECT_GT(taken, 0U);
    EXPECT_GT(refused, 0U);
  }
}

TEST_F(CliTrace, BeamTellsWhatItsPrePassFroze) {
  const json found = traced(
      {"--algorithm", "beam", "--param", "SAMPLES=2", "--param", "BEAM=4", "--param", "PASSES=2"});
  std::vector<std::string> frozen, passes;
  for (const json &row : found["trace"]["rows"]) {
    if (row["outcome"] == "frozen") frozen.push_back(row["funcs"][0]);
    if (row.contains("counts") && row["counts"].contains("states")) passes.push_back(row["what"]);
  }
  EXPECT_EQ(passes, (std::vector<std::string>{"the pre-pass", "pass 1", "pass 2"}));
  EXPECT_THAT(found["remarks"][0],
              StartsWith(std::to_string(frozen.size()) + " funcs were frozen by the pre-pass"));
}

TEST_F(CliTrace, IsATableOfPlainText) {
  const std::string output = harris({"--algorithm", "mullapudi", "--trace"}).output;
  EXPECT_THAT(output, HasSubstr("\nphase "));
  EXPECT_THAT(output, HasSubstr("\ngrouping "));
  EXPECT_THAT(output, HasSubstr("merge into "));
}

TEST_F(CliTrace, IsThereOnlyIfItIsAskedFor) {
  EXPECT_FALSE(json::parse(harris({"--json"}).output).contains("trace"));
  const Ran ran = run({"schedule", test::kSamples + "harris.hlpipe", "--trace", "--sizes", "a"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, HasSubstr("--sizes excludes --trace"));
}

} // namespace
} // namespace tessera::app
