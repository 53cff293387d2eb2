// SPDX-License-Identifier: MIT
#include "engine/chart/roofline_chart.h"

#include "engine/chart/arrow_shape.h"
#include "engine/chart/roof_words.h"
#include "tests/engine/chart/charted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tessera::chart {
namespace {

using cost::Level;
using cost::Origin;
using cost::Work;
using ::testing::HasSubstr;
using testing::kernel;
using testing::rooflineOf;

const ChartText kText{"pipe", "a GPU"};

std::vector<Work> manyKernels(int count) {
  std::vector<Work> kernels;
  for (int i = 0; i < count; ++i)
    kernels.push_back(kernel("k" + std::to_string(i), (i + 1) * 1e-6));
  return kernels;
}

const RoofLine &roofOf(const RooflineChart &chart, const std::string &label) {
  return *std::ranges::find_if(chart.roofs, [&](const RoofLine &roof) {
    return roof.label.find(label) != std::string::npos;
  });
}

TEST(RooflineChart, AMarkIsAtItsIntensityAndRate) {
  const RooflineChart chart = chartOf(rooflineOf({kernel("k", 1e-6)}), kText);
  ASSERT_EQ(chart.rows.size(), 1U); // the only kernel stands for the pipeline
  ASSERT_EQ(chart.rows[0].marks.size(), 3U);
  // 1e7 operations in 1 µs and 1e6 bytes: 10 operations per byte, exactly on the roof of 1e12 bytes
  // per second.
  const Mark &dram = chart.rows[0].marks[0];
  const RoofLine &roof = roofOf(chart, "DRAM");
  const double slope = (roof.to.y - roof.from.y) / (roof.to.x - roof.from.x);
  EXPECT_NEAR(dram.at.y, roof.from.y + slope * (dram.at.x - roof.from.x), 1e-6);
  // The L2 traffic is 4 times the DRAM traffic, and that of L1 and shared memory together 20 times.
  const double decade = (dram.at.x - chart.rows[0].marks[2].at.x) / std::log10(20);
  EXPECT_NEAR(dram.at.x - chart.rows[0].marks[1].at.x, decade * std::log10(4), 1e-6);
  EXPECT_EQ(chart.rows[0].marks[1].at.y, dram.at.y);
}

TEST(RooflineChart, RoofsMeetWhereBytesAndOperationsTakeAsLong) {
  const RooflineChart chart = chartOf(rooflineOf({kernel("k", 1e-6)}), kText);
  const RoofLine &top = roofOf(chart, "FP16"), &shared = roofOf(chart, "L1/shared");
  EXPECT_EQ(top.label, "FP16  80.0 Top/s");
  EXPECT_EQ(shared.label, "L1/shared  20.0 TB/s");
  EXPECT_NEAR(top.from.x, shared.to.x, 1e-6);
  EXPECT_NEAR(top.from.y, shared.to.y, 1e-6);
  EXPECT_EQ(top.to.x, chart.frame.right());
  EXPECT_FALSE(top.isUsed); // the kernel has no FP16 operations
  EXPECT_TRUE(roofOf(chart, "FP32").isUsed);
}

TEST(RooflineChart, EverythingIsInsideTheFrame) {
  std::vector<Work> kernels = manyKernels(30);
  kernels[3].operations.fp32 = 3;   // very low rate
  kernels[4].traffic.dram = 4;      // very high intensity
  kernels[5].traffic.shared = 4e12; // very low intensity
  const RooflineChart chart = chartOf(rooflineOf(kernels, cost::Floor{1e6, 1, {0, 1e6}}), kText);
  const Frame &frame = chart.frame;
  const auto expectInside = [&](Point at) {
    EXPECT_GE(at.x, frame.left - 1e-6);
    EXPECT_LE(at.x, frame.right() + 1e-6);
    EXPECT_GE(at.y, frame.top - 1e-6);
    EXPECT_LE(at.y, frame.bottom() + 1e-6);
  };
  for (const MarkRow &row : chart.rows)
    for (const Mark &mark : row.marks)
      expectInside(mark.at);
  for (const RoofLine &roof : chart.roofs) {
    expectInside(roof.from);
    expectInside(roof.to);
  }
  for (const Tag &tag : chart.tags)
    expectInside(tag.at);
}

TEST(RooflineChart, ARoofThatIsNotKnownIsNotDrawn) {
  cost::Ceilings ceilings = testing::roundCeilings();
  ceilings.l2 = ceilings.l1 = ceilings.shared = ceilings.fp64 = 0;
  const std::vector<Work> kernels{kernel("k", 1e-6)};
  const RooflineChart chart = chartOf(cost::roofline(ceilings, kernels, kernels), kText);
  ASSERT_EQ(chart.roofs.size(), 3U); // FP16, FP32, device memory
  for (const RoofLine &roof : chart.roofs)
    EXPECT_TRUE(std::isfinite(roof.from.x + roof.from.y + roof.to.x + roof.to.y)) << roof.label;
}

TEST(RooflineChart, TheLongestKernelsHaveNumbersAndARowEach) {
  const RooflineChart chart = chartOf(rooflineOf(manyKernels(100)), kText, {.most = 5});
  ASSERT_EQ(chart.table.size(), 6U);
  EXPECT_EQ(chart.table[0].tag, "1");
  EXPECT_EQ(chart.table[0].name, "k99");
  EXPECT_EQ(chart.table[0].time, "100 µs");
  EXPECT_EQ(chart.table[0].share, "2 %"); // 100 µs of 5050 µs
  EXPECT_EQ(chart.table[5].name, "95 more");
  EXPECT_EQ(chart.table[5].time, "4.56 ms");
  ASSERT_EQ(chart.tags.size(), 2U);
  EXPECT_EQ(chart.tags[0].text, "pipeline");
  EXPECT_EQ(chart.tags[1].text, "1, 2, 3, 4, 5"); // all marks lie within a few pixels
  EXPECT_EQ(chart.rows.size(), 101U);
  EXPECT_TRUE(chart.rows.back().isWhole); // the pipeline is painted last
  EXPECT_FALSE(chart.rows.front().isListed);
}

TEST(RooflineChart, WhatIsShortAndSlowDoesNotPressTheOthersTogether) {
  std::vector<Work> kernels = manyKernels(6);
  const RooflineChart without = chartOf(rooflineOf(kernels), kText, {.most = 6});
  kernels.push_back(kernel("tiny", 1e-7));
  kernels.back().operations.fp32 = 1; // a rate a million times lower
  const RooflineChart with = chartOf(rooflineOf(kernels), kText, {.most = 6});
  EXPECT_EQ(with.rows.size(), without.rows.size()); // the new kernel is outside of the frame
  EXPECT_EQ(with.table.back().name, "1 more");
  EXPECT_EQ(with.yTicks.size(), without.yTicks.size());
}

TEST(RooflineChart, TagsCoverNothing) {
  const RooflineChart chart = chartOf(rooflineOf(manyKernels(40)), kText);
  for (std::size_t i = 0; i < chart.tags.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Point a = chart.tags[i].at, b = chart.tags[j].at;
      EXPECT_TRUE(std::abs(a.x - b.x) >= 10 || std::abs(a.y - b.y) >= 14)
          << chart.tags[i].text << " " << chart.tags[j].text;
    }
}

TEST(RooflineChart, WhatCannotBeToldApartSharesAWord) {
  const RooflineChart chart =
      chartOf(rooflineOf({kernel("a", 1e-6), kernel("b", 1e-6), kernel("c", 9e-6)}), kText);
  std::vector<std::string> words;
  for (const Tag &tag : chart.tags)
    words.push_back(tag.text);
  EXPECT_THAT(words, ::testing::UnorderedElementsAre("1", "2, 3", "pipeline"));
}

TEST(RooflineChart, SlantedWordsKeepOffTheMarks) {
  // The marks lie on the roof of device memory, from its lower end upwards.
  std::vector<Work> kernels;
  for (int i = 0; i < 6; ++i) {
    Work low = kernel("k" + std::to_string(i), 1e-6 * (i + 1));
    low.operations.fp32 = 1e4 * (i + 1);
    low.traffic = {1e6 * (i + 1), {}, {}, {}};
    kernels.push_back(low);
  }
  const RooflineChart chart = chartOf(rooflineOf(kernels), kText);
  const RoofLine &roof = roofOf(chart, "DRAM");
  for (const MarkRow &row : chart.rows)
    for (const Mark &mark : row.marks)
      EXPECT_GT(std::hypot(mark.at.x - roof.labelAt.x, mark.at.y - roof.labelAt.y), 10);
}

// Kernels are spread over the drawing, some above their roofs. The frames are as small as in a
// dock.
TEST(RooflineChart, WordsOfRoofsCoverNoMarksNoLinesAndNotEachOther) {
  std::mt19937 random(7);
  const auto upTo = [&](double most) {
    return std::pow(10, std::uniform_real_distribution<>(0, std::log10(most))(random));
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<Work> kernels = manyKernels(40);
    for (Work &work : kernels) {
      work.operations.fp32 = 1e5 * upTo(1e4);
      work.operations.fp64 = round % 2 ? 1e3 : 0;
      work.traffic = {1e3 * upTo(1e4), 1e4 * upTo(1e4), 1e4 * upTo(1e4), 1e4 * upTo(1e4)};
    }
    const Frame frame = round % 3 == 0   ? Frame{78, 84, 760, 520}
                        : round % 3 == 1 ? Frame{78, 84, 304, 208}
                                         : Frame{62, 12, 480, 110};
    const RooflineChart chart =
        chartOf(rooflineOf(kernels, cost::Floor{1e6, 1, {0, 1e6}}), kText, {.frame = frame});
    std::vector<TurnedBox> words, lines;
    std::vector<std::size_t> own; // for each word, the index of its line in `lines`
    for (const RoofLine &roof : chart.roofs) {
      if (!roof.label.empty()) own.push_back(lines.size());
      if (!roof.label.empty()) words.push_back(wordBoxOf(roof));
      lines.push_back(TurnedBox::along(roof.from, roof.to, 2));
    }
    if (const auto &line = chart.compulsory) {
      if (!line->label.empty()) own.push_back(lines.size());
      if (!line->label.empty()) words.push_back(wordBoxOf(*line));
      lines.push_back(TurnedBox::along({line->x, frame.top}, {line->x, frame.bottom()}, 2));
    }
    // A label without room beside its line is listed apart from the drawing.
    EXPECT_GE(words.size() + chart.apart.size(), lines.size()) << round;
    EXPECT_GE(words.size(), frame.height > 500 ? 6U : 1U) << round;
    for (std::size_t w = 0; w < words.size(); ++w)
      for (std::size_t line = 0; line < lines.size(); ++line)
        EXPECT_TRUE(line == own[w] || !words[w].touches(lines[line])) << round;
    for (std::size_t w = 0; w < words.size(); ++w) {
      EXPECT_TRUE(words[w].isWithin({frame.left, frame.top, frame.right(), frame.bottom()}));
      for (std::size_t other = 0; other < w; ++other)
        EXPECT_FALSE(words[w].touches(words[other])) << round;
      for (const MarkRow &row : chart.rows)
        for (const Mark &mark : row.marks)
          EXPECT_FALSE(words[w].touches(Box{mark.at.x - mark.radius, mark.at.y - mark.radius,
                                            mark.at.x + mark.radius, mark.at.y + mark.radius}))
              << round;
    }
  }
}

TEST(RooflineChart, WhatKnowsMostSpeaksForAKernel) {
  const std::vector<Work> kernels{kernel("a", 4e-6), kernel("a", 2e-6, Origin::Measured),
                                  kernel("a", 3e-6, Origin::Static)};
  const std::vector<Work> wholes{kernel("pipe", 9e-6), kernel("pipe", 8e-6, Origin::Measured)};
  const RooflineChart chart =
      chartOf(cost::roofline(testing::roundCeilings(), kernels, wholes), kText);
  ASSERT_EQ(chart.table.size(), 1U);
  EXPECT_EQ(chart.table[0].time, "2.00 µs");
  EXPECT_EQ(chart.table[0].share, "25 %");
  EXPECT_THAT(chart.subtitle, HasSubstr("8.00 µs measured; "));
  EXPECT_EQ(chart.rows.size(), 5U);
  EXPECT_EQ(chart.origins.size(), 3U);
}

TEST(RooflineChart, APredictionSaysWhatBindsWhatTheCodeDoesNotKnow) {
  Work predicted = kernel("a", 4e-6), counted = kernel("a", 8e-6, Origin::Static);
  predicted.traffic = {2e6, 1e6, 1e6, 0}; // 2 µs in device memory
  counted.traffic = {{}, {}, 1e7, 0};     // 1 µs in the first-level cache
  const std::vector<Work> both{predicted, counted}, code{counted};
  const auto rowOf = [](const std::vector<Work> &kernels) {
    return chartOf(cost::roofline(testing::roundCeilings(), kernels, kernels), kText).table.at(0);
  };
  EXPECT_EQ(rowOf(both).time, "8.00 µs");
  EXPECT_EQ(rowOf(both).binding, "DRAM");
  EXPECT_EQ(rowOf(both).reached, "25 %");
  EXPECT_EQ(rowOf(code).binding, "L1/shared");
  EXPECT_EQ(rowOf(code).reached, "12 %"); // 12.5 %, rounded to even
}

TEST(RooflineChart, SaysHowFarItIsFromTheFloor) {
  const cost::Floor floor{2e6, 1, {0, 1e7}};
  const RooflineChart chart = chartOf(rooflineOf({kernel("k", 8e-6)}, floor), kText);
  EXPECT_EQ(chart.title, "pipe on a GPU");
  // L1 and shared memory take 1e7 / 1e13 + 1e7 / 2e13 s, which is 19 % of 8 µs. The floor takes 2
  // µs: 2e6 / 1e12 s.
  EXPECT_EQ(chart.subtitle, "8.00 µs predicted; L1/shared binds, 19 % of it reached; 4.00 times "
                            "the floor of 2.00 µs (DRAM)");
  EXPECT_TRUE(chart.compulsory);
}

TEST(RooflineChart, TheAxisNamesWhatItCounts) {
  const RooflineChart floats = chartOf(rooflineOf({kernel("k", 1e-6)}), kText);
  EXPECT_THAT(floats.xTitle, HasSubstr("float operations per byte"));
  Work integers = kernel("k", 8e-6); // the marks are far below the roofs
  integers.operations = {0, 1e5, 0, 1e7};
  const RooflineChart chart = chartOf(rooflineOf({integers}), kText);
  EXPECT_THAT(chart.xTitle, HasSubstr("integer instructions per byte"));
  EXPECT_EQ(roofOf(chart, "all kinds").label, "integers of all kinds  20.0 Tinst/s");
  // Two pipes with the same rate share one line.
  EXPECT_EQ(roofOf(chart, "only").label, "additions only, multiply-adds only");
}

TEST(RooflineChart, WhatHasNoOperationsHasARowAndNoMark) {
  Work copy = kernel("copy", 1e-6);
  copy.operations = {};
  const RooflineChart chart = chartOf(rooflineOf({kernel("k", 2e-6), copy}), kText);
  EXPECT_EQ(chart.table.size(), 2U);
  EXPECT_EQ(chart.rows.size(), 2U); // the rows of k and of the pipeline
}

TEST(RooflineChart, AWindowShowsItsPartAndNothingBeside) {
  const cost::Roofline roofline = rooflineOf(manyKernels(3));
  // The window is around the point where the roofs of device memory and FP32 meet: 1e12 bytes and
  // 4e13 operations per second.
  const ChartWindow window{10, 100, 5e12, 5e13};
  const RooflineChart chart = chartOf(roofline, kText, {.window = window});
  const Frame &frame = chart.frame;
  EXPECT_NEAR(chart.x.valueAt(frame.left), window.leastX, 1e-9);
  EXPECT_NEAR(chart.x.valueAt(frame.right()), window.mostX, 1e-8);
  EXPECT_NEAR(chart.y.valueAt(frame.top), window.mostY, 1e3);
  for (const RoofLine &roof : chart.roofs)
    for (const Point at : {roof.from, roof.to}) {
      EXPECT_GE(at.x, frame.left - 1e-6) << roof.label;
      EXPECT_LE(at.x, frame.right() + 1e-6) << roof.label;
      EXPECT_GE(at.y, frame.top - 1e-6) << roof.label;
      EXPECT_LE(at.y, frame.bottom() + 1e-6) << roof.label;
    }
  // The DRAM roof leaves at the top of the frame, the FP32 roof on the right. The FP16 roof is
  // above the frame.
  EXPECT_NEAR(roofOf(chart, "DRAM").to.y, frame.top, 1e-6);
  EXPECT_NEAR(roofOf(chart, "FP32").to.x, frame.right(), 1e-6);
  EXPECT_TRUE(std::ranges::none_of(
      chart.roofs, [](const RoofLine &roof) { return roof.label.starts_with("FP16"); }));
  // The table lists all kernels, even those outside of the window.
  EXPECT_EQ(chart.table.size(), 3U);
}

TEST(RooflineChart, AnArrowLeadsFromWhereItWas) {
  const cost::Roofline before = rooflineOf({kernel("a", 4e-6), kernel("b", 4e-6)});
  const cost::Roofline now = rooflineOf({kernel("a", 2e-6), kernel("c", 3e-6)});
  const RooflineChart chart = chartOf(now, kText, {.compared = {{&before, "before"}}});
  ASSERT_EQ(chart.arrows.size(), 2U); // one for a and one for the pipeline; c is new
  const Arrow &kernelArrow = chart.arrows[0], &whole = chart.arrows[1];
  EXPECT_FALSE(kernelArrow.isWhole);
  EXPECT_EQ(kernelArrow.text, "+100 %");
  EXPECT_TRUE(whole.isWhole);
  EXPECT_EQ(whole.text, "+60 %"); // from 8 µs to 5 µs
  // The cache binds with 1.5 µs of 5 µs; device memory takes 1 µs.
  EXPECT_EQ(whole.level, Level::Cache);
  EXPECT_EQ(whole.from.x, whole.to.x); // equal operations and bytes, thus equal intensity
  EXPECT_NEAR(whole.from.y - whole.to.y, std::abs(chart.y.perDecade()) * std::log10(1.6), 1e-6);
  const auto old = std::ranges::find_if(
      chart.rows, [](const MarkRow &row) { return row.series == 1 && row.isWhole; });
  ASSERT_NE(old, chart.rows.end());
  EXPECT_EQ(old->tag, "before");
  EXPECT_EQ(old->marks[2].at.y, whole.from.y);
  // No tag covers the word of the arrow.
  const Point word = ArrowShape(whole).word;
  for (const Tag &tag : chart.tags) {
    const double halves = 3.2 * static_cast<double>(tag.text.size() + whole.text.size());
    EXPECT_TRUE(std::abs(tag.at.x - word.x) >= halves || std::abs(tag.at.y - word.y) >= 13)
        << tag.text;
  }
}

const MarkRow *rowOf(const RooflineChart &chart, std::size_t series, std::size_t work) {
  const auto row = std::ranges::find_if(chart.rows, [&](const MarkRow &one) {
    return one.series == series && one.work == work && !one.isWhole;
  });
  return row == chart.rows.end() ? nullptr : &*row;
}

TEST(RooflineChart, KernelsOfAnotherScheduleHaveOneMarkEach) {
  const cost::Roofline now = rooflineOf({kernel("a", 2e-6), kernel("b", 3e-6)});
  const cost::Roofline before = rooflineOf({kernel("b", 6e-6), kernel("c", 1e-6)});
  const RooflineChart chart = chartOf(now, kText, {.compared = {{&before, "A"}}});
  const MarkRow *same = rowOf(chart, 1, 0), *other = rowOf(chart, 1, 1);
  ASSERT_TRUE(same && other);
  EXPECT_EQ(same->ours, std::optional<std::size_t>(1));
  EXPECT_EQ(other->ours, std::nullopt);
  ASSERT_EQ(same->marks.size(), 1U);
  EXPECT_EQ(same->marks[0].level, Level::Cache); // the memory level that binds
  EXPECT_FALSE(same->isListed);
  // The arrow of b begins at the mark of the compared kernel.
  ASSERT_EQ(chart.arrows.size(), 2U);
  EXPECT_EQ(chart.arrows[0].work, 1U);
  EXPECT_EQ(chart.arrows[0].from.y, same->marks[0].at.y);
  ASSERT_EQ(chart.compared.size(), 1U);
  EXPECT_EQ(chart.compared[0].drawn, 2U);
  EXPECT_EQ(chart.compared[0].all, 2U);
}

TEST(RooflineChart, OnlyKernelsOfTheSameStagesAreTheSame) {
  Work alone = kernel("a", 4e-6), fused = kernel("a", 2e-6);
  alone.stages = {"a"};
  fused.stages = {"a", "b"};
  const cost::Roofline before = rooflineOf({alone, kernel("b", 4e-6)});
  const RooflineChart chart =
      chartOf(rooflineOf({fused, kernel("c", 1e-6)}), kText, {.compared = {{&before, "A"}}});
  ASSERT_EQ(chart.arrows.size(), 1U);
  EXPECT_TRUE(chart.arrows[0].isWhole);
  EXPECT_EQ(rowOf(chart, 1, 0)->ours, std::nullopt);
}

TEST(RooflineChart, AnArrowIsOfWhatBothKnowBest) {
  const std::vector<Work> old{kernel("a", 4e-6), kernel("a", 9e-6, Origin::Measured),
                              kernel("b", 4e-6)};
  const std::vector<Work> current{kernel("a", 2e-6), kernel("a", 3e-6, Origin::Measured),
                                  kernel("b", 2e-6), kernel("b", 1e-6, Origin::Measured)};
  const cost::Roofline before = rooflineOf(old);
  const RooflineChart chart = chartOf(rooflineOf(current), kText, {.compared = {{&before, "A"}}});
  std::vector<std::string> gains;
  for (const Arrow &arrow : chart.arrows)
    if (!arrow.isWhole) gains.push_back(arrow.text);
  EXPECT_THAT(gains, ::testing::UnorderedElementsAre("+200 %", "+100 %"));
  // The measured and the predicted points are both in the chart.
  EXPECT_TRUE(rowOf(chart, 1, 0) && rowOf(chart, 1, 1));
}

TEST(RooflineChart, OfManyKernelsTheSameAndTheLongestAreDrawn) {
  std::vector<Work> old = manyKernels(100); // ordered by time, the longest last
  const std::vector<Work> current{kernel("k3", 1e-6), kernel("k5", 1e-6)};
  const cost::Roofline before = rooflineOf(old);
  const RooflineChart chart =
      chartOf(rooflineOf(current), kText, {.compared = {{&before, "A"}, {&before, "B"}}});
  EXPECT_TRUE(rowOf(chart, 1, 3) && rowOf(chart, 1, 5) && rowOf(chart, 1, 99));
  EXPECT_FALSE(rowOf(chart, 1, 4));
  EXPECT_EQ(chart.compared[0].drawn, 12U);
  EXPECT_EQ(chart.compared[0].all, 100U);
  EXPECT_EQ(chart.compared[1].drawn, 6U); // the second comparison has no arrows
}

// In the compared roofline, kernel a takes ten thousand times as long, so its old point is outside
// of the drawing. The arrow of a starts at the edge.
TEST(RooflineChart, WhatWasSlowDoesNotPressWhatIsFastTogether) {
  const cost::Roofline now = rooflineOf({kernel("a", 2e-6), kernel("b", 3e-6)});
  std::vector<Work> old{kernel("a", 2e-2), kernel("b", 3e-6)};
  cost::Roofline before = rooflineOf(old);
  before.pipelines.clear(); // otherwise the whole pipeline would be drawn too
  const double alone = chartOf(now, kText).y.least();
  const RooflineChart chart = chartOf(now, kText, {.compared = {{&before, "A"}}});
  EXPECT_GE(chart.y.least(), alone / 10);
  EXPECT_FALSE(rowOf(chart, 1, 0));
  EXPECT_EQ(chart.compared[0].drawn, 1U); // only b, whose time is unchanged
  ASSERT_EQ(chart.arrows.size(), 1U);
  EXPECT_NEAR(chart.arrows[0].from.y, chart.frame.bottom(), 1e-6);
  EXPECT_EQ(chart.arrows[0].text, "+999,900 %");
}

TEST(RooflineChart, OfOneKernelEachThePipelinesSayIt) {
  const cost::Roofline before = rooflineOf({kernel("a", 4e-6)});
  const RooflineChart chart =
      chartOf(rooflineOf({kernel("a", 2e-6)}), kText, {.compared = {{&before, "A"}}});
  EXPECT_EQ(chart.arrows.size(), 1U);
  EXPECT_FALSE(rowOf(chart, 1, 0));
  EXPECT_EQ(chart.compared[0].drawn, 1U);
}

TEST(RooflineChart, WhatHasNotMovedHasNoArrow) {
  const cost::Roofline same = rooflineOf({kernel("a", 4e-6), kernel("b", 4e-6)});
  EXPECT_TRUE(chartOf(same, kText, {.compared = {{&same, "before"}}}).arrows.empty());
}

TEST(RooflineChart, KernelsCanHaveTheirNumbersOfTheLaunch) {
  const RooflineChart chart = chartOf(rooflineOf({kernel("first", 1e-6), kernel("longest", 9e-6)}),
                                      kText, {.numbers = ChartOptions::Numbers::ByLaunch});
  EXPECT_EQ(chart.table[0].name, "longest");
  EXPECT_EQ(chart.table[0].tag, "2");
  for (const MarkRow &row : chart.rows)
    EXPECT_EQ(row.tag, row.isWhole ? "pipeline" : std::to_string(row.work + 1));
}

} // namespace
} // namespace tessera::chart
