// SPDX-License-Identifier: MIT
// Tests the command machine ceilings on fakes of NVIDIA's libraries.
#include "tests/app/cli_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

namespace tessera::app::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class CliCeilingsTest : public CliTest {
protected:
  CliCeilingsTest() {
    ::setenv("LD_LIBRARY_PATH", tessera::test::testPath("fake_cuda").c_str(), 1);
    aStepTakes("1000");
  }

  // `time` is in nanoseconds.
  void aStepTakes(const std::string &time) {
    ::setenv("TESSERA_FAKE_CUDA", ("ceilings " + time + " \"" + home() + "/launches\"").c_str(), 1);
  }
  double dramRead(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"machine", "ceilings", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run(std::move(arguments));
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return json::parse(ran.output)["rates"][0]["per_second"].get<double>();
  }
};

TEST_F(CliCeilingsTest, ShowsWhatWasDone) {
  const Ran ran = run({"machine", "ceilings"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, StartsWith("Fake GPU, driver 999.01, measured "));
  EXPECT_THAT(ran.output, AllOf(HasSubstr("at 1700 to 1700 MHz"), HasSubstr("power limit"),
                                HasSubstr("dram_read"), HasSubstr("65536 KiB"),
                                HasSubstr("additions of three operands (IADD3)")));
}

TEST_F(CliCeilingsTest, AreMeasuredOnceForAGpuAndItsDriver) {
  const double first = dramRead();
  aStepTakes("2000");
  EXPECT_EQ(dramRead(), first);
  const double again = dramRead({"--again"});
  EXPECT_NEAR(again, first / 2, 0.01 * first);
  EXPECT_EQ(dramRead(), again);
}

TEST_F(CliCeilingsTest, WhatIsDamagedIsMeasuredAnew) {
  dramRead();
  for (const auto &file : fs::directory_iterator(home() + "/.cache/tessera/ceilings"))
    ASSERT_TRUE(host::writeFile(file.path().string(), "{ damaged"));
  EXPECT_GT(dramRead(), 0);
}

TEST_F(CliCeilingsTest, AMachineOfThatNameIsDrawnWithThem) {
  const std::string file = home() + "/gpu.json";
  ASSERT_EQ(run({"machine", "probe", "-o", file}).code, 0);
  const double rate = dramRead();
  const Ran ran = run(
      {"explain", kSamples + "blur.hlpipe", "--schedule", "default", "--machine", file, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const json ceilings = json::parse(ran.output)["roofline"]["ceilings"];
  EXPECT_EQ(ceilings["measured"], true);
  EXPECT_GE(ceilings["dram_bytes_per_second"].get<double>(), rate);
  EXPECT_THAT(ceilings["source"].get<std::string>(),
              StartsWith("measured on Fake GPU, driver 999.01, "));
}

TEST_F(CliCeilingsTest, WithoutADriverNothingIsMeasured) {
  ASSERT_TRUE(host::writeFile(home() + "/libcuda.so.1", "no library"));
  ::setenv("LD_LIBRARY_PATH", home().c_str(), 1);
  const Ran ran = run({"machine", "ceilings"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.errors, HasSubstr("NVIDIA's driver was not found"));
}

} // namespace
} // namespace tessera::app::test
