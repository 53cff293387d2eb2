// SPDX-License-Identifier: MIT
// The sources of sizes, and the messages for missing sizes.
#include "engine/base/asked.h"
#include "engine/halide/capture.h"
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tessera::halide::testing {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Param;
using Halide::Pipeline;
using Halide::Var;
using pipeline::EstimateSource;
using pipeline::Interval;

Var x("x"), y("y");

// out(x) = in(x - 1) + in(x + 1). The caller sets the estimates.
struct Stencil {
  ImageParam in{Halide::UInt(16), 1, "stencil_in"};
  Func out{"stencil_out"};
  Stencil() { out(x) = in(x - 1) + in(x + 1); }
};

TEST(Estimates, MissingOfAnOutputNamesItAndTheSyntax) {
  Stencil s;
  const auto parts = roundTrip(Pipeline(s.out));
  ASSERT_FALSE(parts);
  EXPECT_NE(parts.error().message.find("output \"" + s.out.name() +
                                       "\": dimension 0 (x) has no "
                                       "estimate"),
            std::string::npos)
      << parts.error().message;
  EXPECT_EQ(parts.error().asked, (std::vector<Asked>{{"estimate", s.out.name() + "=0:4096"}}));
  EXPECT_NE(parts.error().hint.find(commandWords(parts.error().asked)), std::string::npos);
}

TEST(Estimates, AllThatIsMissingIsAskedForAtOnce) {
  ImageParam in(Halide::UInt(8), 2, "asked_in");
  Param<int> shift("asked_shift");
  Func first("asked_first"), second("asked_second");
  const Halide::RDom r(0, in.width());
  first(x, y) = in(x + shift, y);
  second(x) = 0;
  second(x) += in(r + shift, x);
  second.set_estimates({{0, 10}});
  const auto missing = roundTrip(Pipeline({first, second}));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().remedy, ErrorRemedy::Estimates);
  const std::string &message = missing.error().message, &hint = missing.error().hint;
  EXPECT_NE(message.find("output \"" + first.name() + "\": the dimensions x, y have no estimates"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("depends on the scalar \"" + shift.name() + "\""), std::string::npos)
      << message;
  EXPECT_NE(message.find("depends on the size of \"" + in.name() + "\""), std::string::npos)
      << message;
  EXPECT_EQ(message.find(shift.name()), message.rfind(shift.name())) << "each once: " << message;
  EXPECT_EQ(hint, "Give them, at your sizes: --estimate " + first.name() +
                      "=0:1024,0:1024 --estimate " + shift.name() + "=100 --estimate " + in.name() +
                      "=0:1024,0:1024");
  const auto given = imported(Pipeline({first, second}), {{first.name(), {{0, 9}, {0, 9}}, ""},
                                                          {shift.name(), {}, "3"},
                                                          {in.name(), {{0, 63}, {0, 63}}, ""}});
  EXPECT_EQ(given.outputs.size(), 2u);
}

// What would be missing next is asked for with what is missing first.
TEST(Estimates, WhatIsMissingBehindAnotherIsAskedForWithIt) {
  ImageParam in(Halide::UInt(8), 2, "behind_in");
  Param<int> last("behind_last"), small("behind_small"), large("behind_large");
  Halide::Parameter(last.parameter()).set_default_value(7); // as an input of a generator has it
  small.set_range(-5, 20);
  large.set_range(500, 900);
  Func table("behind_table"), index("behind_index"), out("behind_out");
  table(x) = x;
  index(x) = clamp(x + small + large, 0, last);
  out(x, y) = table(index(x)) + in(x, y);
  out.bound(y, 0, 3);
  const auto missing = roundTrip(Pipeline(out));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().asked,
              ::testing::UnorderedElementsAre(Asked{"estimate", out.name() + "=0:1024,0:3"},
                                              Asked{"estimate", last.name() + "=7"},
                                              Asked{"estimate", small.name() + "=20"},
                                              Asked{"estimate", large.name() + "=500"}))
      << "of the output, y is known; the scalars have a default or a range";
  EXPECT_NE(missing.error().message.find("dimension 0 (x) has no estimate"), std::string::npos)
      << missing.error().message;
  EXPECT_TRUE(roundTrip(Pipeline(out), {{out.name(), {{0, 1023}, {0, 2}}, ""},
                                        {last.name(), {}, "7"},
                                        {small.name(), {}, "20"},
                                        {large.name(), {}, "500"}}));
}

