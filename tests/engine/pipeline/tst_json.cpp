// SPDX-License-Identifier: MIT
#include "engine/pipeline/json.h"
#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace tessera::pipeline {
namespace {

using test::sketch;
using Json = nlohmann::json;

PipelinePtr varied() {
  PipelineParts parts = test::sketchParts("input in 64 64\n"
                                          "func t(i) 256 = \n"
                                          "func f(x y) 64 64 = in(clamp(x+[-1,1],0,63); y/2) t(?)\n"
                                          "update f(x y) r:0:9 = f(x; y) in(x; r)\n"
                                          "output f\n");
  parts.inputs.push_back({.name = "gain",
                          .type = {TypeKind::Float, 32},
                          .isScalar = true,
                          .scalarEstimate = "1.5",
                          .scalarSource = EstimateSource::User});
  parts.foundSchedule.push_back({StageId{1}, {"compute_root()", "vectorize(x, 8)"}});
  parts.remarks.push_back({"in", "its estimate is derived"});
  parts.stages[1].predicate = "r < x";
  parts.stages[1].steady.push_back({2, {{OpKind::Select, {TypeKind::Int, 32}, 3}}});
  const std::vector<OpCount> twoSums{{OpKind::Add, {TypeKind::Float, 32}, 2}};
  parts.stages[1].folded.push_back(
      {1, 9, twoSums, {{2, twoSums}}, {{parts.stages[1].loads[0].producer, 4}}});
  parts.stages[1].expression = Expression{
      {{NodeKind::Add, {TypeKind::Int, 32}, 2}, {NodeKind::Let, {TypeKind::Float, 32}, 1}}, 3};
  parts.stages[1].loads[0].indices[0].atoms[0].scale = 2;
  parts.stages[1].loads[0].indices[0].decidedBy = 3;
  parts.stages[1].loads[0].different = 5;
  parts.stages[1].loads[0].indices[0].precision = Precision::Whole;
  parts.stages[1].loads[0].indices[0].reason = "depends on data of in";
  parts.stages[1].loads[0].indices[0].offset = {0, 9};
  parts.stages[1].loads[0].indices[0].fixed = true;
  return *Pipeline::create(parts);
}

TEST(PipelineJson, ReadsBackWhatItWrote) {
  const PipelinePtr before = varied();
  const auto after = pipelineFromJson(Json::parse(toJson(*before).dump()));
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ((*after)->parts(), before->parts());
}

TEST(PipelineJson, HasContradictionsOnlyWhereThereAreSome) {
  EXPECT_FALSE(toJson(*varied()).contains("conflicts"));
  PipelineParts parts = varied()->parts();
  parts.conflicts = {{{"in", "it is read at 64 in dimension 0"}}, {{"in", {{0, 64}, {0, 63}}}}};
  const auto read = pipelineFromJson(Json::parse(toJson(**Pipeline::create(parts)).dump()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)->parts(), parts);
}

TEST(PipelineJson, AFittingSizeIsOneOfABufferAndWhole) {
  const auto refusal = [](const NamedSize &fit) {
    PipelineParts parts = varied()->parts();
    parts.conflicts = {{{"in", "it is too small"}}, {fit}};
    const auto created = Pipeline::create(parts);
    return created ? std::string() : created.error().message;
  };
  EXPECT_EQ(refusal({"f", {{0, 9}, {0, 9}}}), "");
  EXPECT_THAT(refusal({"nobody", {{0, 9}}}), testing::HasSubstr("'nobody', which does not exist"));
  EXPECT_THAT(refusal({"gain", {}}), testing::HasSubstr("'gain', which does not exist"));
  EXPECT_THAT(refusal({"in", {{0, 9}}}), testing::HasSubstr("the fitting size of 'in'"));
  EXPECT_THAT(refusal({"in", {{0, 9}, {5, 4}}}), testing::HasSubstr("is not a size"));
}

TEST(PipelineJson, KeepsItsKeysInOrder) {
  std::vector<std::string> keys;
  const auto json = toJson(*varied());
  for (const auto &[key, value] : json.items())
    keys.push_back(key);
  EXPECT_THAT(keys, testing::ElementsAre("name", "format", "version", "halide_version", "inputs",
                                         "outputs", "funcs", "stages", "edges", "found_schedule",
                                         "remarks"));
}

TEST(PipelineJson, NamesTheEndsOfEdges) {
  const auto json = toJson(*varied());
  EXPECT_EQ(json["edges"][0]["from"], "in");
  EXPECT_EQ(json["edges"][0]["to"], "f");
}

TEST(PipelineJson, StagesOfAnEarlierVersionHaveNoExpression) {
  Json json = Json::parse(toJson(*varied()).dump());
  json["stages"][1].erase("expression");
  const auto read = pipelineFromJson(json);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE((*read)->stages()[1].expression);
}

TEST(PipelineJson, EveryNodeHasAName) {
  for (std::size_t k = 0; k < kNodeKinds; ++k)
    EXPECT_EQ(nodeKindFromName(name(static_cast<NodeKind>(k))), static_cast<NodeKind>(k));
  Json json = Json::parse(toJson(*varied()).dump());
  json["stages"][1]["expression"]["nodes"][0]["kind"] = "sum";
  const auto read = pipelineFromJson(json);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, testing::HasSubstr("'sum' is not a known kind"));
}

TEST(PipelineJson, SaysWhatIsMissing) {
  Json json = Json::parse(toJson(*varied()).dump());
  json["stages"][0].erase("loops");
  const auto read = pipelineFromJson(json);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, testing::HasSubstr("'loops' is missing"));
}

TEST(PipelineJson, RefusesANewerVersion) {
  Json json = Json::parse(toJson(*varied()).dump());
  json["version"] = 2;
  const auto read = pipelineFromJson(json);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, testing::HasSubstr("version 2"));
}

// Replaces one random value in the document by another.
void damage(Json &json, std::mt19937 &random) {
  Json *at = &json;
  while (at->is_structured() && !at->empty() && random() % 8 != 0) {
    auto child = at->begin();
    std::advance(child, random() % at->size());
    at = &*child;
  }
  switch (random() % 7) {
  case 0:
    *at = nullptr;
    break;
  case 1:
    *at = -1;
    break;
  case 2:
    *at = 4294967295U;
    break;
  case 3:
    *at = "…";
    break;
  case 4:
    *at = Json::array({9, 9});
    break;
  case 5:
    *at = Json::object();
    break;
  default:
    *at = std::numeric_limits<std::int64_t>::min();
    break;
  }
}

TEST(PipelineJson, SurvivesDamage) {
  const Json whole = Json::parse(toJson(*varied()).dump());
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    Json json = whole;
    damage(json, random);
    const auto read = pipelineFromJson(json);
    if (!read) {
      ++refused;
      EXPECT_FALSE(read.error().message.empty());
    }
  }
  EXPECT_GT(refused, 2000) << "damage that is noticed must be the rule";
}

} // namespace
} // namespace tessera::pipeline
