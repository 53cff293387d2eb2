// SPDX-License-Identifier: MIT
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

std::string sample(const std::string &name) { return kSamples + name + ".hlpipe"; }

TEST_F(CliTest, ListsMachines) {
  const Ran ran = run({"machine", "list"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, HasSubstr("rtx-4090          NVIDIA GeForce RTX 4090        8.9  128"));
  const Ran asJson = run({"machine", "list", "--json"});
  EXPECT_EQ(json::parse(asJson.output)["machines"].size(), 16U);
  const json ofGpu =
      json::parse(run({"machine", "list", "--gpu", "NVIDIA H200", "--json"}).output)["machines"];
  ASSERT_EQ(ofGpu.size(), 1U);
  EXPECT_EQ(ofGpu[0]["name"], "h200");
  EXPECT_EQ(run({"machine", "list", "--gpu", "Voodoo 2"}).output, "");
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

TEST_F(CliTest, TellsAllThreeCurvesAtOnce) {
  const Ran ran = run({"occupancy", "--curves"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output,
              AllOf(HasSubstr("  over threads, now 256\n"),
                    HasSubstr("  → 1 to 32          100.0 %    8 blocks   64 warps  limited by "
                              "threads\n    33 to 40          75.0 %    6 blocks   48 warps")));
  const json document = json::parse(run({"occupancy", "--curves", "--json"}).output);
  for (const std::string axis : {"threads", "registers", "shared_bytes"})
    EXPECT_EQ(document["curves"][axis],
              json::parse(run({"occupancy", "--over", axis, "--json"}).output)["curve"]);
}

// For the kernels of a schedule, occupancy gives the same numbers as explain.
TEST_F(CliTest, OccupancyOfAScheduleAgreesWithExplain) {
  for (const std::string name : {"blur", "harris", "hist", "mat_mul"})
    for (const std::string word : {"default", "manual"}) {
      SCOPED_TRACE(name + " " + word);
      const std::vector<std::string> rest{sample(name), "--schedule", word,
                                          "--json",     "--machine",  "rtx-4090"};
      const auto document = [&](std::vector<std::string> words) {
        words.insert(words.end(), rest.begin(), rest.end());
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, 0) << ran.output;
        return json::parse(ran.output);
      };
      const json told = document({"occupancy", "--curves"}), explained = document({"explain"});
      EXPECT_EQ(told["register_cap"], explained["register_cap"]);
      ASSERT_EQ(told["kernels"].size(), explained["kernels"].size());
      for (std::size_t k = 0; k < told["kernels"].size(); ++k) {
        const json &kernel = told["kernels"][k];
        for (const char *key :
             {"kernel", "launches", "blocks", "threads", "shared_bytes", "registers",
              "registers_spilled", "occupancy", "occupancy_limited_by", "waves"})
          EXPECT_EQ(kernel[key], explained["kernels"][k][key]) << key;
        for (const json &point : kernel["curves"]["registers"])
          if (point["registers"] == kernel["registers"]) {
            EXPECT_EQ(point["occupancy"], kernel["occupancy"]);
            EXPECT_EQ(point["blocks"], kernel["resident_blocks"]);
            EXPECT_EQ(point["blocks_by"], kernel["blocks_by"]);
          }
      }
    }
}

TEST_F(CliTest, OccupancyOfAScheduleAsksPtxas) {
  const Ran ran = run({"occupancy", sample("harris"), "--schedule", "manual", "--ptxas", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.output;
  const json kernel = json::parse(ran.output)["kernels"][0], ptxas = kernel["ptxas"];
  const json compiled =
      json::parse(run({"compile", sample("harris"), "--schedule", "manual", "--json"}).output);
  EXPECT_EQ(ptxas["registers"], compiled["kernels"][0]["assembler"]["registers"]);
  const json block =
      json::parse(run({"occupancy", "--threads", "128", "--registers", ptxas["registers"].dump(),
                       "--shared", kernel["shared_bytes"].dump(), "--json"})
                      .output);
  EXPECT_EQ(ptxas["occupancy"], block["occupancy"]);
  EXPECT_EQ(ptxas["resident_blocks"], block["blocks"]);
  EXPECT_EQ(ptxas["blocks_by"], block["blocks_by"]);
}

TEST_F(CliTest, OccupancyOfAScheduleIsATable) {
  const Ran ran = run({"occupancy", sample("harris"), "--schedule", "manual"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output,
              testing::MatchesRegex("harris on NVIDIA H200.*, at most 64 registers per thread\n"
                                    "kernel  threads  registers  shared  occupancy .*\n"
                                    "output  32×4×1 .* % .*\n"));
}

TEST_F(CliTest, OccupancyRefusesWhatMakesNoSense) {
  const auto expectRefused = [&](const std::vector<std::string> &words, int code,
                                 const std::string &message) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, code);
    EXPECT_THAT(ran.errors, HasSubstr(message));
    EXPECT_EQ(ran.output, "");
  };
  expectRefused({"occupancy", sample("blur")}, 2, "--schedule");
  expectRefused({"occupancy", "--schedule", "manual"}, 2, "FILE");
  expectRefused({"occupancy", "--ptxas"}, 2, "FILE");
  expectRefused({"occupancy", sample("blur"), "--schedule", "manual", "--threads", "64"}, 2,
                "--threads");
  expectRefused({"occupancy", "--curves", "--over", "threads"}, 2, "--over");
  expectRefused(
      {"occupancy", sample("blur"), "--schedule", "default", "--machine", "opencl", "--ptxas"}, 2,
      "is not a machine that ptxas compiles for");
}

} // namespace
} // namespace tessera::app::test
