// SPDX-License-Identifier: MIT
// Estimates that contradict the pipeline are found, and sizes that do not are offered.
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;
using pipeline::Box;
using pipeline::NamedSize;
using pipeline::PipelineParts;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Var x("x"), y("y"), c("c");

// The texts of what contradicts, "name: text".
std::vector<std::string> foundIn(const PipelineParts &parts) {
  std::vector<std::string> texts;
  for (const pipeline::Remark &found : parts.conflicts.found)
    texts.push_back(found.subject + ": " + found.text);
  return texts;
}

// With the sizes that are offered, nothing contradicts any more.
void expectFits(const Pipeline &pipeline, const PipelineParts &parts) {
  std::vector<EstimateOverride> fitting;
  for (const NamedSize &fit : parts.conflicts.fit)
    fitting.push_back({fit.name, fit.size, ""});
  EXPECT_FALSE(fitting.empty());
  EXPECT_THAT(foundIn(imported(pipeline, fitting)), IsEmpty());
}

TEST(Fitting, EstimatesThatFitAreLeftAlone) {
  ImageParam in(Halide::UInt(16), 2, "fits_in");
  Func out("fits_out"), edge = Halide::BoundaryConditions::repeat_edge(in);
  out(x, y) = edge(x - 2, y) + in(x, clamp(y, 0, 39));
  in.set_estimates({{0, 50}, {0, 40}});
  out.set_estimates({{0, 50}, {0, 80}});
  const auto parts = imported(Pipeline(out));
  EXPECT_THAT(parts.conflicts.found, IsEmpty());
  EXPECT_THAT(parts.conflicts.fit, IsEmpty());
}

// As camera_pipe among the published applications: shifted, without a margin in the estimates.
TEST(Fitting, AnInputThatIsReadBeyondItsEstimate) {
  ImageParam in(Halide::UInt(16), 2, "shifted_in");
  Func out("shifted_out");
  out(x, y) = in(x + 16, y) + in(x + 21, y - 1);
  in.set_estimates({{0, 2592}, {0, 1968}});
  out.set_estimates({{0, 2592}, {0, 1968}});
  const auto parts = imported(Pipeline(out));
  EXPECT_THAT(foundIn(parts),
              ElementsAre(in.name() + ": it is accessed at 2612 in dimension 0, beyond the end of "
                                      "its estimate (2591); it is accessed at -1 in dimension 1, "
                                      "before the start of its estimate (0)"));
  EXPECT_THAT(parts.conflicts.fit, ElementsAre(NamedSize{in.name(), {{0, 2612}, {-1, 1967}}}));
  expectFits(Pipeline(out), parts);
}

// As conv_layer among the published applications: the estimates are those of another layout. What
// is needed of the input follows from the output, so only the output is reported.
TEST(Fitting, EstimatesInAnotherOrderThanTheBounds) {
  ImageParam in(Halide::Float(32), 3, "layer_in");
  Func out("layer_out");
  out(c, x, y) = in(c, x, y) + in(c, x + 2, y + 2);
  out.bound(c, 0, 128).bound(x, 0, 100).bound(y, 0, 80);
  out.output_buffer().dim(0).set_bounds(0, 128);
  in.set_estimates({{0, 128}, {0, 102}, {0, 82}});
  out.set_estimates({{0, 100}, {0, 80}, {0, 128}});
  const auto parts = imported(Pipeline(out));
  EXPECT_THAT(foundIn(parts), ElementsAre(out.name() + ": its estimate is 100×80×128, but the "
                                                       "pipeline accepts only 128×100×80"));
  EXPECT_THAT(parts.conflicts.fit,
              ElementsAre(NamedSize{out.name(), {{0, 127}, {0, 99}, {0, 79}}}));
  expectFits(Pipeline(out), parts);
}

