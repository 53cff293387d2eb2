// SPDX-License-Identifier: MIT
#include "engine/array/pnm.h"

#include "tests/engine/array/image_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::array::test {
namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Pnm, GreyIsColumnsAndRows) {
  const auto image = pnmFrom(bytesOf("P5 3 2 255\nabcdef"), "a.pgm");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->type, (ScalarType{TypeKind::UInt, 8}));
  EXPECT_THAT(image->extents, ElementsAre(3, 2));
  EXPECT_EQ(image->data, bytesOf("abcdef"));
  EXPECT_EQ(image->white, 255U);
}

TEST(Pnm, ColoursBecomePlanes) {
  const auto image = pnmFrom(bytesOf("P6\n# by hand\n2 1\n# and\n200 RGBrgb"), "a.ppm");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_THAT(image->extents, ElementsAre(2, 1, 3));
  EXPECT_EQ(image->data, bytesOf("RrGgBb"));
  EXPECT_EQ(image->white, 200U);
}

TEST(Pnm, SamplesOfTwoBytesHaveTheHighOneFirst) {
  const auto image = pnmFrom(joined({bytesOf("P5 2 1 1023\n"), {1, 2, 3, 4}}), "a.pgm");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->type, (ScalarType{TypeKind::UInt, 16}));
  EXPECT_THAT(image->data, ElementsAre(2, 1, 4, 3)); // in the byte order of this machine
  EXPECT_EQ(image->white, 1023U);
}

TEST(Pnm, WhatIsNoneIsRefused) {
  const auto refusal = [](std::string_view text) {
    const auto image = pnmFrom(bytesOf(text), "a.pgm");
    EXPECT_FALSE(image) << text;
    return image ? "" : image.error().message;
  };
  EXPECT_THAT(refusal("P2 1 1 255\n7\n"), HasSubstr("'a.pgm': only binary"));
  EXPECT_THAT(refusal("P5"), HasSubstr("Netpbm images"));
  for (const std::string_view text :
       {"P5 ", "P5 3", "P5 3 2", "P5 3 2 255", "P5 3 2 0\nabcdef", "P5 0 2 255\n",
        "P5 3 2 65536\nabcdef", "P5 3 -2 255\n", "P5 99999999999 1 255\n", "P5 3 2 255#\nabcdef"})
    EXPECT_THAT(refusal(text), HasSubstr("its header cannot be read")) << text;
  EXPECT_THAT(refusal("P5 3 2 255\nabcde"),
              HasSubstr("5 bytes of samples, but its header needs 6"));
  EXPECT_THAT(refusal("P5 3 2 255\nabcdefg"), HasSubstr("7 bytes of samples"));
  EXPECT_THAT(refusal("P5 1000000000 1000000000 255\n"), HasSubstr("too large"));
}

} // namespace
} // namespace tessera::array::test
