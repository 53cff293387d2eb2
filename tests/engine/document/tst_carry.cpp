// SPDX-License-Identifier: MIT
#include "engine/document/carry.h"

#include "engine/document/pipeline_copy.h"
#include "tests/engine/document/documents.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::document {
namespace {

using test::exampleDocument;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PipelineCopyPtr sourceOf(const char *pipeline) {
  PipelineCopy source = *test::exampleSource();
  source.pipeline = schedule::testing::scheduled(pipeline, "").base();
  source.serialized = pipeline;
  source.contentSha256 = contentSha256Of(source);
  return std::make_shared<const PipelineCopy>(std::move(source));
}

TEST(Carry, TheSamePipelineKeepsEverythingButPredictions) {
  const Document before = exampleDocument();
  const Carried carried = carriedOver(before, test::exampleSource());
  EXPECT_THAT(carried.lost, IsEmpty());
  const Document &now = carried.document;
  EXPECT_EQ(*now.current(), *before.current());
  EXPECT_EQ(now.current()->marks(), before.current()->marks()) << "frozen stays frozen";
  ASSERT_EQ(now.candidates().size(), before.candidates().size());
  EXPECT_EQ(now.candidates()[1]->label, before.candidates()[1]->label);
  EXPECT_EQ(now.candidates()[1]->schedule, before.candidates()[1]->schedule);
  EXPECT_FALSE(now.candidates()[0]->predictedSeconds);
  ASSERT_TRUE(now.candidates()[0]->measurement);
  EXPECT_EQ(now.freshnessOf(*now.candidates()[0]), measure::Freshness::Fresh);
  EXPECT_EQ(now.parts().machine, "h200");
  EXPECT_FALSE(now.undoName()) << "there is no way back to another pipeline";
}

TEST(Carry, AnotherSizeKeepsDecisions) {
  const Document before = test::fullDocument();
  const Carried carried = carriedOver(before, sourceOf("input in 130 130\n"
                                                       "func f(x y) 130 128 = in(x; y+[0,2])\n"
                                                       "func h(x) 128 = f(x; 0)\n"
                                                       "update h(x) r:0:128 = h(x) in(x; r)\n"
                                                       "func g(x y) 128 128 = f(x+[0,2]; y) h(x)\n"
                                                       "output g\n"));
  EXPECT_THAT(carried.lost, IsEmpty());
  ASSERT_TRUE(carried.document.candidates()[0]->measurement);
  EXPECT_EQ(carried.document.freshnessOf(*carried.document.candidates()[0]),
            measure::Freshness::OtherPipeline);
  ASSERT_TRUE(carried.document.candidates()[1]->verification);
  EXPECT_EQ(carried.document.freshnessOfVerification(*carried.document.candidates()[1]),
            measure::Freshness::OtherPipeline);
  EXPECT_EQ(schedule::testing::loweredText(*carried.document.current()),
            schedule::testing::loweredText(*before.current()));
}

TEST(Carry, WhatIsGoneIsNamed) {
  const Carried carried =
      carriedOver(exampleDocument(), sourceOf("input in 66 66\n"
                                              "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                              "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                                              "output g\n"));
  EXPECT_THAT(carried.lost, Contains(HasSubstr("about h")));
  ASSERT_TRUE(carried.document.current());
  EXPECT_EQ(carried.document.candidates().size(), 2U);
}

TEST(Carry, WhatTheUserDecidedIsNamedFirst) {
  Document before = exampleDocument();
  schedule::Schedule edited = *before.current();
  for (std::uint32_t i = 0; i < edited.pipeline()->funcs().size(); ++i)
    if (edited.pipeline()->funcs()[i].name == "h")
      edited.setMark({pipeline::FuncId{i}}, {schedule::Origin::User, true});
  ASSERT_TRUE(before.apply(EditSchedule{"Freeze compute of h", edited}));
  const Carried carried = carriedOver(before, sourceOf("input in 66 66\n"
                                                       "func g(x y) 64 64 = in(x+[0,2]; y)\n"
                                                       "output g\n"));
  EXPECT_THAT(carried.lost, ElementsAre("your decisions about h, which is gone",
                                        "other decisions about f, which is gone"));
}

TEST(Carry, FilesOfInputsThatAreGoneAreNamed) {
  Document before = test::fullDocument();
  ASSERT_TRUE(before.apply(
      SetInputs{"Input mask from m.npy", before.inputs().with("mask", "/there/m.npy")}));
  const Carried carried = carriedOver(before, before.parts().source);
  EXPECT_THAT(carried.lost, Contains(HasSubstr("input mask")));
  EXPECT_EQ(carried.document.inputs(), before.inputs().with("mask", ""));
}

TEST(Carry, AScheduleThatCannotBeSaidIsNamed) {
  // The output of the new pipeline has one dimension less, so the schedule's tile along x does not
  // exist.
  const Carried carried = carriedOver(exampleDocument(), sourceOf("input in 66 66\n"
                                                                  "func g(z) 64 = in(z; 0)\n"
                                                                  "output g\n"));
  EXPECT_THAT(carried.lost, Contains(HasSubstr("the current schedule")));
  EXPECT_FALSE(carried.document.current());
  EXPECT_TRUE(carried.document.candidates().empty());
}

} // namespace
} // namespace tessera::document
