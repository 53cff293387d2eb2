// SPDX-License-Identifier: MIT
#include "engine/measure/kernel_content.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/schedule/sketch.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::measure {
namespace {

using schedule::Schedule;
using schedule::testing::funcOf;

std::string contentOf(const Schedule &schedule, const char *func) {
  const auto alone = kernelAlone(schedule, funcOf(schedule, func));
  EXPECT_TRUE(alone) << alone.error().message;
  return kernelContent(schedule, *alone);
}

// Four stencils in a row: those in the middle are alike, and read and write funcs of one size.
constexpr std::string_view kStencils = R"(
  input in 80 64
  func a(x y) 72 64 = in(x+[0,2]; y)
  func b(x y) 72 64 = a(x+[0,2]; y)
  func c(x y) 72 64 = b(x+[0,2]; y)
  func d(x y) 72 64 = c(x+[0,2]; y)
  func out(x y) 72 64 = d(x; y)
  output out
)";
const std::string kTile =
    " compute_root | split x xo xi 16 guard_with_if | gpu_blocks xo y | gpu_threads xi\n";
const std::string kOut = "out split x xo xi 16 guard_with_if | gpu_blocks xo y | gpu_threads xi\n";

Schedule stencils(const std::string &ofC = kTile, const std::string &ofB = "b" + kTile) {
  return schedule::testing::scheduled(kStencils,
                                      "a" + kTile + ofB + "c" + ofC + "d" + kTile + kOut);
}

TEST(KernelContent, IsThatOfAnyKernelThatDoesTheSame) {
  const Schedule schedule = stencils();
  EXPECT_EQ(contentOf(schedule, "c"), contentOf(schedule, "b"));
  EXPECT_NE(contentOf(schedule, "a"), contentOf(schedule, "b")); // `in` is larger
  EXPECT_NE(contentOf(schedule, "out"), contentOf(schedule, "b"));
}

TEST(KernelContent, IsNotThatOfOtherLoops) {
  const std::string other =
      " compute_root | split x xo xi 8 guard_with_if | gpu_blocks xo y | gpu_threads xi\n";
  const Schedule plain = stencils(), changed = stencils(other);
  EXPECT_NE(contentOf(changed, "c"), contentOf(plain, "c"));
  for (const char *func : {"a", "b", "d", "out"})
    EXPECT_EQ(contentOf(changed, func), contentOf(plain, func)) << func;
}

// Whoever pads the rows of `b` makes another kernel of `c`, which reads them.
TEST(KernelContent, HasTheLayoutOfWhatItReads) {
  const Schedule plain = stencils();
  const Schedule padded = stencils(kTile, "b align_storage x 32 |" + kTile);
  EXPECT_NE(contentOf(padded, "c"), contentOf(plain, "c"));
  EXPECT_EQ(contentOf(padded, "d"), contentOf(plain, "d"));
}

TEST(KernelContent, HasWhatIsInlined) {
  const Schedule plain = stencils();
  const Schedule inlined = stencils(kTile, "");
  EXPECT_NE(contentOf(inlined, "c"), contentOf(plain, "c"));
  EXPECT_EQ(contentOf(inlined, "d"), contentOf(plain, "d"));
}

TEST(KernelContent, HasTheMostRegisters) {
  const Schedule plain = stencils();
  Schedule capped = plain;
  auto settings = capped.settings();
  settings.registerCap = 40;
  capped.set(settings);
  EXPECT_NE(contentOf(capped, "c"), contentOf(plain, "c"));
}

// Times that were kept before stages knew their expressions are still found.
TEST(KernelContent, IsTheSameWithAndWithoutExpressions) {
  pipeline::PipelineParts parts = pipeline::test::sketchParts(kStencils);
  const auto contentNow = [&] {
    const auto made = pipeline::Pipeline::create(parts);
    EXPECT_TRUE(made) << made.error().message;
    return contentOf(schedule::testing::scheduled(*made, "b" + kTile + kOut), "b");
  };
  const std::string without = contentNow();
  for (pipeline::Stage &stage : parts.stages)
    stage.expression =
        pipeline::Expression{{{pipeline::NodeKind::Add, {pipeline::TypeKind::Int, 32}, 2}}, 3};
  EXPECT_EQ(contentNow(), without);
}

} // namespace
} // namespace tessera::measure
