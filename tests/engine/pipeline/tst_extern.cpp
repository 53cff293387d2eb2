// SPDX-License-Identifier: MIT
#include "engine/pipeline/dot.h"
#include "engine/pipeline/json.h"
#include "engine/pipeline/text_tree.h"
#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::pipeline {
namespace {

using test::sketch;
using testing::HasSubstr;

constexpr const char *kInTheMiddle = "input in 64\n"
                                     "func a(x) 64 = in(x)\n"
                                     "func e(x) 64 extern = a(?)\n"
                                     "func c(x) 64 = e(x)\n"
                                     "output c\n";

TEST(ExternStage, IsABoundary) {
  const PipelinePtr p = sketch(kInTheMiddle);
  EXPECT_TRUE(p->func(FuncId{0}).isHanded);
  EXPECT_FALSE(p->func(FuncId{0}).mayBeInlined());
  EXPECT_FALSE(p->func(FuncId{1}).mayBeInlined());
  EXPECT_TRUE(p->func(FuncId{1}).staysAtRoot());
  EXPECT_FALSE(p->func(FuncId{2}).isAtBoundary());
}

TEST(ExternStage, IsReadBackFromJson) {
  PipelineParts parts = test::sketchParts(kInTheMiddle);
  parts.funcs[0].handed = {{{0, 63}, EstimateSource::User}};
  parts.funcs[1].externCall = ExternCall{"e_call", "cuda"};
  const PipelinePtr before = *Pipeline::create(parts);
  const nlohmann::json json = nlohmann::json::parse(toJson(*before).dump());
  EXPECT_EQ(json["funcs"][1]["extern"]["function"], "e_call");
  EXPECT_EQ(json["funcs"][1]["extern"]["device_api"], "cuda");
  const auto after = pipelineFromJson(json);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ((*after)->parts(), before->parts());
}

TEST(ExternStage, IsShownWithItsCall) {
  PipelineParts parts = test::sketchParts(kInTheMiddle);
  parts.funcs[0].handed = {{{0, 63}, EstimateSource::User}};
  const PipelinePtr p = *Pipeline::create(parts);
  EXPECT_THAT(textTree(*p), HasSubstr("e  float32  64  extern stage: calls e_call (host)\n"));
  EXPECT_THAT(textTree(*p), HasSubstr("Read by extern stages\n  a  float32  0:64  from user\n"));
  parts.funcs[0].handed.front().source = EstimateSource::None;
  EXPECT_THAT(textTree(**Pipeline::create(parts)),
              HasSubstr("a  float32  as much as other stages"));
  EXPECT_THAT(toDot(*p), HasSubstr("extern e_call\", shape=component, style=dashed"));
}

TEST(ExternStage, HasNoOperationsAndNoUpdates) {
  PipelineParts parts = test::sketchParts(kInTheMiddle);
  parts.stages[1].operations.push_back({OpKind::Add, {TypeKind::Float, 32}, 1});
  EXPECT_THAT(Pipeline::create(parts).error().message, HasSubstr("it is an extern stage"));
  parts = test::sketchParts(kInTheMiddle);
  parts.funcs[1].externCall = ExternCall{};
  EXPECT_THAT(Pipeline::create(parts).error().message, HasSubstr("a function without a name"));
  parts = test::sketchParts(kInTheMiddle);
  parts.funcs[0].handed = {{{0, 63}, EstimateSource::User}, {{0, 63}, EstimateSource::User}};
  EXPECT_THAT(Pipeline::create(parts).error().message, HasSubstr("what is read of it"));
}

} // namespace
} // namespace tessera::pipeline