TEST(Fitting, AnOutputThatAnotherOneReads) {
  ImageParam in(Halide::Int(32), 1, "both_in");
  Func first("first_out"), second("second_out");
  first(x) = in(x);
  second(x) = first(x) + first(x + 1);
  first.set_estimates({{0, 64}});
  second.set_estimates({{0, 64}});
  in.set_estimates({{0, 64}});
  const auto parts = imported(Pipeline({first, second}));
  EXPECT_THAT(parts.conflicts.fit, UnorderedElementsAre(NamedSize{first.name(), {{0, 64}}},
                                                        NamedSize{in.name(), {{0, 64}}}));
  expectFits(Pipeline({first, second}), parts);
}

TEST(Fitting, AnOutputThatIsWrittenBeyondItsEstimate) {
  ImageParam in(Halide::UInt(16), 1, "scattered_in");
  Func bins("bins_out");
  const RDom r(0, 256, "r");
  bins(x) = 0;
  bins(clamp(Halide::cast<int>(in(r)), 0, 999)) += 1;
  bins.set_estimates({{0, 256}});
  in.set_estimates({{0, 256}});
  const auto parts = imported(Pipeline(bins));
  EXPECT_THAT(foundIn(parts), ElementsAre(HasSubstr("accessed at 999 in dimension x, beyond")));
  EXPECT_THAT(parts.conflicts.fit, ElementsAre(NamedSize{bins.name(), {{0, 999}}}));
  expectFits(Pipeline(bins), parts);
}

// Once the input is wider, its edge is clamped elsewhere, so a second round is needed.
TEST(Fitting, GoesOnUntilNothingContradicts) {
  ImageParam in(Halide::Int(32), 1, "clamped_in"), other(Halide::Int(32), 1, "mirrored_in");
  Func out("clamped_out");
  out(x) = in(x + 10) + other(clamp(x, 0, in.width() - 1));
  in.set_estimates({{0, 64}});
  other.set_estimates({{0, 64}});
  out.set_estimates({{0, 100}});
  const auto parts = imported(Pipeline(out));
  EXPECT_THAT(parts.conflicts.fit, UnorderedElementsAre(NamedSize{in.name(), {{0, 109}}},
                                                        NamedSize{other.name(), {{0, 99}}}));
  expectFits(Pipeline(out), parts);
}

TEST(Fitting, NoSizeIsOfferedWhereTheGeneratorPromisesOne) {
  ImageParam in(Halide::Int(32), 1, "promised_in");
  Func out("promised_out");
  out(x) = in(x + 1);
  in.dim(0).set_bounds(0, 64);
  out.set_estimates({{0, 64}});
  const auto parts = imported(Pipeline(out));
  EXPECT_THAT(foundIn(parts), ElementsAre(HasSubstr("the pipeline accepts no other size of it")));
  EXPECT_THAT(parts.conflicts.fit, IsEmpty());
}

TEST(Fitting, ASizeOfTheUsersMayBreakAPromise) {
  ImageParam in(Halide::Int(32), 1, "users_in");
  Func out("users_out");
  out(x) = in(x);
  in.dim(0).set_bounds(0, 64);
  out.set_estimates({{0, 64}});
  const auto parts = imported(Pipeline(out), {{in.name(), {{0, 99}}, ""}});
  EXPECT_THAT(foundIn(parts), ElementsAre(in.name() + ": its estimate is 100, but the pipeline "
                                                      "accepts only 64"));
  EXPECT_THAT(parts.conflicts.fit, ElementsAre(NamedSize{in.name(), {{0, 63}}}));
}

TEST(Fitting, WhatIsDerivedFromTheOutputsAlwaysFits) {
  ImageParam in(Halide::Int(32), 1, "derived_in");
  Func out("derived_out");
  out(x) = in(x - 3) + in(x + 3);
  out.set_estimates({{0, 64}});
  EXPECT_THAT(imported(Pipeline(out)).conflicts.found, IsEmpty());
}

} // namespace
} // namespace tessera::halide::testing
