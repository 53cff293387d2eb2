// SPDX-License-Identifier: MIT
// Extern stages: what is known of them, and what has to be asked for.
#include "engine/halide/import/own_schedule.h"
#include "engine/base/asked.h"
#include "engine/halide/capture.h"
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

using Halide::ExternFuncArgument;
using Halide::Func;
using Halide::ImageParam;
using Halide::Param;
using Halide::Pipeline;
using Halide::Var;
using pipeline::EstimateSource;
using pipeline::Interval;
using pipeline::Precision;
using pipeline::Producer;
using ::testing::HasSubstr;

Var x("x"), y("y");

EstimateOverride given(const Func &func, std::vector<Interval> dims) {
  return {func.name(), std::move(dims), ""};
}

// Names of other tests of the process are taken: plain$2, which a shell takes apart.
std::string wordsFor(const Func &func, const std::string &sizes) {
  return commandWords({{"estimate", func.name() + "=" + sizes}});
}

// plain → foreign (extern) → after
struct InTheMiddle {
  Func plain{"plain"}, foreign{"foreign"}, after{"after"};
  InTheMiddle() {
    plain(x, y) = x + y;
    foreign.define_extern("some_c_function", {plain, 7}, Halide::Int(32), 2);
    after(x, y) = foreign(x + 1, y);
    after.set_estimates({{0, 10}, {0, 20}});
  }
};

TEST(ExternStages, OneInTheMiddleReadsAllThatTheEstimateSays) {
  InTheMiddle p;
  const auto parts = imported(Pipeline(p.after), {given(p.plain, {{-1, 30}, {0, 40}})});
  ASSERT_EQ(parts.funcs.size(), 3u);
  const pipeline::Func &foreign = funcOf(parts, p.foreign.name());
  EXPECT_EQ(foreign.externCall, (pipeline::ExternCall{"some_c_function", "host"}));
  EXPECT_EQ(foreign.region, (pipeline::Box{{1, 10}, {0, 19}})) << "what its reader needs";
  EXPECT_FALSE(stageOf(parts, p.foreign.name()).expression) << "nobody can look into it";
  const pipeline::Stage &stage = stageOf(parts, p.foreign.name());
  EXPECT_TRUE(stage.operations.empty());
  EXPECT_EQ(stage.loops.size(), 2u);
  EXPECT_THAT(stage.definition, HasSubstr(") = extern some_c_function(" + p.plain.name() + ", 7)"));
  ASSERT_EQ(stage.loads.size(), 1u);
  EXPECT_EQ(stage.loads[0].indices[0].precision, Precision::Whole);
  EXPECT_THAT(stage.loads[0].indices[0].reason, HasSubstr("some_c_function"));
  const pipeline::Func &plain = funcOf(parts, p.plain.name());
  EXPECT_EQ(plain.region, (pipeline::Box{{-1, 30}, {0, 40}}));
  ASSERT_EQ(plain.handed.size(), 2u);
  EXPECT_EQ(plain.handed[0].source, EstimateSource::User);
  EXPECT_THAT(remarkOn(parts, p.foreign.name()), HasSubstr("it is an extern stage"));
  EXPECT_THAT(remarkOn(parts, p.foreign.name()), HasSubstr("halide_copy_to_host"));
}

TEST(ExternStages, WhatOneReadsIsAskedForWithTheWordsToType) {
  InTheMiddle p;
  const auto parts = roundTrip(Pipeline(p.after));
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().remedy, ErrorRemedy::Estimates);
  EXPECT_THAT(parts.error().message,
              HasSubstr("\"" + p.plain.name() + "\" is read by the extern stage \"" +
                        p.foreign.name() +
                        "\", and only its function knows how much of it: the dimensions x, y have "
                        "no estimates"));
  EXPECT_THAT(parts.error().hint, HasSubstr(wordsFor(p.plain, "0:1024,0:1024")));
}

TEST(ExternStages, EstimatesAndBoundsOfTheFileTellWhatOneReads) {
  InTheMiddle p;
  p.plain.set_estimate(x, 0, 32).bound(y, 0, 64).compute_root();
  const auto parts = imported(Pipeline(p.after));
  EXPECT_EQ(funcOf(parts, p.plain.name()).region, (pipeline::Box{{0, 31}, {0, 63}}));
  EXPECT_EQ(funcOf(parts, p.plain.name()).handed[1].source, EstimateSource::File);
}

TEST(ExternStages, WhatOtherStagesReadIsTakenAndSaid) {
  Func both("both"), foreign("foreign_of_both"), after("after_both");
  both(x) = x;
  foreign.define_extern("some_c_function", {both}, Halide::Int(32), 0);
  after(x) = foreign() + both(x + 5);
  after.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(after));
  EXPECT_EQ(funcOf(parts, both.name()).region, (pipeline::Box{{5, 14}}));
  EXPECT_EQ(funcOf(parts, both.name()).handed[0].source, EstimateSource::None);
  EXPECT_THAT(remarkOn(parts, both.name()), HasSubstr(wordsFor(both, "MIN:EXTENT,...")));
  const auto more = imported(Pipeline(after), {given(both, {{0, 7}})});
  EXPECT_EQ(funcOf(more, both.name()).region, (pipeline::Box{{0, 14}})) << "both together";
}

