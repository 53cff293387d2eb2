// SPDX-License-Identifier: MIT
#include "engine/pipeline/scalar_value.h"

#include <gtest/gtest.h>

namespace tessera::pipeline {
namespace {

constexpr ScalarType kBool{TypeKind::UInt, 1}, kByte{TypeKind::UInt, 8}, kShort{TypeKind::Int, 16},
    kLong{TypeKind::Int, 64}, kUnsignedLong{TypeKind::UInt, 64}, kSingle{TypeKind::Float, 32};

TEST(ScalarValue, WholeNumbersHaveTheRangeOfTheirType) {
  EXPECT_TRUE(isValueOf(kByte, "0"));
  EXPECT_TRUE(isValueOf(kByte, "255"));
  EXPECT_FALSE(isValueOf(kByte, "256"));
  EXPECT_FALSE(isValueOf(kByte, "-1"));
  EXPECT_TRUE(isValueOf(kShort, "-32768"));
  EXPECT_FALSE(isValueOf(kShort, "-32769"));
  EXPECT_FALSE(isValueOf(kShort, "32768"));
  EXPECT_TRUE(isValueOf(kLong, "-9223372036854775808"));
  EXPECT_FALSE(isValueOf(kLong, "9223372036854775808"));
  EXPECT_TRUE(isValueOf(kUnsignedLong, "18446744073709551615"));
  EXPECT_FALSE(isValueOf(kUnsignedLong, "18446744073709551616"));
}

TEST(ScalarValue, WhatIsNoNumberIsNoValue) {
  for (const ScalarType type : {kBool, kByte, kShort, kLong, kSingle})
    for (const char *text : {"", " ", "four", "1 2", "4x", "--1", "nan", "inf", "1e999"})
      EXPECT_FALSE(isValueOf(type, text)) << toString(type) << " " << text;
  EXPECT_FALSE(isValueOf(kShort, "1.5"));
  EXPECT_TRUE(isValueOf(kSingle, "1.5"));
  EXPECT_TRUE(isValueOf(kSingle, "-2e-3"));
  EXPECT_FALSE(isValueOf({TypeKind::Handle, 64}, "0"));
}

TEST(ScalarValue, ABoolIsAWordOrADigit) {
  for (const char *text : {"true", "false", "0", "1"})
    EXPECT_TRUE(isValueOf(kBool, text)) << text;
  EXPECT_FALSE(isValueOf(kBool, "2"));
  EXPECT_FALSE(isValueOf(kByte, "true"));
}

TEST(ScalarValue, SaysWhatCanBeWritten) {
  EXPECT_EQ(valuesOf(kByte), "a whole number from 0 to 255");
  EXPECT_EQ(valuesOf(kShort), "a whole number from -32768 to 32767");
  EXPECT_EQ(valuesOf(kLong), "a whole number from -9223372036854775808 to 9223372036854775807");
  EXPECT_EQ(valuesOf(kBool), "true or false");
  EXPECT_EQ(valuesOf(kSingle), "a number");
}

} // namespace
} // namespace tessera::pipeline
