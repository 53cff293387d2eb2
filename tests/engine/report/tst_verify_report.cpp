// SPDX-License-Identifier: MIT
#include "engine/report/verify_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <set>
#include <string>

namespace tessera::report {
namespace {

using nlohmann::json;

VerifyReport example() {
  VerifyReport report;
  report.outputs = {
      {"f", ComparisonRule::WithinOne, 1, 300, {0, -2}, 20, 2, 3, 3, 7, {1, -2}, "10", "17"},
      {"g", ComparisonRule::Relative, 1e-4, 9, {}, 0, 0, 0, 0, 0, {}, "", ""}};
  report.outputs[0].allowedUndecided = 3;
  report.outputs[0].magnified = 4;
  report.outputs[0].offByOne = 5;
  report.outputs[0].allowedOffByOne = 6;
  report.outputs[1].notNumbers = 2;
  report.remarks = {"at full size"};
  report.given = {.relative = 0.001, .share = 0.5};
  return report;
}

json document() { return json::parse(toJson(example()).dump()); }

TEST(VerifyReport, ReadsBackAsItWasWritten) {
  const auto report = verifyReportFromJson(document());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(*report, example());
  EXPECT_EQ(document().at("equal"), true) << "three beyond, three allowed";
  EXPECT_EQ(document().at("verdict"), "equal");
  EXPECT_EQ(document().at("tolerance"), "rel=0.001,share=0.5");
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

TEST(VerifyReport, TheVerdictIsThatOfTheWorstOutput) {
  VerifyReport report = example();
  report.outputs[1].isConstant = true;
  EXPECT_EQ(report.verdict(), Verdict::Undecided);
  EXPECT_FALSE(report.equal());
  EXPECT_FALSE(report.different());
  EXPECT_EQ(report.whyUndecided().substr(0, 3), "g: ");
  report.outputs[0].offByOne = 7;
  EXPECT_EQ(report.verdict(), Verdict::Different);
  EXPECT_EQ(report.whyUndecided(), "");
  EXPECT_EQ(report.outputs[0].wrong(), 3 + 7);
  EXPECT_EQ(VerifyReport{}.verdict(), Verdict::Undecided) << "nothing was compared";
}

// Reports that documents keep from before there was a bound of undecided elements.
TEST(VerifyReport, AnOlderOneIsJudgedAnew) {
  json older = document();
  for (const char *key : {"verdict", "allowed_undecided", "magnified", "off_by_one",
                          "allowed_off_by_one", "not_numbers", "constant"})
    older["outputs"][0].erase(key);
  older.erase("verdict");
  older.erase("tolerance");
  auto report = verifyReportFromJson(older);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outputs[0].allowedUndecided, 3) << "one in a hundred";
  EXPECT_TRUE(report->equal());
  older["outputs"][0]["undecided"] = 4U;
  EXPECT_EQ(verifyReportFromJson(older)->verdict(), Verdict::Undecided);
}

TEST(VerifyReport, NothingElseIsRead) {
  // Older reports do not have these. "verdict" follows from the others.
  const std::set<std::string> kNewer{"begin",       "verdict",    "allowed_undecided",
                                     "magnified",   "off_by_one", "allowed_off_by_one",
                                     "not_numbers", "constant"};
  EXPECT_FALSE(verifyReportFromJson(json::array()));
  EXPECT_FALSE(verifyReportFromJson(json::object()));
  const json whole = document();
  for (const auto &[key, value] : whole["outputs"][0].items()) {
    json without = whole;
    without["outputs"][0].erase(key);
    EXPECT_EQ(bool(verifyReportFromJson(without)), kNewer.contains(key)) << key;
  }
  json changed = whole;
  changed["outputs"][0]["rule"] = "by eye";
  EXPECT_FALSE(verifyReportFromJson(changed));
  changed = whole;
  changed["tolerance"] = "rel=much";
  EXPECT_FALSE(verifyReportFromJson(changed));
  changed = whole;
  changed["outputs"][0]["constant"] = 1;
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
