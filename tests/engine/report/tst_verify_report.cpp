// SPDX-License-Identifier: MIT
#include "engine/report/verify_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace tessera::report {
namespace {

using nlohmann::json;

VerifyReport example() {
  VerifyReport report;
  report.outputs = {
      {"f", ComparisonRule::WithinOne, 1, 300, {0, -2}, 20, 2, 3, 3, 7, {1, -2}, "10", "17"},
      {"g", ComparisonRule::Relative, 1e-4, 9, {}, 0, 0, 0, 0, 0, {}, "", ""}};
  report.remarks = {"at full size"};
  return report;
}

json document() { return json::parse(toJson(example()).dump()); }

TEST(VerifyReport, ReadsBackAsItWasWritten) {
  const auto report = verifyReportFromJson(document());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(*report, example());
  EXPECT_EQ(document().at("equal"), true) << "three beyond, three allowed";
  EXPECT_EQ(document().at("worst_error"), 7);
}

TEST(VerifyReport, OneWrongOutputIsEnough) {
  VerifyReport report = example();
  report.outputs[1].beyond = 1;
  report.outputs[1].worstError = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(report.equal());
  const json written = json::parse(toJson(report).dump());
  EXPECT_EQ(written.at("equal"), false);
  EXPECT_TRUE(written.at("worst_error").is_null()) << "infinite";
  EXPECT_EQ(*verifyReportFromJson(written), report);
}

TEST(VerifyReport, NothingElseIsRead) {
  EXPECT_FALSE(verifyReportFromJson(json::array()));
  EXPECT_FALSE(verifyReportFromJson(json::object()));
  const json whole = document();
  for (const auto &[key, value] : whole["outputs"][0].items()) {
    json without = whole;
    without["outputs"][0].erase(key);
    // Only "begin" may be missing, as older reports do not have it.
    EXPECT_EQ(bool(verifyReportFromJson(without)), key == "begin") << key;
  }
  json changed = whole;
  changed["outputs"][0]["rule"] = "by eye";
  EXPECT_FALSE(verifyReportFromJson(changed));
  changed = whole;
  changed["outputs"][0]["beyond"] = -1;
  EXPECT_FALSE(verifyReportFromJson(changed));
  changed = whole;
  changed["outputs"][0]["begin"] = {0, "zero"};
  EXPECT_FALSE(verifyReportFromJson(changed));
}

} // namespace
} // namespace tessera::report
