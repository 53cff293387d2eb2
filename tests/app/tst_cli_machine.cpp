// SPDX-License-Identifier: MIT
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST_F(CliTest, ListsMachines) {
  const Ran ran = run({"machine", "list"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, HasSubstr("rtx-4090          NVIDIA GeForce RTX 4090        8.9  128"));
  const Ran asJson = run({"machine", "list", "--json"});
  EXPECT_EQ(json::parse(asJson.output)["machines"].size(), 10U);
}

TEST_F(CliTest, ShowsAMachineWithTheSourceOfEachNumber) {
  const Ran ran = run({"machine", "show", "v100"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, HasSubstr("            80  multiprocessors\n"
                                    "                NVIDIA Tesla V100 GPU Architecture"));
  const json asJson = json::parse(run({"machine", "show", "v100", "--json"}).output);
  EXPECT_EQ(asJson["values"]["sm_shared_bytes"]["value"], 96 * 1024);
  const Ran unknown = run({"machine", "show", "voodoo"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("no machine is called 'voodoo'"));
}

TEST_F(CliTest, TellsOccupancyAndItsCurve) {
  const Ran ran = run({"occupancy", "--threads", "256", "--registers", "64"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.output, "  50.0 %    4 blocks   32 warps  limited by registers\n");
  const json curve = json::parse(
      run({"occupancy", "--machine", "rtx-2080-ti", "--over", "threads", "--json"}).output);
  EXPECT_EQ(curve["occupancy"], 1.0);
  ASSERT_EQ(curve["curve"].size(), 32U);
  EXPECT_EQ(curve["curve"][0]["limiting"], "blocks");
  EXPECT_EQ(curve["curve"][0]["warps"], 16);
}

} // namespace
} // namespace tessera::app::test
