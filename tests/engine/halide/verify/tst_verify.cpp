// SPDX-License-Identifier: MIT
// A right schedule equals the reference, a wrong one does not, and a request never goes unanswered.
#include "engine/halide/verify/verify.h"
#include "engine/halide/capture.h"
#include "engine/halide/file_io.h"
#include "engine/job/worker_client.h"
#include "engine/report/verify_report.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/engine/halide/captured.h"
#include "tests/engine/halide/sample_schedules.h"
#include "tests/engine/schedule/sketch.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::halide::testing {
namespace {

using nlohmann::json;
using report::ComparisonRule;
using report::OutputComparison;
using report::VerifyReport;
using ::testing::HasSubstr;

class Verify : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    job::ProcessOptions options;
    options.program = tessera::test::binPath("tessera-halide");
    s_worker = std::make_unique<job::WorkerClient>(options);
  }
  static void TearDownTestSuite() { s_worker.reset(); }

  static json request(const std::string &path, const std::string &lines) {
    return {{"path", path},
            {"small", true},
            {"directives", json(schedule::toJson(schedule::sketch(lines)))}};
  }
  static json sample(const std::string &name, const std::string &lines) {
    return request(tessera::test::sharePath("samples/" + name + ".hlpipe"), lines);
  }
  static job::Reply ask(const json &fields) {
    return s_worker->request("verify", fields, std::chrono::seconds(240));
  }
  static VerifyReport verified(const json &fields) {
    const job::Reply reply = ask(fields);
    EXPECT_EQ(reply.outcome, Outcome::Ok) << reply.error.message;
    if (reply.outcome != Outcome::Ok) return {};
    auto report = report::verifyReportFromJson(reply.body);
    EXPECT_TRUE(report) << reply.body;
    EXPECT_EQ(reply.body.at("equal"), report && report->equal());
    return report ? std::move(*report) : VerifyReport{};
  }
  static bool openClIsMissing(const job::Reply &reply) {
    return reply.error.message.find("no OpenCL device") != std::string::npos;
  }
  std::string captured(const Halide::Pipeline &pipeline) {
    const std::string path = m_folder.file("pipeline.hlpipe");
    const Status status = capturePipeline(pipeline, path);
    EXPECT_TRUE(status) << status.error().message;
    return path;
  }

  inline static std::unique_ptr<job::WorkerClient> s_worker;
  TemporaryFolder m_folder;
};

#define SKIP_WITHOUT_OPENCL(fields)                                                                \
  if (const job::Reply probe = ask(fields); openClIsMissing(probe))                                \
  GTEST_SKIP() << probe.error.message

TEST_F(Verify, BlurOnTheGpuIsExact) {
  const json fields = sample("blur", kBlur);
  SKIP_WITHOUT_OPENCL(fields);
  const VerifyReport report = verified(fields);
  ASSERT_EQ(report.outputs.size(), 1U);
  const OutputComparison &output = report.outputs[0];
  EXPECT_EQ(output.name, "output");
  EXPECT_EQ(output.rule, ComparisonRule::Exact) << "no float anywhere";
  EXPECT_EQ(output.elements, 67 * 45) << "wider than its tiles of 64×16, and ragged";
  EXPECT_EQ(output.different, 0);
  EXPECT_TRUE(report.equal());
}

// Where a device has the type, Halide's code for OpenCL has to be told so, and of a double that is
// no float it keeps every bit (engine/halide/verify/opencl_doubles.h).
TEST_F(Verify, OpenClComputesInDoublesAndHalvesWhereTheDeviceDoes) {
  for (const Halide::Type &type : {Halide::Float(64), Halide::Float(16)}) {
    const Halide::Var x("x");
    Halide::ImageParam input(type, 1, "numbers");
    input.dim(0).set_estimate(0, 102);
    Halide::Func f("in_type"), g("of_type");
    f(x) = input(x) * cast(type, Halide::Expr(1.6));
    g(x) = f(x) + f(x + 2);
    g.set_estimates({{0, 100}});
    const json fields =
        request(captured(Halide::Pipeline(g)),
                g.name() + " split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a");
    const job::Reply reply = ask(fields);
    if (openClIsMissing(reply)) GTEST_SKIP() << reply.error.message;
    if (reply.outcome == Outcome::CompileError)
      EXPECT_THAT(reply.error.message, HasSubstr("it lacks cl_khr_fp")) << type;
    else
      EXPECT_TRUE(verified(fields).equal()) << type;
  }
}

