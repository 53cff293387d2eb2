// SPDX-License-Identifier: MIT
#include "engine/pipeline/pipeline.h"
#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace tessera::pipeline {
namespace {

using test::sketch;
using test::sketchParts;
using testing::HasSubstr;

constexpr std::string_view kBlur = "input in 64 64\n"
                                   "func blur_x(x y) 64 62 = in(x+0; y) in(x+1; y) in(x+2; y)\n"
                                   "func blur_y(x y) 62 62 = blur_x(x; y+[0,2])\n"
                                   "output blur_y\n";

TEST(Pipeline, MergesTheLoadsOfAStencil) {
  const PipelinePtr blur = sketch(kBlur);
  ASSERT_EQ(blur->edges().size(), 2U);
  const Edge &edge = blur->edge(EdgeId{0});
  EXPECT_EQ(edge.loads, 3U);
  ASSERT_EQ(edge.maps.size(), 2U);
  ASSERT_EQ(edge.maps[0].size(), 1U);
  EXPECT_EQ(edge.maps[0][0].atoms[0].offset, (Interval{0, 2}));
}

TEST(Pipeline, KeepsMapsThatOneCannotCover) {
  const PipelinePtr mixed = sketch("input in 64\n"
                                   "func f(x) 32 = in(x) in(2*x) in(x/2) in(clamp(x+1,0,63))\n"
                                   "output f\n");
  EXPECT_EQ(mixed->edge(EdgeId{0}).maps[0].size(), 4U);
}

TEST(Pipeline, KnowsWhoReadsWhom) {
  const PipelinePtr blur = sketch(kBlur);
  EXPECT_EQ(blur->stageName(StageId{1}), "blur_y");
  ASSERT_EQ(blur->edgesFrom(FuncId{0}).size(), 1U);
  EXPECT_EQ(blur->edge(blur->edgesFrom(FuncId{0})[0]).consumer, StageId{1});
  ASSERT_EQ(blur->edgesInto(StageId{0}).size(), 1U);
  EXPECT_EQ(blur->producerName(blur->edge(blur->edgesInto(StageId{0})[0]).producer), "in");
}

TEST(Pipeline, NamesUpdates) {
  const PipelinePtr sum = sketch("input in 64\n"
                                 "func sum(x) 1 = \n"
                                 "update sum(x) r:0:64 = sum(x) in(r)\n"
                                 "output sum\n");
  EXPECT_EQ(sum->stageName(StageId{1}), "sum.update(0)");
  EXPECT_EQ(sum->stagesOf(FuncId{0}).size(), 2U);
}

TEST(Pipeline, HasNoIdsOfAnother) {
  const PipelinePtr blur = sketch(kBlur);
  EXPECT_THROW((void)blur->func(FuncId{2}), ForeignId);
  EXPECT_THROW((void)blur->stage(StageId{2}), ForeignId);
  EXPECT_THROW((void)blur->input(InputId{1}), ForeignId);
  EXPECT_THROW((void)blur->edge(EdgeId{2}), ForeignId);
  EXPECT_THROW((void)blur->stagesOf(FuncId{2}), ForeignId);
  EXPECT_THROW((void)blur->edgesInto(StageId{2}), ForeignId);
  EXPECT_THROW((void)blur->edgesFrom(FuncId{2}), ForeignId);
  try {
    (void)blur->func(FuncId{7});
  } catch (const ForeignId &fault) {
    EXPECT_STREQ(fault.what(), "An id was used with a pipeline that it is not of: func 7 of 2.");
  }
}

TEST(Pipeline, IdsAreSharedByPipelinesWithTheSameNames) {
  const PipelinePtr blur = sketch(kBlur);
  EXPECT_NE(blur->ids(), IdSpace());
  EXPECT_EQ(blur->ids(), sketch(kBlur)->ids());
  EXPECT_NO_THROW(blur->requireIds(sketch(kBlur)->ids()));
  EXPECT_THROW(blur->requireIds(IdSpace()), ForeignId);
  const auto changed = [](const std::function<void(PipelineParts &)> &change) {
    PipelineParts parts = sketchParts(kBlur);
    change(parts);
    return IdSpace(parts);
  };
  EXPECT_EQ(changed([](PipelineParts &parts) { parts.inputs[0].dims[0].range.max = 127; }),
            blur->ids())
      << "another size";
  EXPECT_NE(changed([](PipelineParts &parts) { parts.funcs[0].name = "blur_z"; }), blur->ids());
  EXPECT_NE(changed([](PipelineParts &parts) { std::swap(parts.funcs[0], parts.funcs[1]); }),
            blur->ids());
  EXPECT_NE(changed([](PipelineParts &parts) { parts.stages[0].loops.pop_back(); }), blur->ids());
  EXPECT_NE(changed([](PipelineParts &parts) { parts.stages[0].loops[0].name = "z"; }),
            blur->ids());
  EXPECT_NE(changed([](PipelineParts &parts) { parts.inputs[0].name = "out"; }), blur->ids());
}

struct Damage {
  const char *name;
  std::function<void(PipelineParts &)> apply;
  const char *message;
};

class PipelineRefuses : public testing::TestWithParam<Damage> {};

TEST_P(PipelineRefuses, WithTheCause) {
  PipelineParts parts = sketchParts(kBlur);
  GetParam().apply(parts);
  const auto made = Pipeline::create(parts);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr(GetParam().message));
  EXPECT_EQ(made.error().code, ErrorCode::InputRefused);
}

