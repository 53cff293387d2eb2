// SPDX-License-Identifier: MIT
// A schedule in a file comes out as directives that its author would recognise.
#include "engine/halide/import/found_schedule.h"

#include "engine/halide/import/load.h"
#include "engine/halide/capture.h"
#include "engine/schedule/text/call_text.h"
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

// Bounds by sizes and variants with the same loops are directives; others are told as text.
TEST(FoundSchedule, WhatNoDecisionCanSay) {
  Var x("x"), y("y"), yo("yo"), yi("yi");
  Halide::ImageParam input(Halide::UInt(8), 2, "opaque_input");
  Func f("opaque_f"), g("opaque_g");
  f(x, y) = input(x, y) + 1;
  g(x, y) = f(x, y);
  f.compute_root().specialize(input.dim(0).extent() > 8).unroll(x);
  g.bound(x, 0, (input.width() / 2) * 2).split(y, yo, yi, 8);
  g.specialize(g.output_buffer().dim(1).extent() % 8 == 0 && input.dim(0).stride() == 1);
  input.dim(1).set_stride(640);
  const schedule::FoundCalls found = foundSchedule(Pipeline(g));
  std::vector<std::string> opaque;
  for (const schedule::Directive &directive : found.directives)
    if (isOpaque(directive)) opaque.push_back(schedule::plainCallText(directive));
  const std::string out = g.name();
  EXPECT_EQ(opaque,
            (Directives{"bound(x, 0, opaque_input.extent.0/2*2)",
                        "specialize(" + out + ".extent.1%8 == 0 && opaque_input.stride.0 == 1)"}));
  ASSERT_EQ(found.others.size(), 1U) << "a variant with loops of its own";
  EXPECT_EQ(found.others[0].text.substr(0, 11), "specialize(");
  EXPECT_FALSE(found.others[0].makesLoops);
  EXPECT_EQ(found.promises,
            (std::vector<report::Promise>{{.buffer = "opaque_input", .dim = 1, .stride = 640}}));
  EXPECT_TRUE(found.unsaidPromises.empty());
}

// Halide's file drops the constraints of inputs. The sidecar keeps them, expressions too.
TEST(FoundSchedule, PromisesOfInputsComeBack) {
  Var x("x"), y("y");
  Halide::ImageParam input(Halide::UInt(8), 2, "promised_input");
  Func f("promised_f");
  f(x, y) = input(x, y) + 1;
  input.set_host_alignment(16);
  input.dim(0).set_bounds(0, 64);
  input.dim(1).set_stride(input.dim(0).extent() * 2);
  const TemporaryFolder folder;
  const std::string path = folder.file("promised.hlpipe");
  ASSERT_TRUE(capturePipeline(Pipeline(f), path));
  const auto loaded = loadPipeline(path, "");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const schedule::FoundCalls found = foundSchedule(loaded->pipeline);
  EXPECT_EQ(
      found.promises,
      (std::vector<report::Promise>{
          {.buffer = "promised_input", .dim = 0, .min = 0, .extent = 64, .hostAlignment = 16}}));
  EXPECT_EQ(found.unsaidPromises,
            Directives{"promised_input.dim(1).set_stride(promised_input.extent.0*2)"});
}

} // namespace
} // namespace tessera::halide::testing