// Of 4096 elements, whole vectors leave nothing over: the loop is there, and reads nothing.
TEST(Estimates, AReductionMayBeEmpty) {
  ImageParam in(Halide::Float(32), 1, "rest_in");
  Func out("rest_out");
  const Halide::Expr whole = in.width() / 8 * 8;
  const Halide::RDom rest(whole, in.width() - whole);
  out() = 0.0f;
  out() += in(rest);
  const auto missing = roundTrip(Pipeline(out));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().asked, (std::vector<Asked>{{"estimate", in.name() + "=0:4096"}}));
  for (const int last : {4094, 4095}) {
    const auto parts = imported(Pipeline(out), {{in.name(), {{0, last}}, ""}});
    const pipeline::LoopDim &loop = parts.stages.at(1).loops.at(0);
    EXPECT_EQ(loop.range, (last == 4095 ? Interval{4096, 4096} : Interval{4088, 4094}));
    EXPECT_TRUE(parts.conflicts.found.empty()) << "it reads nothing beyond the input";
    EXPECT_EQ(
        std::ranges::count(parts.remarks, out.name() + ".update(0)", &pipeline::Remark::subject),
        last == 4095 ? 1 : 0);
  }
}

TEST(Estimates, OneNumberIsTheSizeOfABufferOfOneDimension) {
  Stencil s;
  const auto parts = imported(Pipeline(s.out), {{s.out.name(), {}, "100"}});
  EXPECT_EQ(parts.outputs[0].dims[0].range, (Interval{0, 99}));
  for (const char *none : {"0", "-4", "1.5", "wide"}) {
    const auto refused = roundTrip(Pipeline(s.out), {{s.out.name(), {}, none}});
    ASSERT_FALSE(refused) << none;
    EXPECT_NE(refused.error().message.find("it is not a scalar"), std::string::npos);
  }
}

TEST(Estimates, UserGivesTheOutputAndTheInputIsDerived) {
  Stencil s;
  const auto parts = imported(Pipeline(s.out), {{s.out.name(), {{0, 99}}, ""}});
  EXPECT_EQ(parts.outputs[0].dims[0].source, EstimateSource::User);
  EXPECT_EQ(parts.inputs[0].dims[0].range, (Interval{-1, 100}));
  EXPECT_EQ(parts.inputs[0].dims[0].source, EstimateSource::Derived);
  ASSERT_EQ(parts.remarks.size(), 1u);
  EXPECT_NE(parts.remarks[0].text.find("derived"), std::string::npos);
}

TEST(Estimates, SidecarGivesTheInputAndUserOverrides) {
  Stencil s;
  s.in.dim(0).set_estimate(-4, 200);
  s.out.set_estimates({{0, 100}});
  auto parts = imported(Pipeline(s.out));
  EXPECT_EQ(parts.inputs[0].dims[0].range, (Interval{-4, 195}));
  EXPECT_EQ(parts.inputs[0].dims[0].source, EstimateSource::Sidecar);
  EXPECT_EQ(parts.outputs[0].dims[0].source, EstimateSource::File);
  parts = imported(Pipeline(s.out), {{s.in.name(), {{0, 9}}, ""}});
  EXPECT_EQ(parts.inputs[0].dims[0].range, (Interval{0, 9}));
  EXPECT_EQ(parts.inputs[0].dims[0].source, EstimateSource::User);
}

TEST(Estimates, BoundaryAgainstAnUnknownSizeIsIgnoredAndSaid) {
  ImageParam in(Halide::UInt(8), 2, "open_in");
  Func out("open_out"), edge = Halide::BoundaryConditions::repeat_edge(in);
  out(x, y) = edge(x - 2, y) + edge(x + 2, y);
  out.set_estimates({{0, 50}, {0, 40}});
  const auto parts = imported(Pipeline(out));
  EXPECT_EQ(parts.inputs[0].dims[0].range, (Interval{-2, 51}));
  EXPECT_FALSE(parts.remarks.empty());
}

