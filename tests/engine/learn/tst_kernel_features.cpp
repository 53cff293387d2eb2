// SPDX-License-Identifier: MIT
#include "engine/learn/kernel_features.h"

#include "engine/cost/prediction.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <string>

namespace tessera::learn {
namespace {

using schedule::testing::scheduled;
using ::testing::Not;

constexpr const char *kCopied = "input in 1024 512\nfunc f(x y) 1024 512 = in(x; y)\noutput f\n";

class FoundFeatures {
public:
  explicit FoundFeatures(const char *directives, bool fromAssembler = false)
      : m_prediction(cost::predict(scheduled(kCopied, directives), m_machine)) {
    const auto &[load, time] = m_prediction.kernels.at(0);
    m_features = kernelFeaturesOf(load, time, m_prediction.fromDram, fromAssembler, m_machine);
  }
  float operator[](std::string_view name) const {
    for (std::size_t f = 0; f < kKernelFeatures; ++f)
      if (nameOfKernelFeature(f) == name) return m_features[f];
    ADD_FAILURE() << name;
    return NAN;
  }
  const KernelFeatures &all() const { return m_features; }
  const cost::KernelTime &time() const { return m_prediction.kernels[0].time; }

private:
  machine::Machine m_machine;
  cost::Prediction m_prediction;
  KernelFeatures m_features{};
};

constexpr const char *kRows =
    "f split x xo xi 32 guard_with_if | gpu_threads xi | gpu_blocks xo y\n";

TEST(KernelFeatures, EachHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t f = 0; f < kKernelFeatures; ++f)
    EXPECT_TRUE(names.insert(nameOfKernelFeature(f)).second) << nameOfKernelFeature(f);
  EXPECT_FALSE(names.contains(""));
}

TEST(KernelFeatures, SayWhatTheModelSays) {
  const FoundFeatures found(kRows);
  EXPECT_FLOAT_EQ(found["seconds of a launch"],
                  static_cast<float>(std::log2(found.time().seconds)));
  EXPECT_FLOAT_EQ(found["threads of a block"], std::log2(33.0F));
  EXPECT_FLOAT_EQ(found["registers"], static_cast<float>(found.time().registers));
  EXPECT_FLOAT_EQ(found["part of dram"], static_cast<float>(found.time().part(cost::Limiter::Dram) /
                                                            found.time().seconds));
  EXPECT_EQ(found["loads"], 1) << "log2(1 + 1)";
  EXPECT_EQ(found["stages"], 1);
  EXPECT_EQ(found["most of all instructions"], 1);
}

TEST(KernelFeatures, TellSchedulesApart) {
  const FoundFeatures one(kRows);
  const FoundFeatures other(
      "f split x xo xi 64 guard_with_if | gpu_threads xi | gpu_blocks xo y\n");
  EXPECT_THAT(one.all(), Not(::testing::Eq(other.all())));
  EXPECT_GT(other["threads of a block"], one["threads of a block"]);
}

TEST(KernelFeatures, SayWhetherPtxasWasAsked) {
  EXPECT_EQ(FoundFeatures(kRows)["told by ptxas"], 0);
  EXPECT_EQ(FoundFeatures(kRows, true)["told by ptxas"], 1);
}

TEST(KernelFeatures, AreNumbersForWhateverHasNoWork) {
  const KernelFeatures features = kernelFeaturesOf({}, {}, 0, false, {});
  for (std::size_t f = 0; f < kKernelFeatures; ++f)
    EXPECT_TRUE(std::isfinite(features[f])) << nameOfKernelFeature(f);
}

} // namespace
} // namespace tessera::learn
