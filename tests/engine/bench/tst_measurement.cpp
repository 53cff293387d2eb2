// SPDX-License-Identifier: MIT
#include "engine/bench/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::bench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Measurement example() {
  Measurement m;
  m.machine = "NVIDIA H200";
  m.driver = "580.159.04";
  m.cudaVersion = "13.0";
  m.date = "2026-11-22T11:05:00Z";
  m.program = "0.1.0 (abc)";
  m.pipeline = "harris";
  m.librarySha256 = "00ff";
  m.registerCap = 128;
  m.backToBack = {30e-6, 29e-6, 31e-6, 11};
  m.runsPerSample = 100;
  m.single = {40e-6, 39e-6, 41e-6, 21};
  m.allocations = 3;
  m.firstSeconds = 0.2;
  m.warmUp = {500, 0.1, true};
  m.kernelClock = KernelClock::Cupti;
  m.kernels = {{"k0", 1, {10e-6, 9e-6, 11e-6, 7}, 32, 0}, {"k1", 2, {5e-6, 5e-6, 5e-6, 14}, 40, 8}};
  m.before = {1980, 3201, 40, 250.5, {"power limit"}};
  m.after = {1900, 3201, 45, 300, {}};
  m.outputs = {{"output", "abcd"}};
  m.comparison = report::VerifyReport{{{.name = "output", .elements = 10}}, {}};
  m.remarks = {"a remark"};
  return m;
}

// Returns the JSON as it is read back from a file.
json written(const Measurement &measurement) { return json::parse(toJson(measurement).dump()); }
json written() { return written(example()); }

std::string problemOf(const json &document) {
  const auto read = measurementFromJson(document);
  return read ? "" : read.error().message;
}

TEST(Measurement, IsReadAsItWasWritten) {
  const auto read = measurementFromJson(written());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, example());
}

TEST(Measurement, AnUnverifiedOneStaysSo) {
  Measurement m = example();
  m.comparison.reset();
  const auto read = measurementFromJson(written(m));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->verified());
  EXPECT_EQ(*read, m);
}

TEST(Measurement, TheGapIsWhatTheKernelsLeave) {
  ASSERT_TRUE(example().gapSeconds());
  EXPECT_NEAR(*example().gapSeconds(), 10e-6, 1e-12); // 30 - (10 + 2 · 5)
}

TEST(Measurement, WhereAKernelHasNoTimeThereIsNoGap) {
  Measurement m = example();
  m.kernels[1].seconds = {};
  EXPECT_FALSE(m.gapSeconds());
}

TEST(Measurement, EveryMemberIsNeeded) {
  const json whole = written();
  for (const auto &[key, value] : whole.items()) {
    // Values that were not measured are null, and derived values may be missing.
    if (value.is_null() || key == "back_to_back" || key == "single" || key == "comparison" ||
        key == "gap_seconds" || key == "verified")
      continue;
    json without = whole;
    without.erase(key);
    EXPECT_THAT(problemOf(without), HasSubstr("'" + key + "'"));
  }
}

TEST(Measurement, DamageIsNamed) {
  json document = written();
  document["version"] = 7;
  EXPECT_THAT(problemOf(document), HasSubstr("version 7"));
  document = written();
  document["batches"] = 3;
  EXPECT_THAT(problemOf(document), HasSubstr("unknown member 'batches'"));
  document = written();
  document["kernels"][0]["registers"] = -1;
  EXPECT_THAT(problemOf(document), HasSubstr("'registers' is out of range"));
  document = written();
  document["kernel_clock"] = "sundial";
  EXPECT_THAT(problemOf(document), HasSubstr("'sundial'"));
  EXPECT_THAT(problemOf(json::array()), HasSubstr("is not an object"));
}

} // namespace
} // namespace tessera::bench
