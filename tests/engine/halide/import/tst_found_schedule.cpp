// SPDX-License-Identifier: MIT
// A schedule in a file comes out as directives that its author would recognise.
#include "tests/engine/halide/captured.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::halide::testing {
namespace {

using Halide::Func;
using Halide::Pipeline;
using Halide::Var;
using Directives = std::vector<std::string>;

Directives directivesOf(const pipeline::PipelineParts &parts, const std::string &func,
                        std::uint32_t stage = 0) {
  const pipeline::Stage *wanted = &stageOf(parts, func, stage);
  for (const pipeline::FoundSchedule &found : parts.foundSchedule)
    if (&parts.stages[pipeline::index(found.stage)] == wanted) return found.directives;
  return {};
}

bool has(const Directives &directives, const std::string &text) {
  return std::any_of(directives.begin(), directives.end(), [&](const std::string &directive) {
    return directive.find(text) != std::string::npos;
  });
}

TEST(FoundSchedule, NothingAtTheDefault) {
  Var x("x"), y("y");
  Func f("default_f"), g("default_g");
  f(x, y) = x + y;
  f(x, 0) += 1;
  g(x, y) = f(x, y);
  g.set_estimates({{0, 8}, {0, 8}});
  EXPECT_TRUE(imported(Pipeline(g)).foundSchedule.empty());
}

TEST(FoundSchedule, TileOnTheGpu) {
  Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
  Func f("gpu_f"), g("gpu_g");
  f(x, y) = x + y;
  g(x, y) = f(x, y) + f(x + 1, y);
  g.gpu_tile(x, y, xo, yo, xi, yi, 16, 8);
  f.compute_at(g, xo).store_in(Halide::MemoryType::GPUShared).gpu_threads(x, y);
  g.set_estimates({{0, 64}, {0, 64}});
  const auto parts = imported(Pipeline(g));
  const Directives consumer = directivesOf(parts, "gpu_g"), producer = directivesOf(parts, "gpu_f");
  SCOPED_TRACE(::testing::PrintToString(consumer));
  EXPECT_TRUE(has(consumer, "split(x, xo, xi, 16"));
  EXPECT_TRUE(has(consumer, "reorder(xi, yi, xo, yo)"));
  EXPECT_TRUE(has(consumer, "gpu_blocks(yo)"));
  EXPECT_TRUE(has(consumer, "gpu_threads(xi)"));
  EXPECT_TRUE(has(producer, "compute_at(" + funcOf(parts, "gpu_g").name + ", xo)"));
  EXPECT_TRUE(has(producer, "store_in(MemoryType::GPUShared)"));
}

TEST(FoundSchedule, UpdatesWrappersBoundsAndSpecializations) {
  Var x("x");
  Func f("more_f"), g("more_g");
  const Halide::RDom r(0, 16, "k");
  f(x) = 0;
  f(x) += x * r;
  g(x) = f(x);
  f.compute_root().update().unroll(r.x, 4);
  f.in(g).compute_root().vectorize(x, 4);
  g.bound(x, 0, 32);
  g.set_estimates({{0, 32}});
  const auto parts = imported(Pipeline(g));
  EXPECT_TRUE(has(directivesOf(parts, "more_f"), "compute_root()"));
  EXPECT_TRUE(has(directivesOf(parts, "more_f"), "in("));
  EXPECT_TRUE(has(directivesOf(parts, "more_f"), ").vectorize("));
  EXPECT_TRUE(has(directivesOf(parts, "more_f", 1), "unroll("));
  EXPECT_TRUE(has(directivesOf(parts, "more_g"), "bound(x, 0, 32)"));
}

} // namespace
} // namespace tessera::halide::testing
