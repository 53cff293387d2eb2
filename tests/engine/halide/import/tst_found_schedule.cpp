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

// Bounds by sizes and variants are directives.
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
            (Directives{"specialize(8 < opaque_input.extent.0)", "unroll(x)",
                        "bound(x, 0, opaque_input.extent.0/2*2)",
                        "specialize(" + out + ".extent.1%8 == 0 && opaque_input.stride.0 == 1)"}));
  EXPECT_TRUE(found.others.empty());
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
  EXPECT_EQ(
      found.unsaidPromises,
      Directives{
          "promised_input.dim(1).set_stride(promised_input.extent.0*2) // a promise that is no "
          "number"});
}

// A variant is written with all calls that make its loops, before those of the stage itself, unless
// it has the same loops, and none behind it has others.
TEST(FoundSchedule, VariantsWithTheirOwnLoops) {
  Var x("x"), y("y"), xo("xo"), xi("xi");
  Halide::ImageParam input(Halide::UInt(8), 2, "variant_input");
  Halide::Param<int> count("variant_count");
  Func f("variant_f");
  f(x, y) = input(x, y) + 1;
  f.unroll(y);
  f.specialize(count == 1);
  f.specialize(count == 2).split(x, xo, xi, 8).never_partition(xo).specialize(count % 2 == 0);
  f.specialize(count == 3);
  f.specialize_fail("count is above 3");
  const schedule::FoundCalls found = foundSchedule(Pipeline(f));
  Directives calls;
  for (const schedule::Directive &directive : found.directives) {
    std::string variant;
    for (const std::uint32_t number : directive.variant)
      variant += std::to_string(number) + " ";
    calls.push_back(variant + schedule::plainCallText(directive));
  }
  EXPECT_EQ(
      calls,
      (Directives{"specialize(variant_count == 1)", "0 unroll(y)", "specialize(variant_count == 2)",
                  "1 split(x, xo, xi, 8, TailStrategy::ShiftInwards)", "1 unroll(y)",
                  "1 never_partition(xo)", "1 specialize(variant_count%2 == 0)", "unroll(y)",
                  "specialize(variant_count == 3)", "specialize_fail(\"count is above 3\")"}));
  EXPECT_TRUE(found.others.empty());
}

// Without a variant whose condition cannot be said, what it was for would fail.
TEST(FoundSchedule, AConditionThatCannotBeSaid) {
  Var x("x");
  Halide::Param<float> scale("unsaid_scale");
  Func f("unsaid_f");
  f(x) = x * scale;
  f.specialize(scale == 1.0f);
  f.specialize(f.output_buffer().dim(0).extent() == 8);
  f.specialize_fail("neither");
  const schedule::FoundCalls found = foundSchedule(Pipeline(f));
  ASSERT_EQ(found.directives.size(), 1U);
  EXPECT_EQ(schedule::plainCallText(found.directives[0]),
            "specialize(" + f.name() + ".extent.0 == 8)");
  ASSERT_EQ(found.others.size(), 2U);
  EXPECT_FALSE(found.others[0].makesLoops);
  EXPECT_TRUE(found.others[0].text.ends_with(" // more than whole numbers, sizes and comparisons"));
  EXPECT_EQ(found.others[1].text, "specialize_fail(\"neither\") // a variant is left out");
}

// What always holds is the stage itself.
TEST(FoundSchedule, ConstantConditions) {
  Var x("x"), xo("xo"), xi("xi");
  Halide::Param<int> count("constant_count");
  Func f("constant_f");
  f(x) = x;
  f.specialize(Halide::Internal::const_false()).unroll(x);
  f.specialize(count == 1);
  f.specialize(Halide::Internal::const_true()).split(x, xo, xi, 8).specialize(count == 2);
  f.specialize(count == 3).unroll(x);
  f.vectorize(x);
  const schedule::FoundCalls found = foundSchedule(Pipeline(f));
  Directives calls;
  for (const schedule::Directive &directive : found.directives)
    calls.push_back((directive.variant.empty() ? "" : "variant ") +
                    schedule::plainCallText(directive));
  EXPECT_EQ(calls, (Directives{"specialize(constant_count == 1)",
                               "split(x, xo, xi, 8, TailStrategy::ShiftInwards)",
                               "specialize(constant_count == 2)"}));
  EXPECT_TRUE(found.others.empty());
}

TEST(FoundSchedule, PartitionsAndCallsOfTheFunc) {
  Var x("x"), y("y");
  Func f("kept_f"), g("kept_g");
  f(x, y) = x + y;
  g(x, y) = f(x, y) + f(x + 1, y);
  f.compute_root().async().ring_buffer(2).never_partition_all();
  g.always_partition(y);
  Directives calls;
  for (const schedule::Directive &directive : foundSchedule(Pipeline(g)).directives)
    calls.push_back(directive.func + ": " + schedule::plainCallText(directive));
  EXPECT_EQ(calls,
            (Directives{"kept_f: compute_root()", "kept_f: async()", "kept_f: ring_buffer(2)",
                        "kept_f: never_partition_all()", "kept_g: always_partition(y)"}));
}

} // namespace
} // namespace tessera::halide::testing