TEST_F(Verify, HarrisIsEqualToRounding) {
  const json fields = sample("harris", kHarris);
  SKIP_WITHOUT_OPENCL(fields);
  const VerifyReport report = verified(fields);
  ASSERT_EQ(report.outputs.size(), 1U);
  EXPECT_EQ(report.outputs[0].rule, ComparisonRule::Relative);
  EXPECT_EQ(report.outputs[0].tolerance, 1e-4);
  EXPECT_TRUE(report.equal()) << report.worstError();
}

TEST_F(Verify, HistWithAtomicsAndRfactor) {
  const json fields = sample("hist", kHist);
  SKIP_WITHOUT_OPENCL(fields);
  const VerifyReport report = verified(fields);
  ASSERT_EQ(report.outputs.size(), 1U);
  EXPECT_EQ(report.outputs[0].rule, ComparisonRule::WithinOne) << "the luma is a float";
  EXPECT_TRUE(report.equal()) << report.worstError();
}

TEST_F(Verify, InterpretedSchedulesAreRightOnThreadsOfTheirOwn) {
  for (const auto &[name, lines] :
       {std::pair("blur", kBlur), std::pair("harris", kHarris), std::pair("hist", kHist)}) {
    json fields = sample(name, lines);
    fields["target"] = "lowered";
    EXPECT_TRUE(verified(fields).equal()) << name;
  }
}

// No GPU here computes in these types, and Halide makes no code for CUDA of bfloat16.
TEST_F(Verify, AnInterpretedScheduleMayHaveAnyType) {
  Halide::Var x("x");
  Halide::ImageParam in(Halide::BFloat(16), 1, "small_floats");
  Halide::Func wide("wide"), out("small");
  wide(x) = Halide::cast<double>(in(x)) * Halide::cast<double>(in(x + 1));
  out(x) = Halide::cast(Halide::Float(16), wide(x) + wide(x + 1));
  out.set_estimate(x, 0, 4096);
  in.set_estimates({{0, 4098}});
  json fields = request(captured(Halide::Pipeline(out)),
                        out.name() + " split x xo xi 32 auto | gpu_threads xi | gpu_blocks xo\n" +
                            wide.name() + " compute_at " + out.name() +
                            ":xo | store_in shared | gpu_threads x");
  fields["target"] = "lowered";
  const VerifyReport report = verified(fields);
  ASSERT_EQ(report.outputs.size(), 1U);
  EXPECT_EQ(report.outputs[0].different, 0);
}

// A boundary condition of a picture at places that data choose, which no memory holds, also where
// the reference keeps every func in memory.
TEST_F(Verify, WhatIsReadAtAnyPlaceIsInlined) {
  const Halide::Var x("x");
  Halide::ImageParam pixels(Halide::Float(32), 2, "pixels"), places(Halide::Float(32), 2, "places");
  pixels.set_estimates({{0, 30}, {0, 20}});
  places.set_estimates({{0, 2}, {0, 100}});
  const Halide::Func edge = Halide::BoundaryConditions::constant_exterior(pixels, 0.5f);
  const auto at = [&](int d) { return Halide::cast<int>(Halide::round(places(d, x) * 40.0f)); };
  Halide::Func found("found"), out("out");
  found(x) = edge(at(0) - 3, at(1)) * 2.0f;
  out(x) = found(x) + edge(at(1), at(0));
  out.set_estimates({{0, 100}});
  json fields = request(captured(Halide::Pipeline(out)),
                        out.name() + " split x xo xi 32 guard_with_if | gpu_threads xi" +
                            " | gpu_blocks xo\n" + found.name() + " compute_at " + out.name() +
                            ":xo | store_in shared | gpu_threads x");
  fields["target"] = "lowered";
  const VerifyReport report = verified(fields);
  EXPECT_TRUE(report.equal()) << report.whyUndecided();
}

// All of them, with values to begin with.
TEST_F(Verify, ScalarsWithoutAValueAreAskedForAtOnce) {
  const Halide::Var x("x");
  const Halide::Param<float> gain("gain_of_run");
  const Halide::Param<int> shift("shift_of_run");
  Halide::Func out("needs_scalars");
  out(x) = x * gain + shift;
  out.set_estimates({{0, 100}});
  json fields = request(captured(Halide::Pipeline(out)), out.name() + " parallel x");
  fields["target"] = "host";
  const job::Reply reply = ask(fields);
  EXPECT_EQ(reply.outcome, Outcome::CompileError);
  EXPECT_THAT(reply.error.message,
              ::testing::AllOf(HasSubstr("the scalar \"gain_of_run\" has no estimate"),
                               HasSubstr("the scalar \"shift_of_run\" has no estimate")));
  EXPECT_THAT(reply.error.hint, HasSubstr("--estimate gain_of_run=1 --estimate shift_of_run=100"));
}

