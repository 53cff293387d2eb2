// SPDX-License-Identifier: MIT
// Expressions of sizes are read as C++ reads them, and computed as Halide computes them.
#include "engine/schedule/words/size_expression.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tessera::schedule {
namespace {

using Op = SizeExpression::Op;

SizeExpression read(const std::string &text) {
  const auto expression = sizeExpressionFrom(text);
  EXPECT_TRUE(expression) << text;
  return expression ? *expression : SizeExpression();
}

std::optional<std::int64_t> valueAt(const std::string &text, std::int64_t a, std::int64_t b) {
  return valueOf(read(text), [&](const std::string &name) -> std::optional<std::int64_t> {
    if (name == "a") return a;
    if (name == "b") return b;
    return std::nullopt;
  });
}

TEST(SizeExpression, IsWrittenAsItIsRead) {
  constexpr auto kExpressions = std::to_array<const char *>({
      "input.extent.0",
      "output$1.extent.0/2*2",
      "a/(2*b)",
      "(a + 1)*2 - b%3",
      "a - (b - 1)",
      "a*(-1)",
      "min(a, b) + max(a - 1, 0)",
      "select(a < b && !(a == 3), a, b + 1)",
      "(a > 1 || b > 1) && a != b",
      "\"min\" + 1",
      "\"say \\\"x\\\"\" + 1",
  });
  for (const char *text : kExpressions)
    EXPECT_EQ(textOf(read(text)), text);
  EXPECT_EQ(textOf(read(" ( ( a+b ) ) /2 ")), "(a + b)/2");
}

TEST(SizeExpression, IsANumberOrACondition) {
  EXPECT_EQ(isCondition(read("a + 1")), false);
  EXPECT_EQ(isCondition(read("a < 1 || b < 1")), true);
  EXPECT_EQ(isCondition(SizeExpression{Op::Add, 0, {}, {SizeExpression::ofName("a")}}),
            std::nullopt);
}

TEST(SizeExpression, RefusesWhatIsNoExpression) {
  constexpr auto kNoExpressions = std::to_array<const char *>(
      {"", "a +", "a b", "(a", "a)", "a + (b < 1)", "!a", "a && b", "min(a)", "min(a, b, a)", "2*3",
       "a + 2*3", "a + 99999999999", "select(a, 1, b)", "\"open", "a..b(1)", "f(a)",
       "a >= 2 == (b <= 3)", "\"a b\".extent"});
  for (const char *text : kNoExpressions)
    EXPECT_FALSE(sizeExpressionFrom(text)) << text;
  EXPECT_FALSE(sizeExpressionFrom(std::string(100'000, '(')));
  EXPECT_FALSE(sizeExpressionFrom(std::string(100'000, '!') + "(a > 1)"));
  EXPECT_EQ(sizeExpressionFrom("a +").error().message, "'a +' is not an expression of sizes");
}

// Halide's quotient rounds so that the remainder is not negative, and dividing by 0 gives 0.
TEST(SizeExpression, IsComputedAsInHalide) {
  EXPECT_EQ(valueAt("a/b*b", 17, 4), 16);
  EXPECT_EQ(valueAt("a/b", -7, 2), -4);
  EXPECT_EQ(valueAt("a/b", -7, -2), 4);
  EXPECT_EQ(valueAt("a%b", -7, 2), 1);
  EXPECT_EQ(valueAt("a%b", -7, -2), 1);
  EXPECT_EQ(valueAt("a/b + a%b", 5, 0), 0);
  EXPECT_EQ(valueAt("select(a == 3 && b != 3, min(a, b), max(a, b))", 3, 8), 3);
  EXPECT_EQ(valueAt("a <= b || a > 5", 6, 1), 1);
  EXPECT_EQ(valueAt("a + c", 1, 1), std::nullopt);
  EXPECT_EQ(valueAt("a*b", 1 << 20, 1 << 20), std::nullopt);
}

TEST(SizeExpression, NamesAreListedAndChanged) {
  SizeExpression expression = read("a/2 + min(b, a)");
  EXPECT_EQ(namesIn(expression), (std::vector<std::string>{"a", "b", "a"}));
  renameIn(expression, [](const std::string &name) { return name + ".extent.0"; });
  EXPECT_EQ(textOf(expression), "a.extent.0/2 + min(b.extent.0, a.extent.0)");
}

TEST(SizeExpression, LanguagesDiffer) {
  const SizeSpelling python{.divide = "//",
                            .both = " & ",
                            .either = " | ",
                            .no = "",
                            .noBehind = ".logical_not()",
                            .prefix = "hl.",
                            .wrapsComparisons = true};
  const auto quoted = [](const std::string &name) { return "size('" + name + "')"; };
  EXPECT_EQ(textOf(read("min(a, 8)/2"), python, quoted), "hl.min(size('a'), 8)//2");
  EXPECT_EQ(textOf(read("a > 1 && !(b == 2 || a < b)"), python, quoted),
            "(size('a') > 1) & ((size('b') == 2) | (size('a') < size('b'))).logical_not()");
  // %: would be # in C++.
  EXPECT_EQ(
      textOf(read("a%min(b, 2)"), {.prefix = "::Halide::"}, [](const auto &name) { return name; }),
      "a% ::Halide::min(b, 2)");
}

} // namespace
} // namespace tessera::schedule
