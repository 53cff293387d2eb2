// SPDX-License-Identifier: MIT
// Each operation of the interpreter gives what Halide's host code gives, for every type.
#include "engine/halide/lowered/interpret.h"
#include "engine/halide/lowered/races.h"
#include "engine/halide/lowered/value.h"
#include "tests/engine/halide/lowered/lowered_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tessera::halide::testing {
namespace {

using Halide::Expr;
using Halide::Type;
using Halide::Var;

// Every operation on two numbers of the type, as bits of 64.
std::vector<Expr> integerOperations(const Type &type, const Expr &a, const Expr &b) {
  const Type natural = type.with_code(halide_type_uint);
  const Expr few = cast(natural, b & cast(type, 7));
  const Expr divisor = cast(type, few) + cast(type, 1);
  std::vector<Expr> all{a + b,
                        a - b,
                        a * b,
                        a / b,
                        a % b,
                        min(a, b),
                        max(a, b),
                        a & b,
                        a | b,
                        a ^ b,
                        ~a,
                        a << few,
                        a >> few,
                        abs(a),
                        absd(a, b),
                        select(a < b, a, b),
                        cast(type, a <= b) + cast(type, a == b),
                        saturating_cast(Halide::Int(8), a),
                        saturating_cast(Halide::UInt(16), a),
                        cast(Halide::Int(8), a),
                        popcount(a),
                        count_leading_zeros(a),
                        count_trailing_zeros(a),
                        Halide::halving_add(a, b),
                        Halide::halving_sub(a, b),
                        Halide::rounding_halving_add(a, b),
                        Halide::saturating_add(a, b),
                        Halide::saturating_sub(a, b),
                        Halide::rounding_shift_right(a, few),
                        Halide::rounding_shift_left(a, few),
                        div_round_to_zero(a, divisor),
                        mod_round_to_zero(a, divisor),
                        cast(Halide::Int(64), cast(Halide::Float(64), a) / Expr(4.0))};
  if (type.bits() < 64) {
    all.push_back(Halide::widening_add(a, b));
    all.push_back(Halide::widening_mul(a, b));
    all.push_back(Halide::widening_sub(a, b));
    all.push_back(Halide::mul_shift_right(a, b, type.bits() / 2));
    all.push_back(Halide::rounding_mul_shift_right(a, b, type.bits() - 1));
    all.push_back(lerp(cast(natural, a), cast(natural, b), Halide::cast<float>(few) / 7.0f));
  }
  return all;
}

std::vector<Expr> floatOperations(const Type &type, const Expr &a, const Expr &b) {
  return {a + b,
          a - b,
          a * b,
          a / (b + cast(type, 1.0f)),
          min(a, b),
          max(a, b),
          abs(a - b),
          sqrt(a),
          floor(a * cast(type, 9.0f)),
          ceil(a * cast(type, 9.0f)),
          round(a * cast(type, 9.0f)),
          trunc(a * cast(type, 9.0f)),
          select(a < b, a, b),
          cast(type, cast(Halide::Float(64), a) * Expr(1.0009765625)),
          cast(type, cast(Halide::Int(32), a * cast(type, 50.0f)))};
}

Expr bitsOf(const Expr &e) {
  if (!e.type().is_float()) return cast(Halide::Int(64), e);
  return cast(Halide::Int(64), reinterpret(Halide::UInt(e.type().bits()), e));
}

class Operations : public ::testing::TestWithParam<Type> {};

TEST_P(Operations, AreThoseOfTheHost) {
  const Type type = GetParam();
  constexpr int kPairs = 192; // whole tiles
  Halide::ImageParam a(type, 1, "a"), b(type, 1, "b");
  const Var x("x"), c("c"), xo("xo"), xi("xi");
  const auto operations = [&] {
    return type.is_float() ? floatOperations(type, a(x), b(x))
                           : integerOperations(type, a(x), b(x));
  };
  std::vector<Expr> bits;
  for (const Expr &operation : operations())
    bits.push_back(bitsOf(operation));
  const auto count = static_cast<int>(bits.size());
  Halide::Func on("on"), host("host");
  on(x, c) = Expr(std::int64_t{0});
  host(x, c) = Expr(std::int64_t{0});
  on.gpu_tile(x, xo, xi, 32);
  for (int i = 0; i < count; ++i) {
    on(x, i) = bits[static_cast<std::size_t>(i)];
    on.update(i).gpu_tile(x, xo, xi, 32);
    host(x, i) = bits[static_cast<std::size_t>(i)];
  }
  LoweredCode code(on, {kPairs, count});
  code.inputs.emplace("a", filled(type, {kPairs}, "a"));
  code.inputs.emplace("b", filled(type, {kPairs}, "b"));
  const lowered::Run run = code.run();
  ASSERT_EQ(run.end, lowered::Run::End::Done) << run.complaint;
  a.set(code.inputs.at("a"));
  b.set(code.inputs.at("b"));
  Halide::Buffer<std::int64_t> expected(kPairs, count);
  host.realize(Halide::Pipeline::RealizationArg(expected),
               Halide::get_host_target().with_feature(Halide::Target::StrictFloat));
  const Halide::Buffer<std::int64_t> found = code.output();
  for (int i = 0; i < count; ++i)
    for (int at = 0; at < kPairs; ++at)
      ASSERT_EQ(found(at, i), expected(at, i))
          << "operation " << i << ": " << bits[static_cast<std::size_t>(i)] << " at " << at;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, Operations,
                         ::testing::Values(Halide::UInt(8), Halide::Int(8), Halide::UInt(16),
                                           Halide::Int(16), Halide::UInt(32), Halide::Int(32),
                                           Halide::UInt(64), Halide::Int(64), Halide::Float(16),
                                           Halide::BFloat(16), Halide::Float(32),
                                           Halide::Float(64)));

TEST(Rounding, OfSmallFloatsIsToNearestAndTiesToEven) {
  const Type half = Halide::Float(16), bfloat = Halide::BFloat(16);
  EXPECT_EQ(lowered::rounded(half, 1 + 0x1p-11), 1) << "a tie";
  EXPECT_EQ(lowered::rounded(half, 1 + 0x3p-11), 1 + 0x4p-11) << "a tie";
  EXPECT_EQ(lowered::rounded(half, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10)
      << "a float would make a tie of it first";
  EXPECT_EQ(lowered::rounded(half, 65519), 65504);
  EXPECT_EQ(lowered::rounded(half, 65520), std::numeric_limits<double>::infinity());
  EXPECT_EQ(lowered::rounded(half, 0x1p-25), 0) << "half of the least number, to even";
  EXPECT_EQ(lowered::rounded(half, -0x3p-26), -0x1p-24);
  EXPECT_EQ(lowered::rounded(bfloat, 1 + 0x1p-8), 1);
  EXPECT_EQ(lowered::rounded(bfloat, 1 + 0x3p-8), 1 + 0x4p-8);
  EXPECT_TRUE(std::isnan(lowered::rounded(half, std::nan(""))));
}

class RacesOfOneElement : public ::testing::Test {
protected:
  RacesOfOneElement() { m_races.follow(1, 4, 4); }
  bool reads(std::uint32_t block, std::uint32_t thread, std::uint32_t era = 0) {
    return m_races.read(0, 4, {block, thread, era, false}).has_value();
  }
  bool writes(std::uint32_t block, std::uint32_t thread, std::uint32_t era = 0, bool isSame = false,
              bool isAtomic = false) {
    return m_races.write(0, 4, {block, thread, era, isAtomic}, isSame).has_value();
  }
  lowered::Races m_races;
};

TEST_F(RacesOfOneElement, ABarrierOrdersThreadsOfABlock) {
  EXPECT_FALSE(writes(0, 1, 0));
  EXPECT_FALSE(reads(0, 1, 0)) << "its own";
  EXPECT_FALSE(reads(0, 2, 1));
  EXPECT_TRUE(writes(0, 3, 1)) << "another one reads it since the same barrier";
  EXPECT_TRUE(reads(0, 2, 1));
}

TEST_F(RacesOfOneElement, NothingOrdersBlocks) {
  EXPECT_FALSE(reads(0, 1, 0));
  EXPECT_FALSE(reads(1, 1, 0));
  EXPECT_TRUE(writes(2, 1, 5));
}

TEST_F(RacesOfOneElement, ButAKernelComesAfterAnother) {
  EXPECT_FALSE(writes(0, 1));
  m_races.follow(2, 4, 4);
  EXPECT_FALSE(reads(1, 2));
}

TEST_F(RacesOfOneElement, TheSameValueMayBeWrittenByMany) {
  EXPECT_FALSE(writes(0, 1));
  EXPECT_FALSE(writes(1, 1, 0, true));
  EXPECT_FALSE(reads(1, 1)) << "it sees this value whoever wrote last";
  EXPECT_TRUE(reads(2, 1)) << "it has not written and may come first";
}

TEST_F(RacesOfOneElement, AtomicsDoNotRaceWithEachOther) {
  EXPECT_FALSE(writes(0, 1, 0, false, true));
  EXPECT_FALSE(writes(1, 1, 0, false, true));
  EXPECT_TRUE(reads(1, 2));
}

} // namespace
} // namespace tessera::halide::testing