TEST_F(Verify, AScheduleForTheHost) {
  json fields = sample("harris", "gray compute_root | split x xo xi 8 round_up | vectorize xi\n"
                                 "output parallel y");
  fields["target"] = "host";
  EXPECT_TRUE(verified(fields).equal());
}

// A vector of eight lanes counts the pixels of a histogram without atomics. If several lanes add to
// the same bin, only one of them counts.
TEST_F(Verify, ARaceIsCaught) {
  Halide::Var x("x");
  Halide::ImageParam input(Halide::UInt(8), 1, "race_input");
  Halide::Func counts("race_counts");
  const Halide::RDom r(0, 4096, "r");
  counts(x) = 0;
  counts(Halide::cast<int>(input(r) / 32)) += 1;
  counts.set_estimate(x, 0, 8);
  input.set_estimates({{0, 4096}});
  const std::string path = captured(Halide::Pipeline(counts));
  const std::string name = counts.name();
  json fields = request(path, name + ".1 split ~r$x ~ro ~ri 8 auto");
  fields["target"] = "host";
  EXPECT_TRUE(verified(fields).equal()) << "a split alone changes nothing";
  fields =
      request(path, name + ".1 split ~r$x ~ro ~ri 8 auto | allow_race_conditions | vectorize ~ri");
  fields["target"] = "host";
  const VerifyReport report = verified(fields);
  EXPECT_FALSE(report.equal());
  EXPECT_GT(report.outputs.at(0).beyond, 0);
  EXPECT_GT(report.worstError(), 10);
  EXPECT_NE(report.outputs[0].expected, report.outputs[0].found);
  EXPECT_EQ(report.outputs[0].worstAt.size(), 1U);
}

// The output is a product minus its rounded value. It is 0, or the rounding error if both
// operations are fused into one.
TEST_F(Verify, WhatRoundingDecidesIsUndecided) {
  if (!Halide::get_host_target().has_feature(Halide::Target::FMA)) GTEST_SKIP() << "no FMA here";
  Halide::Var x("x");
  Halide::ImageParam a(Halide::Float(32), 1, "fused_a"), b(Halide::Float(32), 1, "fused_b");
  Halide::Func product("fused_product"), out("fused_out");
  product(x) = a(x) * b(x);
  out(x) = (a(x) * b(x) - product(x)) * 1e9f;
  out.set_estimate(x, 0, 4096);
  json fields = request(captured(Halide::Pipeline(out)), product.name() + " compute_root");
  fields["target"] = "host";
  const VerifyReport report = verified(fields);
  EXPECT_EQ(report.verdict(), report::Verdict::Undecided);
  EXPECT_THAT(report.whyUndecided(), HasSubstr("rounding decides about"));
  ASSERT_EQ(report.outputs.size(), 1U);
  EXPECT_GT(report.outputs[0].undecided, report.outputs[0].elements / 2);
  EXPECT_EQ(report.outputs[0].beyond, 0);
  fields["tolerance"] = "abs=1e6,share=1";
  const VerifyReport allowed = verified(fields);
  EXPECT_EQ(allowed.given.absolute, 1e6);
}

// All pixels of the file fall into one bin. With a random input they would not, so the counts show
// that the file was used.
TEST_F(Verify, InputsMayComeFromAFile) {
  Halide::Var x("x");
  Halide::ImageParam input(Halide::UInt(8), 1, "file_input");
  Halide::Func counts("file_counts");
  const Halide::RDom r(0, 4096, "r");
  counts(x) = 0;
  counts(Halide::cast<int>(input(r) / 32)) += 1;
  counts.set_estimate(x, 0, 8);
  input.set_estimates({{0, 4096}});
  const std::string path = captured(Halide::Pipeline(counts));
  json fields = request(path, counts.name() + ".1 split ~r$x ~ro ~ri 8 auto"
                                              " | allow_race_conditions | vectorize ~ri");
  fields["target"] = "host";
  fields["small"] = false;
  const auto fileOf = [&](std::uint8_t value, std::size_t elements) {
    const std::string file = m_folder.file("input.raw");
    EXPECT_TRUE(writeFile(file, std::vector<std::uint8_t>(elements, value)));
    fields["inputs"] = {{{"name", "file_input"}, {"file", file}}};
  };
  for (const int bin : {0, 3}) { // the same file name with other contents
    fileOf(static_cast<std::uint8_t>(32 * bin), 4096);
    const VerifyReport report = verified(fields);
    ASSERT_EQ(report.outputs.size(), 1U);
    EXPECT_EQ(report.outputs[0].expected, "4096");
    EXPECT_THAT(report.outputs[0].worstAt, ::testing::ElementsAre(bin));
  }
  fileOf(0, 4095);
  EXPECT_THAT(ask(fields).error.message,
              HasSubstr("it has 4095 bytes, but the input \"file_input\" takes 4096"));
  fields["small"] = true;
  EXPECT_THAT(ask(fields).error.message, HasSubstr("have a size of their own"));
  fields["small"] = false;
  fields["inputs"] = {{{"name", "file_input"}}};
  EXPECT_THAT(ask(fields).error.message, HasSubstr("\"inputs\" is not a list of {name, file}"));
}