TEST(ExternStages, OneAtTheOutputGetsInputsAndScalars) {
  ImageParam photo(Halide::UInt(8), 2, "extern_photo");
  Param<int> amount("extern_amount");
  Func work("extern_work"), output("extern_output");
  work(x, y) = photo(x, y) * 2;
  const std::vector<ExternFuncArgument> all{work, Halide::ExternFuncArgument(photo.parameter()),
                                            amount + photo.dim(0).extent()};
  output.define_extern("write_all", all, {Halide::Int(32)}, {x, y});
  output.set_estimates({{0, 16}, {0, 8}});
  const auto asked = roundTrip(Pipeline(output));
  ASSERT_FALSE(asked);
  EXPECT_THAT(asked.error().hint, HasSubstr("--estimate extern_photo=0:1024,0:1024"));
  EXPECT_THAT(asked.error().hint, HasSubstr(wordsFor(work, "0:1024,0:1024")));
  const auto parts = imported(
      Pipeline(output), {{"extern_photo", {{0, 31}, {0, 15}}, ""}, given(work, {{0, 15}, {0, 7}})});
  const pipeline::Stage &stage = stageOf(parts, output.name());
  ASSERT_EQ(stage.loads.size(), 2u);
  EXPECT_EQ(stage.loads[0].producer.kind, Producer::Kind::Func);
  EXPECT_EQ(stage.loads[1].producer.kind, Producer::Kind::Input);
  EXPECT_TRUE(funcOf(parts, output.name()).isOutput);
  ASSERT_EQ(parts.inputs.size(), 2u) << "the scalar is an input, too";
  EXPECT_EQ(parts.inputs[1].name, "extern_amount");
  EXPECT_THAT(stage.definition, HasSubstr("write_all(" + work.name() + ", extern_photo, "));
}

TEST(ExternStages, OneWithTwoInputsReadsBoth) {
  Func a("left"), b("right"), foreign("combined"), after("after_combined");
  a(x) = x;
  b(x) = x * 2;
  foreign.define_extern("combine", {a, b}, Halide::Int(32), 1);
  after(x) = foreign(x);
  after.set_estimates({{0, 10}});
  a.set_estimates({{0, 10}});
  const auto asked = roundTrip(Pipeline(after));
  ASSERT_FALSE(asked);
  EXPECT_THAT(asked.error().hint, HasSubstr(wordsFor(b, "0:4096")));
  EXPECT_EQ(asked.error().hint.find(a.name()), std::string::npos);
  const auto parts = imported(Pipeline(after), {given(b, {{3, 8}})});
  EXPECT_EQ(stageOf(parts, foreign.name()).loads.size(), 2u);
  EXPECT_EQ(funcOf(parts, a.name()).region, (pipeline::Box{{0, 9}}));
  EXPECT_EQ(funcOf(parts, b.name()).region, (pipeline::Box{{3, 8}}));
}

TEST(ExternStages, OneWithTupleResultsReadsTuples) {
  Func pair("pair"), foreign("swapped"), after("after_swapped");
  pair(x) = {x, Halide::cast<float>(x)};
  foreign.define_extern("swap", {pair}, {Halide::Float(32), Halide::Int(32)}, 1);
  after(x) = foreign(x)[0] + Halide::cast<float>(foreign(x)[1]);
  after.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(after), {given(pair, {{0, 9}})});
  const pipeline::Stage &stage = stageOf(parts, foreign.name());
  ASSERT_EQ(stage.loads.size(), 2u);
  EXPECT_EQ(stage.loads[1].tupleElement, 1u);
  EXPECT_EQ(funcOf(parts, foreign.name()).types.size(), 2u);
}

TEST(ExternStages, ADeviceApiIsNamed) {
  Func plain("on_gpu_in"), foreign("on_gpu"), after("on_gpu_out");
  plain(x) = x;
  foreign.define_extern("gpu_function", {plain}, Halide::Int(32), 1, Halide::NameMangling::C,
                        Halide::DeviceAPI::CUDA);
  after(x) = foreign(x);
  after.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(after), {given(plain, {{0, 9}})});
  EXPECT_EQ(funcOf(parts, foreign.name()).externCall,
            (pipeline::ExternCall{"gpu_function", "cuda"}));
  EXPECT_THAT(remarkOn(parts, foreign.name()), HasSubstr("device API cuda"));
}

TEST(ExternStages, TheScheduleOfOneIsTakenOffButNotItsLayout) {
  InTheMiddle p;
  p.foreign.compute_root().reorder_storage(p.foreign.args()[1], p.foreign.args()[0]);
  p.plain.compute_root().reorder_storage(y, x).vectorize(x, 4);
  p.plain.set_estimates({{0, 12}, {0, 20}});
  p.after.vectorize(x, 8);
  const TemporaryFolder folder;
  const std::string file = folder.file("extern.hlpipe"), into = folder.file("without.hlpipe");
  ASSERT_TRUE(capturePipeline(Pipeline(p.after), file));
  const auto written = writeUnscheduled(file, {}, into);
  ASSERT_TRUE(written) << written.error().message;
  ASSERT_TRUE(*written);
  const auto again = preparePipeline({.path = into});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(hasOwnSchedule(again->loaded.pipeline)) << "a layout is no schedule";
  for (const auto &[name, function] : functionsOf(again->loaded.pipeline)) {
    if (name == p.after.name()) continue;
    EXPECT_EQ(function.schedule().storage_dims()[0].var, function.args()[1]) << name;
    EXPECT_EQ(function.definition().schedule().dims()[0].for_type,
              name == p.foreign.name() ? Halide::Internal::ForType::Extern
                                       : Halide::Internal::ForType::Serial)
        << name;
  }
}

} // namespace
} // namespace tessera::halide::testing
