// SPDX-License-Identifier: MIT
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class CliBlockTest : public CliTest {
protected:
  Ran block(const std::string &sample, std::vector<std::string> more) {
    std::vector<std::string> arguments{"block", kSamples + sample + ".hlpipe", "--schedule",
                                       "default"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
};

TEST_F(CliBlockTest, SaysThreadsAccessesAndWaves) {
  const Ran ran = block("harris", {"--kernel", "1"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output,
              AllOf(HasSubstr("harris on NVIDIA H200 SXM, kernel 1"), HasSubstr("threads in"),
                    HasSubstr("1 point:"), HasSubstr("per wave"), HasSubstr("efficiency"),
                    HasSubstr("lane 31")));
}

// The grid has the numbers of `occupancy`. The present size of each handle has the time that
// `explain` predicts.
TEST_F(CliBlockTest, JsonAgreesWithExplainAndOccupancy) {
  for (const std::string sample : {"harris", "local_laplacian"}) {
    const Ran occupied =
        run({"occupancy", kSamples + sample + ".hlpipe", "--schedule", "default", "--json"});
    const Ran explained =
        run({"explain", kSamples + sample + ".hlpipe", "--schedule", "default", "--json"});
    ASSERT_EQ(occupied.code, 0) << occupied.errors;
    ASSERT_EQ(explained.code, 0) << explained.errors;
    const json kernels = json::parse(occupied.output)["kernels"];
    const json predicted = json::parse(explained.output)["kernels"];
    for (std::size_t k = 0; k < kernels.size(); k += 1 + kernels.size() / 4) {
      const Ran ran = block(sample, {"--kernel", std::to_string(k + 1), "--json"});
      ASSERT_EQ(ran.code, 0) << ran.errors;
      const json document = json::parse(ran.output);
      EXPECT_EQ(document["kernel"], kernels[k]["kernel"]);
      EXPECT_EQ(document["block"]["threads"], kernels[k]["threads"]);
      EXPECT_EQ(document["grid"]["blocks"].get<double>(), kernels[k]["blocks"].get<double>());
      for (const char *key : {"registers", "shared_bytes", "occupancy", "occupancy_limited_by",
                              "resident_blocks", "waves", "launches"})
        EXPECT_EQ(document["grid"][key], kernels[k][key]) << key;
      EXPECT_EQ(document["kernel"], predicted[k]["kernel"]);
      EXPECT_GT(document["accesses"].size(), 0u);
      for (const json &handle : document["handles"]) {
        bool isAmong = false;
        for (const json &legal : handle["legal"])
          isAmong = isAmong ||
                    (legal["size"] == handle["size"] &&
                     std::abs(legal["predicted_ms"].get<double>() -
                              json::parse(explained.output)["predicted_ms"].get<double>()) < 1e-9);
        EXPECT_TRUE(isAmong) << handle.dump();
      }
    }
  }
}

TEST_F(CliBlockTest, AThreadAndAnAccessAreChosen) {
  const Ran ran = block("harris", {"--access", "2", "--thread", "3,1,0", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  EXPECT_EQ(document["pattern"]["access"], 2);
  EXPECT_EQ(document["owned"]["thread"], json({3, 1, 0}));
  EXPECT_EQ(document["owned"]["elements"].size(), document["block"]["points"].get<std::size_t>());
}

TEST_F(CliBlockTest, WhatIsNotThereIsSaid) {
  const Ran kernel = block("harris", {"--kernel", "99"});
  EXPECT_EQ(kernel.code, 2);
  EXPECT_THAT(kernel.errors, HasSubstr("no kernel '99'"));
  const Ran stage = block("harris", {"--stage", "nobody"});
  EXPECT_EQ(stage.code, 2);
  EXPECT_THAT(stage.errors, HasSubstr("no stage 'nobody'"));
  const Ran access = block("harris", {"--access", "99"});
  EXPECT_EQ(access.code, 2);
  EXPECT_THAT(access.errors, HasSubstr("no access 99"));
  const Ran thread = block("harris", {"--thread", "5000,0,0", "--json"});
  EXPECT_EQ(thread.code, 2);
  EXPECT_THAT(thread.output, HasSubstr("no thread 5000,0,0"));
}

} // namespace
} // namespace tessera::app::test
