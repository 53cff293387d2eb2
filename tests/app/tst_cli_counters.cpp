// SPDX-License-Identifier: MIT
// Tests the command bench with hardware counters and rooflines on fakes of NVIDIA's libraries,
// whose counters are in tests/engine/bench/fake_range_profiler.cpp.
#include "tests/app/cli_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kBundle = tessera::test::testPath("measured_bundle");

class CliCountersTest : public CliTest {
protected:
  CliCountersTest() {
    ::setenv("LD_LIBRARY_PATH", tessera::test::testPath("fake_cuda").c_str(), 1);
    ::setenv("TESSERA_FAKE_CUDA",
             ("write \"" + kBundle + "/reference/output0.raw\" ceilings 1000 \"" + home() +
              "/launches\"")
                 .c_str(),
             1);
    ::unsetenv("TESSERA_FAKE_CUPTI");
  }

  Ran benched(std::vector<std::string> more) {
    std::vector<std::string> arguments{"bench",           kBundle,     "--no-cold", "--no-single",
                                       "--no-allocating", "--batches", "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
  std::string svg() const {
    const auto text = host::readFile(home() + "/blur.svg");
    EXPECT_TRUE(text);
    return text ? *text : std::string();
  }
};

TEST_F(CliCountersTest, CountsEachKernel) {
  const Ran ran = benched({"--counters"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, AllOf(HasSubstr("counted by libcupti.so.13"), HasSubstr("on FK100 in 2"),
                                HasSubstr("k0_blur_x_s0"), HasSubstr("warps wait for")));
}

TEST_F(CliCountersTest, ARefusalIsSaidBesideTheTimes) {
  ::setenv("TESSERA_FAKE_CUPTI", "forbid", 1);
  const Ran ran = benched({"--counters"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, AllOf(HasSubstr("consecutive"), HasSubstr("no counters: cuptiRange"),
                                HasSubstr("NVreg_RestrictProfilingToAdminUsers=0")));
}

TEST_F(CliCountersTest, CountersAndRooflineAreInTheJson) {
  const Ran ran = benched({"--counters", "--json", "--roofline", home() + "/blur.svg"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  const json &counted = document["counters"]["kernels"].at(1);
  const json &placed = document["roofline"]["kernels"].at(1);
  EXPECT_EQ(counted["name"], "k1_output_s0");
  EXPECT_EQ(placed["kernel"], "output");
  EXPECT_EQ(placed["numbers"], "measured");
  EXPECT_NEAR(placed["ms"].get<double>(), 0.02, 1e-6); // the time by the fake GPU's clock
  EXPECT_EQ(placed["bytes"]["dram"].get<double>(),
            counted["dram_read_bytes"].get<double>() + counted["dram_write_bytes"].get<double>());
  EXPECT_EQ(placed["operations"]["integer"], counted["integer_instructions"]);
  EXPECT_EQ(document["roofline"]["ceilings"]["measured"], true);
  EXPECT_GT(document["roofline"]["floor"]["ms"].get<double>(), 0);
  EXPECT_THAT(svg(), AllOf(HasSubstr("measured by hardware counters"), HasSubstr("Fake GPU"),
                           Not(HasSubstr("counted in the compiled code"))));
}

TEST_F(CliCountersTest, WithoutCountersTheCodeIsCounted) {
  ::setenv("TESSERA_FAKE_CUPTI", "forbid", 1);
  const Ran ran = benched({"--counters", "--json", "--events", "--roofline", home() + "/blur.svg"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  EXPECT_THAT(document["counters"]["refused"].get<std::string>(), HasSubstr("cuptiRange"));
  for (const json &kernel : document["roofline"]["kernels"]) {
    EXPECT_EQ(kernel["numbers"], "static");
    EXPECT_EQ(kernel["bytes"]["dram"], nullptr);
    EXPECT_GT(kernel["bytes"]["l1"].get<double>(), 0);
    EXPECT_GT(kernel["ms"].get<double>(), 0);
  }
  EXPECT_THAT(svg(), AllOf(HasSubstr("counted in the compiled code, time measured"),
                           Not(HasSubstr("hardware counters"))));
}

TEST_F(CliCountersTest, RoofsThatCannotBeMeasuredAreThoseOfTheNearestMachine) {
  ::setenv("TESSERA_FAKE_CUDA",
           ("write \"" + kBundle + "/reference/output0.raw\" lack dram_read").c_str(), 1);
  const Ran ran = benched({"--json", "--roofline", home() + "/blur.svg"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.errors, HasSubstr("the roofs were not measured"));
  const json ceilings = json::parse(ran.output)["roofline"]["ceilings"];
  EXPECT_EQ(ceilings["measured"], false);
  EXPECT_THAT(ceilings["source"].get<std::string>(), HasSubstr("Fake GPU, not measured"));
}

} // namespace
} // namespace tessera::app::test
