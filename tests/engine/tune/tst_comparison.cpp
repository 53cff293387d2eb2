// SPDX-License-Identifier: MIT
#include "engine/tune/comparison.h"

#include "engine/tune/contenders.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::tune {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

bench::Measurement measurement(double seconds, bool isRight) {
  bench::Measurement m;
  m.machine = "NVIDIA H200";
  m.backToBack = {seconds, seconds, seconds, 21};
  if (isRight) m.comparison = report::VerifyReport{{{.name = "output", .elements = 10}}, {}};
  return m;
}

Comparison comparison() {
  Comparison all;
  all.pipeline = "blur";
  all.machine = "h200";
  all.remarks = {"a remark"};
  all.floor = cost::Floor{800, 0.25, {1, 2, 3, 4}};
  Contender fast{.word = "auto", .name = "auto", .state = ContenderState::Measured};
  fast.measurement = measurement(1e-5, true);
  fast.predictedSeconds = 0.5;
  fast.hash = 0xfedcba9876543210;
  fast.kernels = 1;
  fast.registerCap = 96;
  Contender slow{.word = "x.schedule.h", .name = "x", .state = ContenderState::Measured};
  slow.measurement = measurement(2e-5, true);
  slow.isOpaque = true;
  slow.scheduleSeconds = 0.25;
  Contender broken{.word = "li2018", .name = "li2018", .why = "asserted: \"no\",\nit says"};
  all.contenders = {fast, slow, broken};
  return all;
}

TEST(Comparison, ComesBackAsItWas) {
  const auto read = comparisonFromJson(json(toJson(comparison())));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, comparison());
}

// The output of the fastest schedule was not compared with the reference, so the schedule is not
// ranked.
TEST(Comparison, WhatNobodyCheckedIsNotRanked) {
  Comparison all = comparison();
  all.contenders[0].measurement = measurement(1e-9, false);
  EXPECT_FALSE(all.contenders[0].seconds());
  EXPECT_EQ(all.bestSeconds(), 2e-5);
  EXPECT_THAT(csvText(all), HasSubstr("\"auto\",measured,,,,,,"));
}

TEST(Comparison, CsvIsALineEach) {
  const std::string csv = csvText(comparison());
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_THAT(csv, HasSubstr("\"x\",measured,2.0000000000000002e-05,"));
  EXPECT_THAT(csv, HasSubstr(",2,,,0.25,yes,0,0,yes,\"\"\n"));
  EXPECT_THAT(csv, HasSubstr("\"asserted: \"\"no\"\", it says\"\n"));
}

TEST(Comparison, CsvSaysHowFarTheFloorIs) {
  cost::PlacedFloor floor;
  floor.seconds = 1e-5;
  EXPECT_THAT(csvText(comparison(), floor), HasSubstr(",2,2,,0.25,yes"));
}

// Comparisons that older versions of the program wrote have no floor.
TEST(Comparison, AFloorMayBeMissing) {
  json document(toJson(comparison()));
  document.erase("floor");
  const auto read = comparisonFromJson(document);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->floor);
}

TEST(Comparison, DamagedOnesAreRefused) {
  struct Damage {
    const char *path;
    json value;
    const char *words;
  };
  for (const Damage &damage :
       {Damage{"/format", "tessera-reference", "it is not a comparison"},
        Damage{"/version", 2, "it has version 2"},
        Damage{"/contenders/0/name", "../auto", "'../auto' is not a valid name of a contender"},
        Damage{"/contenders/0/state", "fine", "'fine' is not a state"},
        Damage{"/contenders/0/measurement", nullptr, "has no measurement"},
        Damage{"/contenders/0/schedule_hash", "what", "comparison: "},
        Damage{"/floor/bytes", "many", "'bytes' is not a number"},
        Damage{"/contenders/0/more", 1, "unknown member 'more'"}}) {
    json document(toJson(comparison()));
    document[json::json_pointer(damage.path)] = damage.value;
    const auto read = comparisonFromJson(document);
    ASSERT_FALSE(read) << damage.path;
    EXPECT_THAT(read.error().message, HasSubstr(damage.words));
  }
}

class ComparisonFolderTest : public host::test::ScratchTest {};

TEST_F(ComparisonFolderTest, IsKnownByItsIndex) {
  EXPECT_FALSE(isComparison(folder()));
  ASSERT_TRUE(writeComparison(comparison(), folder()));
  EXPECT_TRUE(isComparison(folder()));
  EXPECT_EQ(*readComparison(folder()), comparison());
  file("comparison.json", "{");
  EXPECT_FALSE(readComparison(folder()));
}

TEST_F(ComparisonFolderTest, EachContenderHasANameOfItsOwn) {
  const auto contenders =
      contendersFor({"auto", "a/mine.schedule.h", "b/mine.json", "auto", "reference.h", "..json"},
                    machine::Machine(), builtTools());
  ASSERT_TRUE(contenders) << contenders.error().message;
  std::vector<std::string> names;
  for (const Contender &contender : *contenders)
    names.push_back(contender.name);
  EXPECT_THAT(names, ElementsAre("auto", "mine", "mine-2", "auto-2", "reference-2", "_"));
  EXPECT_EQ(contendersFor({"auto", ""}, machine::Machine(), builtTools()).error().code,
            ErrorCode::Usage);
}

} // namespace
} // namespace tessera::tune
