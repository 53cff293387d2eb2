// SPDX-License-Identifier: MIT
// Arrays as NumPy saves them become inputs; others are refused in words.
#include "engine/halide/npy.h"

#include "tests/engine/halide/npy_file.h"

#include "engine/halide/owned_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace tessera::halide::testing {
namespace {

using ::testing::AllOf;
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
        npyFrom(npyBytes(header("<u2", "False", "(2, 3)"), bytesOf(kSix), version), "a.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type, Halide::UInt(16));
    EXPECT_THAT(array->shape, ElementsAre(2, 3));
    EXPECT_FALSE(array->fortranOrder);
    EXPECT_EQ(array->data, bytesOf(kSix));
  }
}

TEST(Npy, TypesAreThoseOfBuffers) {
  for (const auto &[text, type] : {std::pair{"|b1", Halide::Bool()},
                                   {"|u1", Halide::UInt(8)},
                                   {"|i1", Halide::Int(8)},
                                   {"<i2", Halide::Int(16)},
                                   {"<u4", Halide::UInt(32)},
                                   {"<i8", Halide::Int(64)},
                                   {"<f2", Halide::Float(16)},
                                   {"<f4", Halide::Float(32)},
                                   {"<f8", Halide::Float(64)}}) {
    const auto array =
        npyFrom(npyBytes(header(text, "False", "(1,)"),
                         std::vector<std::uint8_t>(static_cast<std::size_t>(type.bytes()))),
                "a.npy");
    ASSERT_TRUE(array) << text << ": " << array.error().message;
    EXPECT_EQ(array->type, type) << text;
  }
}

// A buffer whose rows are apart: x from 5, y from -1.
TEST(Npy, TheFirstAxisIsTheLastDimension) {
  const OwnedBuffer owned = *makeBuffer(Halide::UInt(16), {{5, 7}, {-1, 0}}, {{1, 16}}, 0);
  const Halide::Runtime::Buffer<std::uint16_t> view(*owned.buffer.get());
  const std::array<std::uint16_t, 6> turned{0, 10, 1, 11, 2, 12};
  for (const auto &[order, data] : {std::pair{"False", bytesOf(kSix)}, {"True", bytesOf(turned)}}) {
    const auto array = npyFrom(npyBytes(header("<u2", order, "(2, 3)"), data), "a.npy");
    ASSERT_TRUE(array) << array.error().message;
    ASSERT_TRUE(fillFrom(*array, owned.buffer, "input", "a.npy"));
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x)
        EXPECT_EQ(view(5 + x, y - 1), 10 * y + x) << order;
  }
}

TEST(Npy, AnotherShapeOrTypeIsToldWithWhatToDo) {
  const OwnedBuffer owned = *makeBuffer(Halide::UInt(16), {{0, 2}, {-1, 0}}, {}, 0);
  const auto filled = [&](const std::string &text, std::size_t bytes) {
    const auto array = npyFrom(npyBytes(text, std::vector<std::uint8_t>(bytes)), "a.npy");
    EXPECT_TRUE(array);
    const Status status = fillFrom(*array, owned.buffer, "input", "a.npy");
    EXPECT_FALSE(status);
    return status ? "" : status.error().message + " " + status.error().hint;
  };
  EXPECT_THAT(filled(header("<f4", "False", "(2, 3)"), 24),
              AllOf(HasSubstr("'a.npy': it holds float32, and \"input\" takes uint16")));
  EXPECT_THAT(filled(header("<u2", "False", "(3, 2)"), 12),
              AllOf(HasSubstr("its shape is (3, 2), and \"input\" takes (2, 3)"),
                    HasSubstr("--estimate input=0:2,-1:3")));
  EXPECT_THAT(filled(header("<u2", "False", "(6,)"), 12), HasSubstr("its shape is (6,)"));
}

TEST(Npy, WhatIsNoneIsRefused) {
  EXPECT_THAT(npyFrom({}, "a.npy").error().message, HasSubstr("'a.npy': it is no array"));
  EXPECT_THAT(npyFrom(bytesOf(kSix), "a.npy").error().message, HasSubstr("it is no array"));
  EXPECT_THAT(npyFrom(npyBytes("", {}, 4), "a.npy").error().message, HasSubstr("the version 4"));
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
  EXPECT_THAT(refusal(header(">u2", "False", "(1,)"), 2), HasSubstr("of the type '>u2'"));
  EXPECT_THAT(refusal(header("<c8", "False", "(1,)"), 8), HasSubstr("of the type '<c8'"));
  EXPECT_THAT(refusal(header("<u2", "False", "(2, 3)"), 11), HasSubstr("11 bytes of numbers"));
  EXPECT_THAT(refusal(header("<u2", "False", "(2, 3)"), 13), HasSubstr("wants 12"));
  const std::string large = "(2000000000, 2000000000, 2000000000)";
  EXPECT_THAT(refusal(header("<u2", "False", large), 0), HasSubstr("too large"));
}

// Any damage is an error or another array, never a crash.
TEST(Npy, DamageIsSurvived) {
  const auto whole = npyBytes(header("<u2", "False", "(2, 3)"), bytesOf(kSix));
  std::mt19937 random(1);
  int read = 0;
  for (int n = 0; n < 20'000; ++n) {
    auto bytes = whole;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    if (npyFrom(std::move(bytes), "a.npy")) ++read;
  }
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 20'000);
}

} // namespace
} // namespace tessera::halide::testing