// The threads of a block have arrays of 12 MiB together, more than PoCL's default stacks.
TEST_F(Verify, ABlockMayNeedMuchStack) {
  Halide::Var x("x"), i("i");
  Halide::Func table("stack_table"), out("stack_out");
  const Halide::RDom r(0, 3000, "r");
  table(i, x) = i * x;
  out(x) = 0;
  out(x) += table((r * 7) % 3000, x) + table(2999 - r, x);
  out.set_estimate(x, 0, 4096);
  const std::string path = captured(Halide::Pipeline(out)), f = table.name(), g = out.name();
  const std::string threads = " split x xo xi 1024 guard_with_if | ";
  const json fields =
      request(path, g + threads + "gpu_blocks xo | gpu_threads xi\n" + g + ".1" + threads +
                        "reorder ~r$x xi xo | gpu_blocks xo | gpu_threads xi\n" + f +
                        " compute_at " + g + ".1:xi | store_in stack");
  SKIP_WITHOUT_OPENCL(fields);
  EXPECT_TRUE(verified(fields).equal());
}

TEST_F(Verify, SeedsGiveOtherInputsAndTheSameVerdict) {
  json fields = sample("blur", "blur_x compute_root");
  fields["target"] = "host";
  for (const int seed : {1, 2, 77}) {
    fields["seed"] = seed;
    EXPECT_TRUE(verified(fields).equal()) << seed;
  }
}

// A schedule with vectors over rows that begin at 0 and have a promised stride.
constexpr const char *kVectors = R"(
  output split x xo xi 32 auto | split xi xi xv 4 auto | reorder xv xi y xo
  output vectorize xv | parallel y
)";

TEST_F(Verify, PromisesAreKeptByTheBuffers) {
  json fields = sample("blur", kVectors);
  fields["target"] = "host";
  fields["promises"] = {"input.dim(1).min == 0 && input.dim(1).stride == 2816",
                        "output.dim(0).min == 0 && output.host_alignment == 512",
                        "output.dim(1).stride == 2560"};
  const VerifyReport report = verified(fields);
  ASSERT_EQ(report.outputs.size(), 1U);
  EXPECT_TRUE(report.equal());
  EXPECT_EQ(report.outputs[0].elements, 67 * 45) << "strides do not keep it from being small";
  // Without the promises the strides differ, so the kept reference of the same sizes is not used.
  fields.erase("promises");
  EXPECT_TRUE(verified(fields).equal());
}

TEST_F(Verify, TilesAreSmallerThanTheSmallSizeAlongEachDimension) {
  const auto elements = [&](const std::string &schedule) {
    json fields = sample("blur", "blur_x compute_root\noutput " + schedule);
    fields["target"] = "host";
    return verified(fields).outputs.at(0).elements;
  };
  EXPECT_EQ(elements("split x xo xi 64 guard_with_if"), 67 * 45);
  EXPECT_EQ(elements("split y yo yi 64 guard_with_if"), 135 * 91);
  EXPECT_EQ(elements("fuse y x f | split f fo fi 64 guard_with_if"), 135 * 91);
}

TEST_F(Verify, APromisedExtentIsTheSize) {
  json fields = sample("blur", "blur_x compute_root");
  fields["target"] = "host";
  fields["promises"] = {"output.dim(0).extent == 96"};
  EXPECT_EQ(verified(fields).outputs.at(0).elements, 96 * 45);
  fields["small"] = false;
  EXPECT_EQ(verified(fields).outputs.at(0).elements, 96 * 1920);
}

TEST_F(Verify, ChannelsMayBePromisedInnermost) {
  json fields = sample("hist", "histogram compute_root\nrow_histogram compute_root\n"
                               "below compute_root");
  fields["target"] = "host";
  fields["promises"] = {"input.dim(0).stride == 3",
                        "input.dim(2).min == 0 && input.dim(2).extent == 3 && "
                        "input.dim(2).stride == 1",
                        "output.dim(0).stride == 3", "output.dim(2).stride == 1"};
  EXPECT_TRUE(verified(fields).equal());
}

