// SPDX-License-Identifier: MIT
#include "engine/search/parameters.h"

#include <gmock/gmock.h>

#include <array>

namespace tessera::search {
namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

constexpr std::array<std::string_view, 2> kWays{"plain", "fancy"};
constexpr std::array kParameters{Parameter{"COST", "what it costs", 10, 0, 100, false},
                                 Parameter{"SIZE", "how large it is", 8, 1, 64, true},
                                 Parameter{"WAY", "how it is done", 0, 0, 1, true, kWays}};
constexpr std::array kValues{std::pair<std::string_view, double>{"COST", 20},
                             std::pair<std::string_view, double>{"SIZE", 4}};
constexpr std::array kPresets{Preset{"other", "both otherwise", kValues}};
constexpr std::array kCosts{1., 2.};
constexpr std::array kSizes{8., 16., 32.};
constexpr std::array kAxes{ParameterGrid::Axis{"COST", kCosts},
                           ParameterGrid::Axis{"SIZE", kSizes}};
constexpr std::array kGrids{ParameterGrid{"small", "six points", kAxes}};
constexpr ParameterTable kTable{kParameters, kPresets, kGrids};

Result<ParameterValues> read(const Given &given, const ParameterTable &table = kTable) {
  return parameterValues(table, "magic", given);
}

TEST(Parameters, AreReadByName) {
  EXPECT_EQ(*read({}), ParameterValues());
  EXPECT_EQ(*read({{"COST", "2.5"}, {"SIZE", "64"}}),
            (ParameterValues{{"COST", 2.5}, {"SIZE", 64}}));
  EXPECT_EQ(*read({{"COST", "1"}, {"COST", "3"}}), (ParameterValues{{"COST", 3}})); // the last
}

TEST(Parameters, MayBeWords) {
  EXPECT_EQ(*read({{"WAY", "fancy"}}), (ParameterValues{{"WAY", 1}}));
  const auto wrong = read({{"WAY", "1"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "'1' is not a value of WAY");
  EXPECT_EQ(wrong.error().hint, "one of plain, fancy");
  EXPECT_EQ(valueText(kParameters[2], 1), "fancy");
  EXPECT_EQ(valueText(kParameters[0], 2.5), "2.5");
}

TEST(Parameters, AreReadAfterAPreset) {
  EXPECT_EQ(*read({{"PRESET", "other"}}), (ParameterValues{{"COST", 20}, {"SIZE", 4}}));
  EXPECT_EQ(*read({{"COST", "7"}, {"PRESET", "other"}}),
            (ParameterValues{{"COST", 7}, {"SIZE", 4}}));
}

TEST(Parameters, AreRefusedWithWhatThereIs) {
  const auto unknown = read({{"PRICE", "1"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::Usage);
  EXPECT_EQ(unknown.error().message, "the algorithm magic has no parameter 'PRICE'");
  EXPECT_EQ(unknown.error().hint, "its parameters: COST, SIZE, WAY, PRESET");
  EXPECT_EQ(read({{"COST", "1"}}, {}).error().hint, "it has no parameters");
  const auto preset = read({{"PRESET", "third"}});
  ASSERT_FALSE(preset);
  EXPECT_EQ(preset.error().hint, "its presets: other");
}

TEST(Parameters, AreRefusedOutOfRange) {
  for (const char *wrong : {"", "x", "8x", "0", "65", "2.5", "nan", "inf", "-1"}) {
    const auto found = read({{"SIZE", wrong}});
    ASSERT_FALSE(found) << wrong;
    EXPECT_EQ(found.error().hint, "a whole number from 1 to 64");
  }
  EXPECT_EQ(read({{"COST", "101"}}).error().hint, "a number from 0 to 100");
}

TEST(Parameters, AreKnownByName) {
  EXPECT_TRUE(kTable.contains("COST"));
  EXPECT_TRUE(kTable.contains("PRESET"));
  EXPECT_FALSE(kTable.contains("cost"));
  EXPECT_FALSE((ParameterTable{kParameters, {}, {}}.contains("PRESET")));
}

TEST(Parameters, AGridHasAllCombinations) {
  const auto points = gridPoints(kTable, "magic", "small", {{"COST", 50}});
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 6U);
  EXPECT_EQ(points->front(), (ParameterValues{{"COST", 1}, {"SIZE", 8}}));
  EXPECT_EQ(points->back(), (ParameterValues{{"COST", 2}, {"SIZE", 32}}));
  const auto unknown = gridPoints(kTable, "magic", "large", {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().hint, "its grids: small");
  EXPECT_EQ(gridPoints({}, "magic", "small", {}).error().hint, "it has no grids");
}

} // namespace
} // namespace tessera::search
