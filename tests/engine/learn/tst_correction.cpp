// SPDX-License-Identifier: MIT
#include "engine/learn/correction.h"

#include "engine/learn/held_out.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace tessera::learn {
namespace {

using schedule::testing::scheduled;
using ::testing::ElementsAre;

// Each judge says so much, as a logarithm to base two, of any kernel.
Correction saying(const std::vector<float> &judges) {
  Correction correction;
  for (const float one : judges)
    correction.judges.emplace_back(one, std::vector<BoostedTrees::Tree>());
  return correction;
}

// Applications whose kernels take as long as predicted, or four times as long where the first
// feature is above 0.
LearningData off(const std::vector<std::string> &applications, int rows = 60) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<float> draw(-1, 1);
  LearningData data{.program = "0.1.0 (98ba92ae)", .rows = {}};
  for (const std::string &application : applications) {
    for (int i = 0; i < rows; ++i) {
      DataRow row{.application = application, .machine = "NVIDIA H200", .sample = {}};
      KernelRow kernel{.features = {}, .predicted = 1 + 0.1 * std::abs(draw(random))};
      for (float &feature : kernel.features)
        feature = draw(random);
      kernel.measured = kernel.predicted * (kernel.features[0] > 0 ? 4 : 1);
      row.predicted = {kernel.predicted + 0.5, {kernel}};
      row.sample.milliseconds = kernel.measured + 0.5;
      data.rows.push_back(row);
    }
  }
  return data;
}

constexpr CorrectionOptions kQuick{.trees = {.trees = 80, .leaves = 4, .steadiness = 5}};

TEST(Correction, WithoutJudgesNothingIsCorrected) {
  const Corrected corrected = Correction().of({});
  EXPECT_EQ(corrected.factor, 1);
  EXPECT_EQ(corrected.spread, 1);
}

TEST(Correction, WhatAllSayIsTaken) {
  const Corrected corrected = saying({1, 1, 1}).of({});
  EXPECT_DOUBLE_EQ(corrected.factor, 2);
  EXPECT_DOUBLE_EQ(corrected.spread, 1);
}

TEST(Correction, TheMoreJudgesDisagreeTheLessIsCorrected) {
  double before = 2;
  for (const float apart : {0.25F, 0.5F, 1.0F}) {
    const Corrected corrected = saying({1 - apart, 1 + apart}).of({});
    EXPECT_LT(corrected.factor, before);
    EXPECT_GT(corrected.factor, 1);
    EXPECT_FLOAT_EQ(static_cast<float>(corrected.spread), std::exp2(apart));
    before = corrected.factor;
  }
  EXPECT_DOUBLE_EQ(saying({-1, 1}).of({}).factor, 1);
}

TEST(Correction, NoJudgeIsBelievedBeyondAFactorOfEight) {
  EXPECT_DOUBLE_EQ(saying({20}).of({}).factor, 8);
  EXPECT_DOUBLE_EQ(saying({-20}).of({}).factor, 0.125);
}

TEST(Correction, LearnsByHowMuchTheModelIsOff) {
  const LearningData data = off({"a", "b", "c", "d", "e"});
  const Correction correction = learnCorrection(data, kQuick);
  EXPECT_EQ(correction.judges.size(), 4U);
  EXPECT_EQ(correction.kernels, 300U);
  EXPECT_THAT(correction.applications, ElementsAre("a", "b", "c", "d", "e"));
  KernelFeatures features{};
  features[0] = 0.5F;
  EXPECT_NEAR(correction.of(features).factor, 4, 0.8);
  features[0] = -0.5F;
  EXPECT_NEAR(correction.of(features).factor, 1, 0.2);
}

TEST(Correction, OneApplicationIsEnough) {
  const Correction correction = learnCorrection(off({"mine"}, 240), kQuick);
  KernelFeatures features{};
  features[0] = 0.5F;
  EXPECT_NEAR(correction.of(features).factor, 4, 0.8);
}

TEST(Correction, KernelsWithoutATimeTeachNothing) {
  LearningData data = off({"a"});
  for (DataRow &row : data.rows)
    row.predicted.kernels[0].measured = 0;
  EXPECT_EQ(measuredKernels(data), 0U);
  EXPECT_EQ(learnCorrection(data, kQuick).of({}).factor, 1);
}

TEST(Correction, TheSameSeedLearnsTheSame) {
  const LearningData data = off({"a", "b"});
  EXPECT_EQ(learnCorrection(data, kQuick), learnCorrection(data, kQuick));
}

TEST(Correction, LearningEndsWhenItIsTold) {
  double last = 0;
  learnCorrection(off({"a"}), kQuick, [&](double part) {
    last = part;
    return part < 0.3;
  });
  EXPECT_GE(last, 0.3);
  EXPECT_LT(last, 0.35);
}

TEST(Correction, AWholeIsCorrectedByItsKernels) {
  const machine::Machine machine;
  const cost::Prediction prediction = cost::predict(
      scheduled("input in 1024 512\nfunc f(x y) 1024 512 = in(x; y)\noutput f\n",
                "f split x xo xi 32 guard_with_if | gpu_threads xi | gpu_blocks xo y\n"),
      machine);
  const std::vector<Corrected> kernels = correctionsOf(saying({1}), prediction, false, machine);
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_DOUBLE_EQ(correctedSeconds(prediction, kernels),
                   prediction.seconds + prediction.kernels[0].time.seconds);
  EXPECT_DOUBLE_EQ(correctedMilliseconds(saying({1}), {5, {{.predicted = 2}, {.predicted = 1}}}),
                   8);
}

TEST(Correction, RanksAnApplicationThatItHasNotSeen) {
  const LearningData data = off({"a", "b", "c", "d", "e"});
  const HeldOutCorrections held = heldOut(data, kQuick);
  ASSERT_EQ(held.predicted.size(), 5U);
  EXPECT_TRUE(held.compiled.empty());
  for (const Ranking &ranking : held.predicted) {
    EXPECT_EQ(ranking.rows, 60U);
    EXPECT_GT(ranking.learned.correlation, 0.85) << ranking.application;
    EXPECT_GT(ranking.learned.correlation, ranking.analytic.correlation + 0.1)
        << ranking.application;
  }
  EXPECT_EQ(rankedBy(learnCorrection(data, kQuick), data, true).size(), 0U);
}

TEST(Correction, ApplicationsWithFewSchedulesAreOnlyLearnedFrom) {
  LearningData data = off({"a", "b"});
  const LearningData few = off({"few"}, static_cast<int>(kLeastRanked) - 1);
  data.rows.insert(data.rows.end(), few.rows.begin(), few.rows.end());
  EXPECT_EQ(heldOut(data, kQuick).predicted.size(), 2U);
}

} // namespace
} // namespace tessera::learn
