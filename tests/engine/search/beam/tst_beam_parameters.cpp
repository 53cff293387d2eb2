// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_parameters.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

TEST(BeamParameters, AreThoseOfThePaper) {
  const BeamParameters parameters = beamParameters({});
  EXPECT_EQ(parameters, BeamParameters());
  EXPECT_EQ(parameters.samples, 80); // section 8: one by beam search, 79 greedy
  EXPECT_EQ(parameters.beam, 32);
  EXPECT_EQ(parameters.passes, 5);
  EXPECT_EQ(parameters.costKind(), BeamCostKind::Analytic);
}

TEST(BeamParameters, EachRowHasItsStandard) {
  for (const Parameter &row : beamTable().parameters) {
    EXPECT_LE(row.least, row.standard) << row.name;
    EXPECT_GE(row.most, row.standard) << row.name;
    EXPECT_EQ(beamParameters({{std::string(row.name), row.standard}}), BeamParameters())
        << row.name;
    EXPECT_NE(beamParameters({{std::string(row.name), row.standard + 1}}), BeamParameters())
        << row.name;
  }
}

TEST(BeamParameters, WordsSwitchIdeas) {
  const auto values = parameterValues(
      beamTable(), "beam", {{{"SAMPLING", "all"}, {"FREEZE", "off"}, {"COST", "learned"}}});
  ASSERT_TRUE(values);
  const BeamParameters parameters = beamParameters(*values);
  EXPECT_EQ(parameters.samplingKind(), BeamSampling::All);
  EXPECT_EQ(parameters.freeze, 0);
  EXPECT_EQ(parameters.costKind(), BeamCostKind::Learned);
}

} // namespace
} // namespace tessera::search
