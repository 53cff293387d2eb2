// SPDX-License-Identifier: MIT
// A bundle's report is read back as it was written, and malformed reports are refused.
#include "engine/report/compile_report.h"

#include "tests/engine/schedule/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::report {
namespace {

using nlohmann::json;
using pipeline::OpKind;
using pipeline::TypeKind;
using ::testing::HasSubstr;

CompileReport example() {
  KernelReport kernel;
  kernel.name = "k0_out_s0";
  kernel.launches = 2;
  kernel.blocks = {40, 120, 1};
  kernel.threads = {32, 4, 1};
  kernel.sharedBytes = 1728;
  kernel.stages = {{"out", 0}, {"hist", 1}};
  kernel.operations = {{OpKind::Add, {TypeKind::Float, 32}, 1e9},
                       {OpKind::Load, {TypeKind::UInt, 8}, 0.5}};
  kernel.global = {1, 2, 3, 4, 5};
  kernel.local.loads = 7.25;
  kernel.assembler = AssemblerReport{64, 8, 16, 24};
  kernel.firstLine = 11;
  kernel.lineCount = 300;
  kernel.sassFirstLine = 6;
  kernel.sassLineCount = 900;
  CompileReport report;
  report.pipeline = "blur";
  report.pipelineSha256 = "abc";
  report.halideVersion = "21.0.0";
  report.target = "x86-64-linux-cuda";
  report.registerCap = 128;
  report.architecture = "sm_90";
  report.entryPoint = "tessera_pipeline";
  report.arguments = {
      {"input", PipelineArgument::Kind::Input, {TypeKind::UInt, 16}, {{-3, 2561}, {0, 9}}, ""},
      {"alpha", PipelineArgument::Kind::Scalar, {TypeKind::Float, 32}, {}, "0.25"},
      {"out", PipelineArgument::Kind::Output, {TypeKind::Float, 32}, {{0, 9}}, ""}};
  report.kernels = {kernel, KernelReport{}};
  report.allocations = {{"hist", 1024, 3}};
  report.loweredLines = {{3, 7, {"hist", 1}}, {8, 8, {"out", 0}}};
  report.directives =
      schedule::sketch("out split x xo xi 32 auto | gpu_blocks xo | gpu_threads xi");
  report.promises = {"input.dim(1).stride == 2560"};
  report.files = {"pipeline.o", "pipeline.so", "kernels.ptx", "lowered.txt", "kernels.sass"};
  report.librarySha256 = "def";
  report.remarks = {"one", "two"};
  return report;
}

json document() { return json::parse(toJson(example()).dump()); }

std::string refusal(const json &value) {
  const auto report = compileReportFromJson(value);
  EXPECT_FALSE(report) << value;
  return report ? "" : report.error().message;
}

TEST(CompileReport, ReadsBackAsItWasWritten) {
  const auto report = compileReportFromJson(document());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(*report, example());
  EXPECT_EQ(toJson(*report).dump(), toJson(example()).dump());
}

TEST(CompileReport, EveryMemberIsMissed) {
  const json whole = document();
  for (const auto &[key, value] : whole.items()) {
    if (key == "lowered_lines") continue; // may be missing if the text was not requested
    json without = whole;
    without.erase(key);
    EXPECT_THAT(refusal(without), HasSubstr("bundle: '" + key + "' is missing"));
  }
  for (const auto &[key, value] : whole["kernels"][0].items()) {
    if (key == "assembler" || key == "sass_line_count") continue; // may be missing without ptxas
    json without = whole;
    without["kernels"][0].erase(key);
    EXPECT_THAT(refusal(without), HasSubstr("'" + key + "' is missing"));
  }
}

TEST(CompileReport, SaysWhatIsWrong) {
  const auto with = [](const char *pointer, const json &value) {
    json changed = document();
    changed[json::json_pointer(pointer)] = value;
    return refusal(changed);
  };
  EXPECT_THAT(with("/format", "other"), HasSubstr("it is not a bundle"));
  EXPECT_THAT(with("/version", 2), HasSubstr("it has version 2; this program reads version 1"));
  EXPECT_THAT(with("/kernels/0/blocks", {1, 2}), HasSubstr("'blocks' does not have three sides"));
  EXPECT_THAT(with("/kernels/0/launches", -1), HasSubstr("'launches' is not a count"));
  EXPECT_THAT(with("/kernels/0/operations/0/kind", "dance"),
              HasSubstr("'dance' is not a known kind"));
  EXPECT_THAT(with("/kernels/0/assembler/registers", 1LL << 40),
              HasSubstr("'registers' is out of"));
  EXPECT_THAT(with("/arguments/0/type", "uint7000"), HasSubstr("'uint7000' is not a known type"));
  EXPECT_THAT(with("/arguments/0/kind", "gift"),
              HasSubstr("'gift' is not a known kind of argument"));
  EXPECT_THAT(with("/arguments/0/dims/0/extent", -4), HasSubstr("'extent' is out of range"));
  EXPECT_THAT(with("/directives/0/call", "vanish"), HasSubstr("'vanish' is not a known call"));
  EXPECT_THAT(with("/lowered_lines/0/last", -3), HasSubstr("'last' is out of range"));
  EXPECT_THAT(with("/kernels/0/sass_first_line", "x"),
              HasSubstr("'sass_first_line' is not an integer"));
  EXPECT_THAT(with("/remarks/0", 3), HasSubstr("a remark is not a string"));
  EXPECT_THAT(with("/promises/0", 3), HasSubstr("a promise is not a string"));
  EXPECT_THAT(with("/files", 3), HasSubstr("no object around 'object'"));
  EXPECT_THAT(refusal(json::array()), HasSubstr("no object around 'format'"));
}

} // namespace
} // namespace tessera::report
