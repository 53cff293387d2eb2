// SPDX-License-Identifier: MIT
// The schedules of a comparison (contenders) are measured alternately, on a fake of NVIDIA's driver
// (tests/engine/bench/fake_cuda.cpp).
#include "engine/tune/compare.h"

#include "tests/engine/tune/tune_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::tune {
namespace {

using testing::Contains;
using testing::StartsWith;

class CompareTest : public test::TuneTest {
protected:
  // Returns a comparison of contenders that all have the same bundle.
  Comparison prepared(const std::vector<std::string> &names) const {
    namespace fs = std::filesystem;
    Comparison comparison;
    comparison.pipeline = "blur";
    comparison.machine = "h200";
    for (const std::string &name : names) {
      fs::copy(tessera::test::testPath("measured_bundle"), folder() + "/" + name,
               fs::copy_options::recursive);
      comparison.contenders.push_back({.word = name, .name = name, .state = ContenderState::Ready});
    }
    fs::copy(test::kReference, folder() + "/reference");
    return comparison;
  }
};

TEST_F(CompareTest, TheProgressNamesTheContender) {
  Comparison comparison = prepared({"first", "second"});
  auto fake = gpu(test::kRight);
  std::vector<std::string> phases;
  const Status measured =
      measureComparison(comparison, {.folder = folder(), .rounds = 2}, fake, {},
                        [&](const job::Progress &at) { phases.push_back(at.phase); });
  ASSERT_TRUE(measured) << measured.error().message;
  for (const Contender &contender : comparison.contenders) {
    EXPECT_EQ(contender.state, ContenderState::Measured) << contender.name << ": " << contender.why;
    // The protocol may drop progress messages.
    EXPECT_THAT(phases, Contains(StartsWith(contender.name + ": ")));
  }
}

// The folder of the comparison cannot be written, which is found out after all are measured.
TEST_F(CompareTest, AnErrorLeavesTheComparisonAsItWas) {
  Comparison comparison = prepared({"first", "second"});
  const Comparison before = comparison;
  std::filesystem::create_directories(folder() + "/comparison.json/occupied");
  auto fake = gpu(test::kRight);
  EXPECT_FALSE(measureComparison(comparison, {.folder = folder(), .rounds = 2}, fake, {}, {}));
  EXPECT_EQ(comparison, before);
}

} // namespace
} // namespace tessera::tune
