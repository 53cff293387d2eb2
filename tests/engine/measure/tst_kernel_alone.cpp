// SPDX-License-Identifier: MIT
// Kernels cut out of a schedule, as values and as files that the real worker writes.
#include "engine/measure/kernel_alone.h"

#include "engine/measure/compile.h"
#include "engine/host/trust.h"
#include "engine/open/open.h"
#include "engine/schedule/directives/raise.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/schedule/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::measure {
namespace {

using pipeline::StoredFunc;
using schedule::testing::funcOf;
using schedule::testing::scheduled;
using testing::ElementsAre;
using testing::HasSubstr;

// The rows are padded and in another order. The blocks of `out` compute `tile`, which has `point`
// inlined.
constexpr std::string_view kChain = R"(
  input in 66 64
  func rows(x y) 66 64 = in(x; y)
  func point(x y) 64 64 = rows(x+[0,2]; y)
  func tile(x y) 64 64 = point(x; y)
  func out(x y) 64 64 = tile(x; y) in(x; y)
  output out
)";
constexpr std::string_view kChainsKernels =
    "out split x xo xi 16 auto | gpu_blocks xo y | gpu_threads xi\n"
    "tile compute_at out:xo | store_in shared | gpu_threads x\n"
    "rows compute_root | reorder_storage y x | align_storage y 48 | gpu_blocks y | gpu_threads x";

std::vector<std::string> textsOf(const KernelAlone &alone) {
  std::vector<std::string> texts;
  for (const report::Promise &promise : alone.promises)
    texts.push_back(textOf(promise));
  return texts;
}

TEST(KernelAlone, HasWhatOthersComputeAsInputs) {
  const schedule::Schedule schedule = scheduled(kChain, kChainsKernels);
  const auto alone = kernelAlone(schedule, funcOf(schedule, "out"));
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_EQ(alone->excerpt.output, (StoredFunc{"out", {{0, 63}, {0, 63}}, {}}));
  // 64 rows are padded to 96.
  EXPECT_THAT(alone->excerpt.inputs, ElementsAre(StoredFunc{"rows", {{0, 65}, {0, 95}}, {1, 0}}));
  EXPECT_THAT(alone->buffers, ElementsAre("out", "in"));
  EXPECT_THAT(textsOf(*alone),
              ElementsAre("rows$kept0.host_alignment == 128", "rows$kept0.dim(0).stride == 1", ""));
}

TEST(KernelAlone, SaysHowItsOutputLies) {
  const schedule::Schedule schedule = scheduled(kChain, kChainsKernels);
  const auto alone = kernelAlone(schedule, funcOf(schedule, "rows"));
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_TRUE(alone->excerpt.inputs.empty());
  EXPECT_THAT(alone->buffers, ElementsAre("in"));
  EXPECT_THAT(textsOf(*alone), ElementsAre("rows.host_alignment == 128", "rows.dim(1).stride == 1",
                                           "rows.dim(0).stride == 96"));
}

TEST(KernelAlone, WhatIsComputedElsewhereOrTogetherIsRefused) {
  const schedule::Schedule schedule = scheduled(kChain, kChainsKernels);
  EXPECT_THAT(kernelAlone(schedule, funcOf(schedule, "tile")).error().message,
              HasSubstr("it is computed in another kernel"));
  constexpr std::string_view kTwo = R"(
    input in 64 64
    func a(x y) 64 64 = in(x; y)
    func b(x y) 64 64 = in(x; y)
    func out(x y) 64 64 = a(x; y) b(x; y)
    output out
  )";
  const schedule::Schedule together =
      scheduled(kTwo, "a compute_root | gpu_blocks y | gpu_threads x\n"
                      "b compute_root | gpu_blocks y | gpu_threads x | compute_with a:y\n"
                      "out gpu_blocks y | gpu_threads x");
  for (const char *name : {"a", "b"})
    EXPECT_THAT(kernelAlone(together, funcOf(together, name)).error().message,
                HasSubstr("it shares its loops with"))
        << name;
  EXPECT_TRUE(kernelAlone(together, funcOf(together, "out")));
}

