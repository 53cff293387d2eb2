// SPDX-License-Identifier: MIT
// Arrays as NumPy saves them can be inputs. Others are refused with a message.
#include "engine/array/npy.h"

#include "tests/engine/array/npy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace tessera::array::test {
namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array<std::uint16_t, 6> kSix{0, 1, 2, 10, 11, 12};

std::string header(const std::string &type, const std::string &order, const std::string &shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

std::string refusal(const std::string &header, std::size_t bytes) {
  const auto array = npyFrom(npyBytes(header, std::vector<std::uint8_t>(bytes)), "a.npy");
  EXPECT_FALSE(array) << header;
  return array ? "" : array.error().message;
}

TEST(Npy, IsReadAsItWasSaved) {
  for (const int version : {1, 2, 3}) {
    const auto array =
        npyFrom(npyBytes(header("<u2", "False", "(2, 3)"), rawBytes(kSix), version), "a.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type, (ScalarType{TypeKind::UInt, 16}));
    EXPECT_THAT(array->extents, ElementsAre(3, 2)); // the first axis is the last dimension
    EXPECT_EQ(array->data, rawBytes(kSix));
    EXPECT_FALSE(array->isImage());
  }
}

TEST(Npy, TypesAreThoseOfBuffers) {
  for (const auto &[text, type] : {std::pair{"|b1", ScalarType{TypeKind::UInt, 1}},
                                   {"|u1", ScalarType{TypeKind::UInt, 8}},
                                   {"|i1", ScalarType{TypeKind::Int, 8}},
                                   {"<i2", ScalarType{TypeKind::Int, 16}},
                                   {"<u4", ScalarType{TypeKind::UInt, 32}},
                                   {"<i8", ScalarType{TypeKind::Int, 64}},
                                   {"<f2", ScalarType{TypeKind::Float, 16}},
                                   {"<f4", ScalarType{TypeKind::Float, 32}},
                                   {"<f8", ScalarType{TypeKind::Float, 64}}}) {
    const auto array =
        npyFrom(npyBytes(header(text, "False", "(1,)"),
                         std::vector<std::uint8_t>(static_cast<std::size_t>(type.bytes()))),
                "a.npy");
    ASSERT_TRUE(array) << text << ": " << array.error().message;
    EXPECT_EQ(array->type, type) << text;
  }
}

// `turned` has the elements of kSix in Fortran order, where the first axis varies fastest in the
// file.
TEST(Npy, BothOrdersHoldTheSame) {
  const std::array<std::uint16_t, 6> turned{0, 10, 1, 11, 2, 12};
  for (const auto &[order, data] :
       {std::pair{"False", rawBytes(kSix)}, {"True", rawBytes(turned)}}) {
    const auto array = npyFrom(npyBytes(header("<u2", order, "(2, 3)"), data), "a.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->data, rawBytes(kSix)) << order;
    EXPECT_THAT(array->extents, ElementsAre(3, 2)) << order;
  }
  std::vector<std::uint8_t> cube(24), inOrder(24); // the axes have extents 2, 3 and 4
  for (std::uint8_t i = 0; i < 2; ++i)
    for (std::uint8_t j = 0; j < 3; ++j)
      for (std::uint8_t k = 0; k < 4; ++k) {
        inOrder[k + 4 * (j + 3 * i)] = static_cast<std::uint8_t>(100 * i + 10 * j + k);
        cube[i + 2 * (j + 3 * k)] = inOrder[k + 4 * (j + 3 * i)];
      }
  const auto array = npyFrom(npyBytes(header("|u1", "True", "(2, 3, 4)"), cube), "a.npy");
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->data, inOrder);
  EXPECT_THAT(array->extents, ElementsAre(4, 3, 2));
}

TEST(Npy, WhatIsNoneIsRefused) {
  EXPECT_THAT(npyFrom({}, "a.npy").error().message, HasSubstr("'a.npy': it is not a NumPy array"));
  EXPECT_THAT(npyFrom(rawBytes(kSix), "a.npy").error().message,
              HasSubstr("it is not a NumPy array"));
  EXPECT_THAT(npyFrom(npyBytes("", {}, 4), "a.npy").error().message,
              HasSubstr("its format version is 4"));
  auto cut = npyBytes(header("<u2", "False", "(2, 3)"), {});
  cut.resize(40);
  EXPECT_THAT(npyFrom(cut, "a.npy").error().message, HasSubstr("it ends within its header"));
  for (const std::string text : {"", "{", "{'descr': '<u2'}",
                                 "{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': ()}",
                                 "{'descr': '<u2', 'fortran_order': 0, 'shape': (1,)}",
                                 "{'descr': '<u2', 'fortran_order': True, 'shape': (-1,)}",
                                 "{'descr': '<u2', 'fortran_order': True, 'shape': (99999999999,)}",
                                 "{'descr': '<u2', 'fortran_order': True, 'shape': (1,"})
    EXPECT_THAT(refusal(text, 2), HasSubstr("its header cannot be read")) << text;
  EXPECT_THAT(refusal(header(">u2", "False", "(1,)"), 2), HasSubstr("the unknown type '>u2'"));
  EXPECT_THAT(refusal(header("<c8", "False", "(1,)"), 8), HasSubstr("the unknown type '<c8'"));
  EXPECT_THAT(refusal(header("<u2", "False", "(2, 3)"), 11), HasSubstr("11 bytes of numbers"));
  EXPECT_THAT(refusal(header("<u2", "False", "(2, 3)"), 13), HasSubstr("needs 12"));
  EXPECT_THAT(refusal(header("<u2", "False", "(2, 0)"), 0), HasSubstr("has no numbers"));
  const std::string large = "(2000000000, 2000000000, 2000000000)";
  EXPECT_THAT(refusal(header("<u2", "False", large), 0), HasSubstr("too large"));
}

} // namespace
} // namespace tessera::array::test
