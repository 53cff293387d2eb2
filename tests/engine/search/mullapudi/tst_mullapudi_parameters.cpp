// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_parameters.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Section 5.4: "We configure the auto-scheduler to target the GPU by setting the
// PARALLELISM_THRESHOLD to 128, VECTOR_WIDTH to 32, and CACHE_SIZE to 48 KB. Additionally, we add
// two new parameters TARGET_THREADS_PER_BLOCK and MAX_THREADS_PER_BLOCK whose values are set to 128
// and 2048". Section 5.1: "LOAD_COST: 10".
TEST(MullapudiParameters, AreThoseOfThePaper) {
  const auto value = [](std::string_view name) {
    for (const Parameter &one : mullapudiTable().parameters)
      if (one.name == name) return one.standard;
    return -1.;
  };
  EXPECT_EQ(value("PARALLELISM_THRESHOLD"), 128);
  EXPECT_EQ(value("VECTOR_WIDTH"), 32);
  EXPECT_EQ(value("CACHE_SIZE"), 48 * 1024);
  EXPECT_EQ(value("TARGET_THREADS_PER_BLOCK"), 128);
  EXPECT_EQ(value("MAX_THREADS_PER_BLOCK"), 2048);
  EXPECT_EQ(value("LOAD_COST"), 10);
}

TEST(MullapudiParameters, AreSetByName) {
  for (const Parameter &one : polymageTable().parameters) {
    EXPECT_LE(one.least, one.standard) << one.name;
    EXPECT_GE(one.most, one.standard) << one.name;
    EXPECT_NE(mullapudiParameters({{std::string(one.name), one.standard + 1}}),
              MullapudiParameters())
        << one.name;
    EXPECT_EQ(mullapudiParameters({{std::string(one.name), one.standard}}), MullapudiParameters())
        << one.name;
  }
  EXPECT_EQ(mullapudiParameters({{"LOAD_COST", 25}}).loadCost, 25);
}

TEST(MullapudiParameters, EachAlgorithmHasThoseThatItUses) {
  EXPECT_FALSE(mullapudiBaselineTable().contains("LOAD_COST"));
  EXPECT_TRUE(mullapudiBaselineTable().contains("VECTOR_WIDTH"));
  EXPECT_FALSE(mullapudiTable().contains("TILE_X"));
  EXPECT_TRUE(polymageTable().contains("TILE_X"));
  EXPECT_TRUE(polymageTable().contains("LOAD_COST"));
}

// What Halide's version of the algorithm takes for a GPU, where the paper has no number.
TEST(MullapudiParameters, HaveThoseOfTheArtifactAsAPreset) {
  const std::pair<std::string, std::string> preset{"PRESET", "artifact"};
  const auto values = parameterValues(mullapudiTable(), "mullapudi", {&preset, 1});
  ASSERT_TRUE(values);
  EXPECT_EQ(mullapudiParameters(*values).loadCost, 20);
}

// Section 5.1: "The auto-tuner searched over 1152 total parameter configurations", and "simple
// six-configuration auto-tuning"; seven by seven tile sizes and three costs for PolyMage.
TEST(MullapudiParameters, HaveTheGridsOfThePaper) {
  const auto points = [](const ParameterTable &table, const char *grid) {
    const auto found = gridPoints(table, "", grid, {});
    return found ? found->size() : 0;
  };
  EXPECT_EQ(points(mullapudiTable(), "6"), 6U);
  EXPECT_EQ(points(mullapudiTable(), "1152"), 1152U);
  EXPECT_EQ(points(mullapudiTable(), "1152-cpu"), 1152U);
  EXPECT_EQ(points(polymageTable(), "147"), 147U);
  // Each value could be given by --param.
  for (const ParameterTable *table : {&mullapudiTable(), &polymageTable()})
    for (const ParameterGrid &grid : table->grids)
      for (const ParameterGrid::Axis &axis : grid.axes)
        for (const double value : axis.values) {
          const std::pair<std::string, std::string> given{axis.parameter,
                                                          std::to_string(std::int64_t(value))};
          EXPECT_TRUE(parameterValues(*table, "", {&given, 1})) << axis.parameter << value;
        }
}

TEST(MullapudiParameters, AreFittedToTheMachineAndSaidSo) {
  const FittedParameters found = fitted({}, {});
  EXPECT_EQ(found.parameters.maxThreadsPerBlock, 1024);
  EXPECT_THAT(found.remarks,
              ElementsAre("MAX_THREADS_PER_BLOCK is 2048, but the largest block of this GPU is "
                          "1024, which is used"));
  machine::Machine small;
  small.limits.threadsPerBlock = 64;
  small.limits.sharedBytesPerBlock = 1000;
  const FittedParameters less = fitted({.maxThreadsPerBlock = 32}, small);
  EXPECT_EQ(less.parameters.maxThreadsPerBlock, 32);
  EXPECT_EQ(less.parameters.targetThreadsPerBlock, 32);
  EXPECT_EQ(less.parameters.cacheSize, 1000);
  EXPECT_EQ(less.remarks.size(), 2U);
  EXPECT_THAT(fitted({.maxThreadsPerBlock = 512}, {}).remarks, IsEmpty());
}

} // namespace
} // namespace tessera::search
