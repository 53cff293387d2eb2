// SPDX-License-Identifier: MIT
#include "engine/chart/roofline_csv.h"

#include "tests/engine/chart/charted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace tessera::chart {
namespace {

using testing::kernel;
using testing::rooflineOf;

std::vector<std::string> linesOf(const std::string &csv) {
  std::vector<std::string> lines;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

TEST(RooflineCsv, HasARowForEachKernelPipelineAndRoof) {
  const auto lines = linesOf(csvOf(rooflineOf({kernel("a", 1e-6), kernel("b", 2e-6)})));
  ASSERT_EQ(lines.size(), 1U + 2 + 1 + cost::kRoofs);
  EXPECT_TRUE(lines[1].starts_with("kernel,a,predicted,1e-06,1e+07,1e+06,1e+06,4e+06,1e+07,1e+07,"))
      << lines[1];
  EXPECT_TRUE(lines[3].starts_with("pipeline,pipe,predicted,3e-06,2e+07,")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("roof,dram,described,")) << lines[4];
  for (const std::string &line : lines) {
    EXPECT_EQ(std::ranges::count(line, ','), 16) << line;
    EXPECT_TRUE(line.ends_with("\r")) << line;
  }
}

TEST(RooflineCsv, WhatNobodyKnowsIsEmpty) {
  cost::Work counted = kernel("a", 0, cost::Origin::Static);
  counted.traffic = {{}, {}, 1e7, 0};
  const auto lines = linesOf(csvOf(rooflineOf({counted})));
  EXPECT_TRUE(lines[1].starts_with("kernel,a,static,,1e+07,1e+06,,,1e+07,0,,")) << lines[1];
}

TEST(RooflineCsv, NamesAreQuotedWhereTheyHaveTo) {
  const auto lines = linesOf(csvOf(rooflineOf({kernel("a,\"b\"", 1e-6)})));
  EXPECT_TRUE(lines[1].starts_with("kernel,\"a,\"\"b\"\"\",predicted,")) << lines[1];
}

} // namespace
} // namespace tessera::chart
