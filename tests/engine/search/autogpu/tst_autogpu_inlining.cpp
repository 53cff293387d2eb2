// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_inlining.h"

#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::test::sketch;

TEST(AutoGpuInlining, CallsTrivialWhatCostsNoMoreThanALoad) {
  const auto pipeline = sketch(R"(
    input in 66 66
    func copy(x y) 66 66 = in(x; y)
    func sums(x y) 64 64 = copy(x; y) copy(x+1; y) copy(x+2; y)
    func out(x y) 64 60 = sums(x; y) sums(x; y+2) copy(x; y)
    output out
  )");
  EXPECT_TRUE(isTrivialForAutoGpu(*pipeline, FuncId{0}));
  EXPECT_FALSE(isTrivialForAutoGpu(*pipeline, FuncId{1})); // three loads, not all at one point
  EXPECT_FALSE(isTrivialForAutoGpu(*pipeline, FuncId{2})); // outputs are never trivial
}

TEST(AutoGpuInlining, LeavesWhatAReductionReadsToTheModel) {
  const auto pipeline = sketch(R"(
    input in 64 64
    func sums(x y) 64 64 = in(x; y) in(y; x) in(y; y)
    func out(x y) 64 64 = 
    update out(x y) r:0:9 = out(x; y) sums(x; y)
    output out
  )");
  EXPECT_FALSE(isTrivialForAutoGpu(*pipeline, FuncId{0}));
}

} // namespace
} // namespace tessera::search