TEST_F(Verify, PromisesThatNobodyCanKeepAreRefused) {
  const auto refusal = [](const std::string &promise) {
    json fields = sample("blur", "blur_x compute_root");
    fields["target"] = "host";
    fields["promises"] = {promise};
    const job::Reply reply = ask(fields);
    EXPECT_NE(reply.outcome, Outcome::Ok) << promise;
    return reply.error.message;
  };
  EXPECT_THAT(refusal("nobody.dim(0).min == 0"), HasSubstr("no input or output \"nobody\""));
  EXPECT_THAT(refusal("input.dim(2).min == 0"), HasSubstr("\"input\" has 2 dimensions"));
  EXPECT_THAT(refusal("output.dim(2).min == 0"), HasSubstr("\"output\" has 2 dimensions"));
  EXPECT_THAT(refusal("input.host_alignment == 12"), HasSubstr("a power of two"));
  EXPECT_THAT(refusal("input.dim(1).stride == 16"), HasSubstr("elements would share memory"));
  EXPECT_THAT(refusal("output.dim(1).stride == 16"), HasSubstr("elements would share memory"));
  EXPECT_THAT(refusal("input.dim(1).stride == 0"), HasSubstr("elements would share memory"));
  EXPECT_THAT(refusal("input.dim(1).stride = 1"), HasSubstr("where a promise was expected"));

  json fields = sample("blur", "");
  fields["promises"] = {"output.dim(0).extent == 96"};
  fields["estimates"] = {
      {{"name", "output"}, {"dims", {{{"min", 0}, {"extent", 80}}, {{"min", 0}, {"extent", 64}}}}}};
  EXPECT_THAT(ask(fields).error.message, HasSubstr("the given size breaks this promise"));
}

// In Halide, shift_inwards requires at least one whole tile. The worker verifies a larger output.
TEST_F(Verify, LargeTilesGetALargerOutput) {
  json fields = sample("blur", "output split x xo xi 200 shift_inwards");
  fields["target"] = "host";
  const VerifyReport report = verified(fields);
  EXPECT_TRUE(report.equal());
  EXPECT_EQ(report.outputs.at(0).elements, 271 * 183);
}

TEST(VerifyRun, MemoryThatIsNotThereIsToldApart) {
  EXPECT_EQ(outcomeOfRun("Halide says: CUDA: cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY"),
            Outcome::DeviceMemory);
  EXPECT_EQ(outcomeOfRun("Halide says: CUDA: cuLaunchKernel failed: CUDA_ERROR_LAUNCH_FAILED"),
            Outcome::LaunchError);
}

TEST_F(Verify, ATooLargePromiseIsALaunchError) {
  json fields = sample("blur", "output bound x 0 4000");
  fields["target"] = "host";
  const job::Reply reply = ask(fields);
  EXPECT_EQ(reply.outcome, Outcome::LaunchError);
  EXPECT_THAT(reply.error.message, HasSubstr("the schedule does not run: Halide says: "));
}

TEST_F(Verify, RefusalsNameTheirCause) {
  const auto message = [](json fields, const char *key, const json &value) {
    fields[key] = value;
    const job::Reply reply = ask(fields);
    EXPECT_NE(reply.outcome, Outcome::Ok);
    return reply.error.message;
  };
  const json blur = sample("blur", "");
  EXPECT_THAT(message(blur, "seed", -1), HasSubstr("\"seed\" is not a number from 0"));
  EXPECT_THAT(message(blur, "small", "yes"), HasSubstr("\"small\" is not true or false"));
  EXPECT_THAT(message(blur, "tolerance", -1), HasSubstr("\"tolerance\" is not"));
  EXPECT_THAT(message(blur, "tolerance", "rel=-1"), HasSubstr("'rel=-1' is not a tolerance"));
  EXPECT_THAT(message(blur, "target", "metal"), HasSubstr("\"target\" is not"));
  EXPECT_THAT(message(blur, "directives", 3), HasSubstr("directives: expected a list, found 3"));
  EXPECT_THAT(message(sample("blur", "output unroll q"), "target", "host"),
              HasSubstr("directive 1, output.unroll: output has no loop \"q\""));
}

TEST_F(Verify, CudaWithoutAGpuIsRefusedInWords) {
  json fields = sample("blur", kBlur);
  fields["target"] = "cuda";
  const job::Reply reply = ask(fields);
  if (reply.outcome == Outcome::Ok) GTEST_SKIP() << "there is a GPU";
  EXPECT_THAT(reply.error.message, HasSubstr("this machine has no GPU that CUDA can use"));
}

} // namespace
} // namespace tessera::halide::testing