TEST(Estimates, WrongNameDimensionAndValueAreRefused) {
  Stencil s;
  s.out.set_estimates({{0, 100}});
  const auto unknown = roundTrip(Pipeline(s.out), {{"nobody", {{0, 9}}, ""}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().hint.find(s.in.name()), std::string::npos);
  const auto dims = roundTrip(Pipeline(s.out), {{s.in.name(), {{0, 9}, {0, 9}}, ""}});
  ASSERT_FALSE(dims);
  EXPECT_NE(dims.error().message.find("it has 1 dimensions, but 2 were given"), std::string::npos);
  const auto value = roundTrip(Pipeline(s.out), {{s.in.name(), {}, "-7"}});
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().message.find("it is not a scalar"), std::string::npos);
}

TEST(Estimates, ScalarInAnIndexIsNeeded) {
  ImageParam in(Halide::UInt(8), 1, "shifted_in");
  Param<int> shift("shift_by");
  Func out("shifted");
  out(x) = in(x + shift);
  out.set_estimates({{0, 10}});
  const auto missing = roundTrip(Pipeline(out));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("depends on the scalar \"" + shift.name() + "\""),
            std::string::npos)
      << missing.error().message;
  EXPECT_EQ(missing.error().asked, (std::vector<Asked>{{"estimate", shift.name() + "=100"}}));
  const auto size = roundTrip(Pipeline(out), {{shift.name(), {{0, 7}}, ""}});
  ASSERT_FALSE(size);
  EXPECT_NE(size.error().message.find("it takes one value, not a size"), std::string::npos);
  const auto given = imported(Pipeline(out), {{shift.name(), {}, "7"}});
  EXPECT_EQ(inputOf(given, "shifted_in").dims[0].range, (Interval{7, 16}));
  EXPECT_EQ(inputOf(given, "shift_by").scalarEstimate, "7");
  const auto wrong = roundTrip(Pipeline(out), {{shift.name(), {}, "3.5"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("is not a value of its type"), std::string::npos);
}

TEST(Estimates, ScalarFromTheSidecar) {
  ImageParam in(Halide::UInt(8), 1, "scaled_in");
  Param<float> gain("gain");
  Param<int> step("step");
  gain.set_estimate(0.1f);
  step.set_estimate(3);
  Func out("scaled");
  out(x) = in(x * step) * gain;
  out.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(out));
  EXPECT_EQ(inputOf(parts, "step").scalarEstimate, "3");
  EXPECT_EQ(inputOf(parts, "step").scalarSource, EstimateSource::Sidecar);
  EXPECT_EQ(std::stof(inputOf(parts, "gain").scalarEstimate), 0.1f);
  EXPECT_EQ(inputOf(parts, "scaled_in").dims[0].range, (Interval{0, 27}));
}

TEST(Estimates, ReductionOverAnInputNeedsItsSize) {
  ImageParam in(Halide::UInt(8), 1, "whole_in");
  Func out("total");
  const Halide::RDom r(0, in.width());
  out() = 0;
  out() += Halide::cast<int>(in(r));
  const auto missing = roundTrip(Pipeline(out));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("the size of \"" + in.name() + "\""), std::string::npos)
      << missing.error().message;
  EXPECT_NE(missing.error().hint.find("--estimate " + in.name() + "="), std::string::npos);
  const auto given = imported(Pipeline(out), {{in.name(), {{0, 63}}, ""}});
  EXPECT_EQ(stageOf(given, "total", 1).loops[0].range, (Interval{0, 63}));
}

TEST(Estimates, ScalarInAComputedIndexIsAskedFor) {
  Param<int> last("last_entry");
  Func table("entries"), index("entry_of"), out("looked_up");
  table(x) = x;
  index(x) = clamp(x, 0, last);
  out(x) = table(index(x));
  out.set_estimates({{0, 10}});
  const auto missing = roundTrip(Pipeline(out));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("has no bounds in dimension x"), std::string::npos)
      << missing.error().message;
  EXPECT_NE(missing.error().message.find("the scalar \"" + last.name() + "\" has no estimate"),
            std::string::npos)
      << missing.error().message;
  EXPECT_EQ(missing.error().remedy, ErrorRemedy::Estimates);
  const auto given = imported(Pipeline(out), {{last.name(), {}, "7"}});
  EXPECT_EQ(funcOf(given, "entries").region, (pipeline::Box{{0, 7}}));
}

