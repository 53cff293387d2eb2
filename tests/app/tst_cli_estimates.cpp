// SPDX-License-Identifier: MIT
// Sizes on the command line: as people write them, contradictory ones, missing ones.

#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tessera {
namespace {

using app::test::kSamples;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CliEstimates : public app::test::CliTest {
protected:
  const std::string kBlur = kSamples + "blur.hlpipe";
  // The output needs two rows and two columns more of the input than there are.
  const std::vector<std::string> kTooSmall{"--estimate", "input=320x240", "--estimate",
                                           "output=320x240"};

  Ran runOn(std::vector<std::string> arguments, const std::vector<std::string> &more = {}) {
    arguments.insert(arguments.end(), kTooSmall.begin(), kTooSmall.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
};

TEST_F(CliEstimates, AreReadAsPeopleWriteThem) {
  for (const char *size : {"320×240", "320x240", "320 * 240", "0:320, 0:240"}) {
    const Ran ran = run({"inspect", kBlur, "--estimate", std::string("output = ") + size});
    ASSERT_EQ(ran.code, 0) << size << ": " << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("0:320, 0:240  from user")) << size;
  }
}

TEST_F(CliEstimates, ThatContradictThePipelineAreSaidAtOpening) {
  const Ran ran = runOn({"inspect", kBlur, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.errors, AllOf(HasSubstr("blur.hlpipe' contradict the pipeline"),
                                HasSubstr("input: it is accessed at 321 in dimension 0"),
                                HasSubstr("--fit-estimates uses input=0:322,0:242")));
  const json conflicts = json::parse(ran.output).at("conflicts");
  EXPECT_EQ(conflicts.at("found").at(0).at("subject"), "input");
  EXPECT_EQ(conflicts.at("fit"), json::parse(R"([{"name":"input","size":[[0,321],[0,241]]}])"));
}

TEST_F(CliEstimates, ThatContradictThePipelineAreFitted) {
  const Ran ran = runOn({"inspect", kBlur, "--json"}, {"--fit-estimates"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.errors, HasSubstr("opened with sizes that fit: input=0:322,0:242"));
  const json pipeline = json::parse(ran.output);
  EXPECT_FALSE(pipeline.contains("conflicts"));
  EXPECT_EQ(pipeline.at("inputs").at(0).at("dims").at(0).at("extent"), 322);
}

TEST_F(CliEstimates, ThatFitAreLeftAlone) {
  const std::vector<std::string> plain{"inspect", kBlur};
  const Ran ran = run({"inspect", kBlur, "--fit-estimates"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.errors, IsEmpty());
  EXPECT_EQ(ran.output, run(plain).output);
}

TEST_F(CliEstimates, AreNotRunAsLongAsTheyContradict) {
  const std::vector<std::string> verify{"verify",  kBlur,      "--schedule",
                                        "default", "--target", "opencl"};
  const Ran refused = runOn(verify);
  EXPECT_EQ(refused.code, 3) << refused.errors;
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("the estimates contradict the pipeline: \"input\""),
                                    HasSubstr("Open it with --fit-estimates")));
  const Ran fitted = runOn(verify, {"--fit-estimates"});
  EXPECT_EQ(fitted.code, 0) << fitted.errors;
  EXPECT_THAT(fitted.output, HasSubstr("equal"));
}

// tessera-gpu computes the reference. Halide's runtime would abort it, so the bundle comes without.
TEST_F(CliEstimates, ThatContradictStopAReferenceWithTheCause) {
  const Ran ran =
      runOn({"bench", kBlur, "--schedule", "default", "--prepare", "-o", home() + "/bundle"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.errors, AllOf(HasSubstr("The reference could not be computed: "),
                                HasSubstr("input is accessed at 321"), Not(HasSubstr("signal")),
                                Not(HasSubstr("abort"))));
}

} // namespace
} // namespace tessera