class ExcerptTest : public host::test::ScratchTest {
protected:
  ExcerptTest()
      : m_tools(builtTools()), m_opener(m_tools, std::make_shared<host::TrustStore>("")),
        m_compiler(m_tools, 1) {}

  // The kernel of `func` as a file, compiled for CUDA and interpreted.
  report::CompileReport checkedAlone(const std::string &sample, std::string_view directives,
                                     const std::string &func) {
    const auto opened = m_opener.open({.path = m_tools.samples + "/" + sample + ".hlpipe"});
    EXPECT_TRUE(opened) << opened.error().message;
    const auto raised = schedule::raise(opened->pipeline, schedule::sketch(directives));
    EXPECT_TRUE(raised) << raised.error().message;
    const auto alone = kernelAlone(*raised, funcOf(*raised, func));
    EXPECT_TRUE(alone) << alone.error().message;
    const auto written = m_compiler.excerpt(scheduledPipeline(opened->file, *raised), *alone,
                                            folder() + "/alone.hlpipe", std::chrono::minutes(1));
    EXPECT_TRUE(written) << written.error().message;
    if (!written) return {};
    VerifyRequest verify;
    verify.pipeline = *written;
    verify.target = GpuApi::Lowered;
    verify.small = true;
    const VerifyAnswer verified = m_compiler.verify(verify);
    EXPECT_EQ(verified.outcome, Outcome::Ok) << verified.error.message;
    CompileRequest compile;
    compile.pipeline = *written;
    compile.output = folder() + "/bundle";
    const CompileAnswer compiled = m_compiler.compile(compile);
    EXPECT_EQ(compiled.outcome, Outcome::Ok) << compiled.error.message;
    return compiled.report;
  }

  host::ToolPaths m_tools;
  open::PipelineOpener m_opener;
  ScheduleCompiler m_compiler;
};

std::vector<std::string> argumentsOf(const report::CompileReport &report) {
  std::vector<std::string> names;
  for (const report::PipelineArgument &argument : report.arguments)
    names.push_back(argument.name);
  return names;
}

TEST_F(ExcerptTest, AKernelRunsWithoutTheOthers) {
  constexpr std::string_view kBlur =
      "output split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo"
      " | gpu_blocks xo yo | gpu_threads xi yi\n"
      "blur_x compute_root | split x xo xi 64 guard_with_if | gpu_blocks xo y | gpu_threads xi";
  const report::CompileReport last = checkedAlone("blur", kBlur, "output");
  EXPECT_THAT(argumentsOf(last), ElementsAre("blur_x$kept0", "output"));
  ASSERT_EQ(last.kernels.size(), 1U);
  EXPECT_EQ(last.kernels[0].threads, (std::array<std::int64_t, 3>{32, 8, 1}));
  const report::CompileReport first = checkedAlone("blur", kBlur, "blur_x");
  EXPECT_THAT(argumentsOf(first), ElementsAre("input", "blur_x"));
  ASSERT_EQ(first.kernels.size(), 1U);
  EXPECT_EQ(first.kernels[0].threads, (std::array<std::int64_t, 3>{64, 1, 1}));
}

// A wrapper that all kernels read is the output of one and an input of another.
TEST_F(ExcerptTest, AWrapperIsAFuncLikeOthers) {
  constexpr std::string_view kWrapped =
      "blur_x in -> kept\n"
      "output gpu_blocks y | split x xo xi 32 auto | gpu_blocks xo | gpu_threads xi\n"
      "kept compute_root | gpu_blocks y | split x xo xi 32 guard_with_if | gpu_blocks xo"
      " | gpu_threads xi";
  EXPECT_THAT(argumentsOf(checkedAlone("blur", kWrapped, "output")),
              ElementsAre("kept$kept0", "output"));
  EXPECT_THAT(argumentsOf(checkedAlone("blur", kWrapped, "kept")), ElementsAre("input", "kept"));
}

} // namespace
} // namespace tessera::measure