// With a side of 100000, side * side does not fit into 32 bits, so the bound does not become a
// constant.
TEST(Estimates, AReductionWithoutConstantBoundsAsksForThem) {
  Param<int> side("side_of_square");
  Func out("sum_of_square");
  const Halide::RDom r(0, side * side);
  out() = 0;
  out() += r;
  const auto beyond = roundTrip(Pipeline(out), {{side.name(), {}, "100000"}});
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.error().message.find("has no constant bounds"), std::string::npos)
      << beyond.error().message;
  EXPECT_EQ(beyond.error().remedy, ErrorRemedy::Estimates);
  const auto given = imported(Pipeline(out), {{side.name(), {}, "10"}});
  EXPECT_EQ(stageOf(given, "sum_of_square", 1).loops[0].range, (Interval{0, 99}));
}

// A window that grows with how much a picture is reduced. With the usual value of the scalar, the
// picture is enlarged, and the root is that of a negative number.
TEST(Estimates, AScalarIsAskedForWithAValueThatMeansSomething) {
  ImageParam in(Halide::Float(32), 1, "to_reduce");
  Param<int> smaller("smaller_size");
  in.dim(0).set_estimate(0, 64);
  Func out("reduced");
  const Halide::Expr factor = Halide::cast<float>(in.dim(0).extent()) / smaller;
  const Halide::Expr radius = Halide::cast<int>(3.0f * sqrt(factor * factor - 1.0f));
  const Halide::RDom r(-radius, 2 * radius + 1);
  out(x) = 0.0f;
  out(x) += in(clamp(Halide::cast<int>(x * factor) + r, 0, in.dim(0).extent() - 1));
  out.set_estimates({{0, 16}});
  const auto missing = roundTrip(Pipeline(out));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().asked, (std::vector<Asked>{{"estimate", smaller.name() + "=16"}}))
      << missing.error().message;
  const auto given = imported(Pipeline(out), {{smaller.name(), {}, "16"}});
  EXPECT_EQ(stageOf(given, "reduced", 1).loops[0].range, (Interval{-11, 11}));

  const auto enlarged = roundTrip(Pipeline(out), {{smaller.name(), {}, "100"}});
  ASSERT_FALSE(enlarged);
  EXPECT_NE(enlarged.error().message.find("has no constant bounds: its "), std::string::npos)
      << enlarged.error().message;
  EXPECT_NE(enlarged.error().hint.find("Give other estimates"), std::string::npos);
}

// Halide's simplifier leaves strict operations alone.
TEST(Estimates, StrictFloatsDoNotHideAConstantBound) {
  ImageParam in(Halide::Float(32), 1, "resized_in");
  Param<float> scale("scale_of_resize");
  Func out("resized");
  const Halide::Expr taps = Halide::cast<int>(Halide::ceil(Halide::strict_float(6.0f / scale)));
  const Halide::RDom r(0, taps);
  out(x) = 0.0f;
  out(x) += in(x + r);
  out.set_estimates({{0, 64}});
  const auto parts = imported(Pipeline(out), {{scale.name(), {}, "0.5"}});
  EXPECT_EQ(stageOf(parts, "resized", 1).loops[0].range, (Interval{0, 11}));
  for (const Halide::Expr &compared :
       {max(scale, 3.0f), min(scale, 3.0f) + 1.0f, select(scale < 1.0f, scale * 2.0f, scale - 1.0f),
        select(scale <= 1.0f, 3.0f, 4.0f), select(scale == 0.5f, 5.0f, 6.0f)}) {
    Func total("strict_total");
    const Halide::RDom k(0, Halide::cast<int>(Halide::ceil(Halide::strict_float(compared))));
    total() = 0;
    total() += k;
    EXPECT_TRUE(roundTrip(Pipeline(total), {{scale.name(), {}, "0.5"}})) << compared;
  }
}