Atom &firstAtom(PipelineParts &parts) { return parts.stages[0].loads[0].indices[0].atoms[0]; }

INSTANTIATE_TEST_SUITE_P(
    Parts, PipelineRefuses,
    testing::Values(
        Damage{"NoOutput",
               [](PipelineParts &p) {
                 p.outputs.clear();
                 p.funcs[1].isOutput = false;
               },
               "no output"},
        Damage{"OutputTwice", [](PipelineParts &p) { p.outputs.push_back(p.outputs[0]); },
               "output twice"},
        Damage{"UnmarkedOutput", [](PipelineParts &p) { p.funcs[1].isOutput = false; },
               "not marked"},
        Damage{"MarkedInner", [](PipelineParts &p) { p.funcs[0].isOutput = true; },
               "but is not one"},
        Damage{"OutputRank", [](PipelineParts &p) { p.outputs[0].dims.pop_back(); },
               "different number of dimensions"},
        Damage{"SameNames", [](PipelineParts &p) { p.funcs[1].name = p.funcs[0].name; },
               "share a name"},
        Damage{"NoName", [](PipelineParts &p) { p.inputs[0].name.clear(); }, "share a name"},
        Damage{"NoType", [](PipelineParts &p) { p.funcs[0].types.clear(); }, "no type"},
        Damage{"RegionRank", [](PipelineParts &p) { p.funcs[0].region.pop_back(); },
               "different number of dimensions"},
        Damage{"Unbounded", [](PipelineParts &p) { p.funcs[0].region[0] = kEverything; },
               "not bounded"},
        Damage{"StageOrder", [](PipelineParts &p) { p.funcs[1].firstStage = StageId{0}; },
               "not in order"},
        Damage{"StageCount", [](PipelineParts &p) { p.funcs[1].stageCount = 4000000000U; },
               "not in order"},
        Damage{"StrayStage", [](PipelineParts &p) { p.stages.push_back(p.stages[0]); },
               "belongs to no func"},
        Damage{"LoadsLater",
               [](PipelineParts &p) { p.stages[0].loads[0].producer = Producer::func(FuncId{1}); },
               "computed later"},
        Damage{"UnknownFunc", [](PipelineParts &p) { p.stages[1].loads[0].producer.index = 7; },
               "unknown func"},
        Damage{"UnknownInput", [](PipelineParts &p) { p.stages[0].loads[0].producer.index = 7; },
               "unknown input"},
        Damage{"LoadRank", [](PipelineParts &p) { p.stages[0].loads[0].indices.pop_back(); },
               "wrong number of indices"},
        Damage{"TupleElement", [](PipelineParts &p) { p.stages[1].loads[0].tupleElement = 1; },
               "tuple element"},
        Damage{"NoCount", [](PipelineParts &p) { p.stages[1].loads[0].count = 0; },
               "has the count 0"},
        Damage{"NoElement", [](PipelineParts &p) { p.stages[1].loads[0].different = 0; },
               "reads no element"},
        Damage{"DivisorZero", [](PipelineParts &p) { firstAtom(p).divisor = 0; }, "divides by 0"},
        Damage{"ScaleZero", [](PipelineParts &p) { firstAtom(p).scale = 0; }, "scale 0"},
        Damage{"UnknownLoop", [](PipelineParts &p) { firstAtom(p).terms[0].loop = 9; },
               "loop that does not exist"},
        Damage{"SteadyInUnknownLoop",
               [](PipelineParts &p) {
                 p.stages[1].steady.push_back({1U << 9, {}});
               },
               "loop that does not exist"},
        Damage{"DecidedByUnknownLoop",
               [](PipelineParts &p) { p.stages[0].loads[0].indices[0].decidedBy = 1U << 9; },
               "loop that does not exist"},
        Damage{"FixedButAffine",
               [](PipelineParts &p) { p.stages[0].loads[0].indices[0].fixed = true; },
               "fixed range"},
        Damage{"FoldedOverUnknownLoop",
               [](PipelineParts &p) { p.stages[1].folded.push_back({.loop = 9}); },
               "loop that does not exist"},
        Damage{"FoldedOverNoValue",
               [](PipelineParts &p) { p.stages[1].folded.push_back({.loop = 0, .values = 0}); },
               "loop that does not exist"},
        Damage{"EmptyOffset",
               [](PipelineParts &p) {
                 firstAtom(p).offset = {1, 0};
               },
               "interval is empty"},
        Damage{"EmptyClamp",
               [](PipelineParts &p) {
                 firstAtom(p).clamp = {1, 0};
               },
               "interval is empty"},
        Damage{
            "NoReason",
            [](PipelineParts &p) { p.stages[0].loads[0].indices[0].precision = Precision::Whole; },
            "reason"},
        Damage{"StoreElsewhere",
               [](PipelineParts &p) { p.stages[1].store.producer = Producer::func(FuncId{0}); },
               "another func"},
        Damage{"PureLoop", [](PipelineParts &p) { p.stages[1].loops[0].name = "z"; },
               "is not an argument"},
        Damage{"ScalarWithDims", [](PipelineParts &p) { p.inputs[0].isScalar = true; },
               "has dimensions"},
        Damage{"FoundElsewhere",
               [](PipelineParts &p) {
                 p.foundSchedule.push_back({StageId{9}, {}});
               },
               "does not exist"}),
    [](const auto &chosen) { return chosen.param.name; });

} // namespace
} // namespace tessera::pipeline
