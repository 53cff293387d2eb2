// SPDX-License-Identifier: MIT
#include "engine/chart/roofline_svg.h"

#include "tests/engine/chart/charted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace tessera::chart {
namespace {

using cost::Origin;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kernel;
using ::testing::Not;
using testing::rooflineOf;
using ::testing::StartsWith;

std::size_t count(const std::string &text, const std::string &word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

std::string drawn(const std::vector<cost::Work> &kernels) {
  return svgOf(chartOf(rooflineOf(kernels), {"pipe", "a GPU"}));
}

TEST(RooflineSvg, IsReadAloudWithItsTable) {
  const std::string svg = drawn({kernel("first", 3e-6), kernel("second", 6e-6)});
  EXPECT_THAT(svg, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, AllOf(HasSubstr("role=\"img\" aria-labelledby=\"title desc\""),
                         HasSubstr("<title id=\"title\">Roofline of pipe on a GPU</title>"),
                         HasSubstr("second: 6.00 µs, L1/shared binds, 25 % reached."),
                         HasSubstr("Roofs: a test.")));
  EXPECT_THAT(svg, HasSubstr("<title>first, predicted: 3.00 µs, 3.33 Top/s, DRAM 1.00 MB"));
}

TEST(RooflineSvg, EveryElementIsClosed) {
  const std::string svg = drawn({kernel("a", 3e-6), kernel("b", 6e-6)});
  for (const std::string element : {"svg", "g", "text", "title", "desc"})
    EXPECT_EQ(count(svg, "<" + element + " ") + count(svg, "<" + element + ">"),
              count(svg, "</" + element + ">"))
        << element;
  EXPECT_EQ(count(svg, "\"") % 2, 0U);
}

TEST(RooflineSvg, AnArrowSaysTheGain) {
  const cost::Roofline before = rooflineOf({kernel("a", 8e-6)});
  const std::string svg = svgOf(chartOf(rooflineOf({kernel("a", 4e-6)}), {"pipe", "a GPU"},
                                        {.compared = {{&before, "before"}}}));
  EXPECT_THAT(svg, AllOf(HasSubstr(">+100 %</text>"), HasSubstr(">before</text>")));
}

TEST(RooflineSvg, WhatIsComparedHasABrokenOutlineAndAKey) {
  const cost::Roofline before =
      rooflineOf({kernel("a", 8e-6), kernel("b", 2e-6, cost::Origin::Measured)});
  const std::string svg = svgOf(chartOf(rooflineOf({kernel("a", 4e-6), kernel("c", 2e-6)}),
                                        {"pipe", "a GPU"}, {.compared = {{&before, "A & so on"}}}));
  EXPECT_THAT(svg,
              AllOf(HasSubstr(">compared with</text>"), HasSubstr(">A &amp; so on</text>"),
                    HasSubstr("stroke-dasharray=\"3.5 2.5\""), HasSubstr("fill-opacity=\"0.5\"")));
  EXPECT_THAT(drawn({kernel("a", 4e-6)}), Not(HasSubstr("compared with")));
}

TEST(RooflineSvg, NoAttributeIsThereTwice) {
  std::vector<cost::Work> kernels;
  for (int i = 0; i < 20; ++i)
    kernels.push_back(kernel("k" + std::to_string(i), 1e-6 * (i + 1), Origin::Static));
  const std::string svg = drawn(kernels);
  const std::regex element("<[a-z]+ [^>]*>"), attribute(" ([a-z-]+)=\"");
  for (std::sregex_iterator e(svg.begin(), svg.end(), element), end; e != end; ++e) {
    const std::string text = e->str();
    std::set<std::string> names;
    for (std::sregex_iterator a(text.begin(), text.end(), attribute); a != end; ++a)
      EXPECT_TRUE(names.insert((*a)[1]).second) << text;
  }
}

TEST(RooflineSvg, WordsAreNoMarkup) {
  // The share of the short kernel is below one percent, so its text has a "<", which must be
  // escaped.
  const std::string svg = drawn({kernel("short", 1e-9), kernel("long", 1)});
  EXPECT_THAT(svg, AllOf(HasSubstr("&lt; 1 %"), Not(HasSubstr("< 1 %"))));
}

TEST(RooflineSvg, NamesAreNoMarkup) {
  const std::string svg = drawn({kernel("a<b>&\"c\"", 3e-6)});
  EXPECT_THAT(svg, AllOf(HasSubstr("a&lt;b&gt;&amp;&quot;c&quot;"), Not(HasSubstr("a<b>"))));
}

TEST(RooflineSvg, LevelsDifferByShapeAndOriginsByFilling) {
  const std::string predicted = drawn({kernel("a", 3e-6)});
  // Each level's shape is in the drawing and in the key. Another line of the key shows a circle.
  EXPECT_EQ(count(predicted, "<circle"), 3U);
  EXPECT_EQ(count(predicted, "<path"), 2U);
  const std::string hollow = "fill=\"#ffffff\" stroke=\"#0072b2\"";
  const std::string full = "fill=\"#0072b2\" stroke=\"#0072b2\"";
  EXPECT_EQ(count(predicted, hollow), 2U);
  EXPECT_EQ(count(predicted, full), 1U);
  const std::string measured = drawn({kernel("a", 3e-6, Origin::Measured)});
  EXPECT_EQ(count(measured, hollow), 0U);
  EXPECT_EQ(count(measured, full), 3U);
  // A static count has a dot in the middle of each mark.
  EXPECT_EQ(count(drawn({kernel("a", 3e-6, Origin::Static)}), "<circle"), 3U + 4U);
}

TEST(RooflineSvg, LongNamesAreCutInTheMiddleOfTheTableAlone) {
  const std::string svg = drawn({kernel("a_kernel_with_a_very_long_name_s0", 3e-6)});
  EXPECT_THAT(svg, AllOf(HasSubstr(">a_kernel_w…ng_name_s0<"),
                         HasSubstr("<title>a_kernel_with_a_very_long_name_s0,")));
}

} // namespace
} // namespace tessera::chart