TEST(Sidecar, SaysEverythingThatTheFormatDrops) {
  ImageParam in(Halide::Float(32), 2, "promised");
  in.dim(0).set_estimate(0, 100).set_stride(3).set_bounds(0, 100);
  in.set_host_alignment(16);
  Func out("kept");
  out(x, y) = in(x, y);
  out.set_estimates({{0, 100}, {0, 40}});
  const TemporaryFolder folder;
  const std::string path = folder.file("kept.hlpipe");
  ASSERT_TRUE(capturePipeline(Pipeline(out), path));
  const auto sidecar = readSidecar(sidecarPath(path));
  ASSERT_TRUE(sidecar) << sidecar.error().message;
  const SidecarParam *param = sidecar->find(in.name());
  ASSERT_TRUE(param);
  EXPECT_EQ(param->dims[0].extentEstimate, 100);
  EXPECT_EQ(param->dims[0].extent, 100);
  EXPECT_EQ(param->dims[0].stride, 3);
  EXPECT_FALSE(param->dims[1].extentEstimate);
  EXPECT_EQ(param->hostAlignment, 16);
  EXPECT_EQ(sidecar->outputs[0].dims[1].extentEstimate, 40);
  EXPECT_EQ(sidecar->pipelineSha256.size(), 64u);
  // Halide's own parameters can be made from the sidecar again.
  auto params = parametersOf(*sidecar);
  EXPECT_EQ(*Halide::Internal::as_const_int(params.at(in.name()).stride_constraint(0)), 3);
}

// People edit these files.
TEST(Sidecar, SaysWhereItIsWrong) {
  const std::string good = R"({
  "params": [
    {"name": "in", "kind": "buffer", "type": "uint8",
     "dims": [{"min_estimate": 0, "extent_estimate": 64}]}
  ],
  "outputs": [{"name": "out", "dims": []}]
})";
  EXPECT_TRUE(sidecarFromJson(good));
  const auto messageFor = [&](const std::string &part, const std::string &by) {
    std::string text = good;
    text.replace(text.find(part), part.size(), by);
    const auto read = sidecarFromJson(text);
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(messageFor("64", "\"x\""),
            "4:54: params[0].dims[0].extent_estimate: expected a whole number of 32 bits, found "
            "\"x\"");
  EXPECT_EQ(messageFor("\"uint8\"", "\"byte\""),
            "3:46: params[0].type: expected a type such as \"uint8\" or \"float32\", found "
            "\"byte\"");
  EXPECT_EQ(messageFor("\"buffer\"", "7"),
            "3:28: params[0].kind: expected a word in quotes, found 7");
  EXPECT_EQ(messageFor("\"in\"", "null").substr(0, 51),
            "3:5: params[0]: expected a parameter with a 'name',");
  EXPECT_EQ(messageFor("[]", "{}"), "6:39: outputs[0].dims: expected a list, found {}");
  EXPECT_EQ(messageFor("{\"name\": \"out\", \"dims\": []}", "7"),
            "6:15: outputs[0]: expected an object, found 7");
  EXPECT_EQ(messageFor("]}\n", "}\n").substr(0, 21), "4:57: it is not JSON:");
  const TemporaryFolder folder;
  const std::string path = folder.file("in.estimates.json");
  std::ofstream(path) << "7";
  const auto read = readSidecar(path);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, path + ":1:1: expected an object, found 7");
}

TEST(Sidecar, TextOfScalarsIsExact) {
  EXPECT_EQ(textOfScalar(scalarFromText(Halide::Int(64), "-7")), "-7");
  for (const std::string text : {"0.01", "0.1", "3", "1e-05", "16777217"})
    EXPECT_EQ(textOfScalar(scalarFromText(Halide::Float(64), text)), text);
  for (const std::string text : {"0.01", "0.1", "3", "1e-05", "0.33333334"})
    EXPECT_EQ(textOfScalar(scalarFromText(Halide::Float(32), text)), text);
  EXPECT_EQ(textOfScalar(scalarFromText(Halide::UInt(64), "18446744073709551615")),
            "18446744073709551615");
  const float third = 1.0f / 3.0f;
  EXPECT_EQ(std::stof(textOfScalar(Halide::Expr(third))), third);
  EXPECT_FALSE(scalarFromText(Halide::UInt(8), "256").defined());
  EXPECT_FALSE(scalarFromText(Halide::UInt(8), "-1").defined());
  EXPECT_FALSE(scalarFromText(Halide::Int(32), "12x").defined());
  EXPECT_TRUE(scalarFromText(Halide::Bool(), "true").defined());
}

} // namespace
} // namespace tessera::halide::testing
