// SPDX-License-Identifier: MIT
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliRooflineTest : public CliTest {
protected:
  Ran explained(const std::string &sample, std::vector<std::string> more) {
    std::vector<std::string> arguments{"explain", kSamples + sample + ".hlpipe", "--schedule",
                                       "default"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
};

TEST_F(CliRooflineTest, DrawsAScheduleWithoutAGpu) {
  const std::string file = home() + "/harris.svg";
  const Ran ran = explained("harris", {"--roofline", file});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output,
              AllOf(HasSubstr("roofs: the description of NVIDIA H200 SXM, not measured"),
                    HasSubstr("times the floor of ")));
  const auto svg = host::readFile(file);
  ASSERT_TRUE(svg);
  EXPECT_THAT(*svg, AllOf(StartsWith("<svg "), HasSubstr("harris on NVIDIA H200 SXM"),
                          HasSubstr("float operations per byte"), HasSubstr("sum_xx")));
}

TEST_F(CliRooflineTest, AnIntegerPipelineIsHeldAgainstIntegers) {
  const std::string file = home() + "/camera.svg";
  EXPECT_EQ(explained("camera_pipe", {"--roofline", file}).code, 0);
  const auto svg = host::readFile(file);
  ASSERT_TRUE(svg);
  EXPECT_THAT(*svg, AllOf(HasSubstr("integer instructions per byte"),
                          HasSubstr("integers of all kinds"), Not(HasSubstr("FP32 "))));
}

TEST_F(CliRooflineTest, JsonHasTheSameNumbers) {
  const Ran ran = explained("harris", {"--json"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  const json &summary = document["roofline"];
  EXPECT_EQ(summary["counted"], "float");
  EXPECT_EQ(summary["ceilings"]["measured"], false);
  const json &whole = summary["pipelines"].at(0);
  double bytes = 0, operations = 0;
  for (const json &kernel : document["kernels"]) {
    const json &placed = kernel["roofline"];
    EXPECT_EQ(placed["ms"], kernel["predicted_ms"]);
    EXPECT_EQ(placed["numbers"], "predicted");
    bytes += placed["bytes"]["dram"].get<double>();
    operations += placed["operations"]["fp32"].get<double>();
    const double bound = placed["roofs_ms"][placed["binding"].get<std::string>()].get<double>();
    EXPECT_NEAR(placed["reached"].get<double>(), bound / placed["ms"].get<double>(), 1e-9);
    EXPECT_LE(placed["reached"].get<double>(), 1) << kernel["kernel"];
  }
  EXPECT_NEAR(whole["bytes"]["dram"].get<double>(), bytes, 1e-6 * bytes);
  EXPECT_NEAR(whole["operations"]["fp32"].get<double>(), operations, 1e-6 * operations);
  EXPECT_NEAR(whole["times_floor"].get<double>(),
              whole["ms"].get<double>() / summary["floor"]["ms"].get<double>(), 1e-9);
}

TEST_F(CliRooflineTest, AFileThatCannotBeWrittenIsSaid) {
  ASSERT_TRUE(host::writeFile(home() + "/nowhere", "a file"));
  const Ran ran = explained("harris", {"--roofline", home() + "/nowhere/harris.svg"});
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.errors, HasSubstr("/nowhere"));
}

TEST_F(CliRooflineTest, AnEndingThatNobodyWritesIsRefused) {
  const Ran ran = explained("harris", {"--roofline", home() + "/harris.bmp"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, HasSubstr("harris.bmp' does not end in .svg or .csv"));
}

} // namespace
} // namespace tessera::app::test
